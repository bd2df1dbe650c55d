import { ApiError, NotModified } from "../../../../contract/client-of.ts";
import type { Estimation } from "../../../../contract/estimations.ts";
import type { Conflict, Resolution } from "../../../../domain/merge/shape.ts";
import type { Outcome } from "../../../../domain/tree/outcome.ts";
import type { Tree } from "../../../../domain/tree/shape.ts";
import { api } from "../../api/client.ts";
import { failureText, isPassing, isRefusal, NotSaved } from "../../api/failure.ts";
import { texts } from "../../texts.ts";
import { dropDraft, keepDraft, type LoadedTree, readDraft } from "./drafts.ts";
import { changeBy, mergeTrees, type Step } from "./history.ts";
import { isSameTree, lastingIds, toInput, withIds } from "./tree-ids.ts";

/** What the editor shows. A new object with every change. */
export interface EditorState {
  readonly tree: Tree;
  readonly past: readonly Step[];
  readonly future: readonly Step[];
  readonly saving: "saved" | "saving" | "waiting" | "refused" | "conflict";
  /** Why it was refused, or what others changed; null for nothing to say. */
  readonly notice: string | null;
  /** What both changed, to be decided. */
  readonly conflicts: readonly Conflict[];
  /** Lasting ids of things that were new, so that the focus stays where it is … */
  readonly renamed: ReadonlyMap<string, string>;
  /** … and the reverse, so that a line that is typed into stays the same line. */
  readonly formerIds: ReadonlyMap<string, string>;
}

const PAUSE_MS = 250;
const RETRY_MS = 3_000;
const LOOK_MS = 10_000;
const STEPS_KEPT = 200;

/**
 * The tree of one estimation while it is edited: every edit shows at once, is kept in this browser until the server has it,
 * and is sent as a whole tree with `If-Match`. What somebody else changed meanwhile is merged, by the rules of versions.
 */
export class TreeSync {
  private base: Tree;
  private etag: string;
  private state: EditorState;
  private readonly listeners = new Set<() => void>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isSending = false;
  /** Sent, but no answer came: the server may have stored it. */
  private unanswered: Tree | null = null;
  private theirs: LoadedTree | null = null;
  private readonly estimation: Estimation;
  private changed: (estimation: Estimation) => void = () => {};

  constructor(estimation: Estimation, loaded: LoadedTree) {
    this.estimation = estimation;
    const draft = readDraft(estimation.id);
    const { nodes, etag } = draft?.base ?? loaded;
    this.base = { nodes };
    this.etag = etag;
    this.state = {
      tree: draft?.tree ?? this.base,
      past: [],
      future: [],
      saving: draft ? "waiting" : "saved",
      notice: null,
      conflicts: [],
      renamed: new Map(),
      formerIds: new Map(),
    };
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  current = (): EditorState => this.state;

  /** Begins to send and to look for others' changes, which `changed` is told of; returns how to stop. */
  start(changed: (estimation: Estimation) => void): () => void {
    this.changed = changed;
    const look = setInterval(() => void this.look(), LOOK_MS);
    const wake = () => {
      if (this.state.tree !== this.base) this.sendSoon(0);
      else void this.look();
    };
    const warn = (event: BeforeUnloadEvent) => {
      if (this.state.saving !== "saved") event.preventDefault();
    };
    addEventListener("online", wake);
    addEventListener("focus", wake);
    addEventListener("beforeunload", warn);
    if (this.state.tree !== this.base) this.sendSoon(0);
    return () => {
      clearInterval(look);
      removeEventListener("online", wake);
      removeEventListener("focus", wake);
      removeEventListener("beforeunload", warn);
      if (this.timer !== undefined) void this.send();
    };
  }

  /** Makes an edit; returns why it is refused, in words, or null. */
  edit(change: (tree: Tree) => Outcome<object>): string | null {
    const before = this.state.tree;
    const outcome = change(before);
    if (!outcome.ok) {
      const [fault] = outcome.reason === "invalid" ? outcome.faults : [];
      return fault ? texts.editor.refused(fault.message) : texts.failures.unexpected;
    }
    if (outcome.tree === before) return null;
    const past = [...this.state.past, { before, after: outcome.tree }].slice(-STEPS_KEPT);
    this.show({ tree: outcome.tree, past, future: [], notice: null });
    this.sendSoon();
    return null;
  }

  undo(): void {
    const step = this.state.past.at(-1);
    if (step === undefined) return;
    const tree = changeBy(this.estimation, this.state.tree, step.after, step.before);
    const future = [...this.state.future, { before: tree, after: this.state.tree }];
    this.show({ tree, past: this.state.past.slice(0, -1), future, notice: null });
    this.sendSoon();
  }

  redo(): void {
    const step = this.state.future.at(-1);
    if (step === undefined) return;
    const tree = changeBy(this.estimation, this.state.tree, step.before, step.after);
    const past = [...this.state.past, { before: this.state.tree, after: tree }];
    this.show({ tree, past, future: this.state.future.slice(0, -1), notice: null });
    this.sendSoon();
  }

  /** Sends again what was refused, or what waits for a connection. */
  retry(): void {
    this.sendSoon(0);
  }

  /** Decides what both changed, and goes on. */
  resolve(resolutions: readonly Resolution[]): void {
    if (this.theirs) this.mergeWith(this.theirs, resolutions);
  }

  private show(changes: Partial<EditorState>): void {
    this.state = { ...this.state, ...changes };
    for (const listener of this.listeners) listener();
  }

  private sendSoon(afterMs = PAUSE_MS): void {
    keepDraft(this.estimation.id, { base: { nodes: this.base.nodes, etag: this.etag }, tree: this.state.tree });
    if (this.state.conflicts.length > 0) return;
    if (this.state.saving === "saved" || this.state.saving === "refused") this.show({ saving: "saving" });
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.send(), afterMs);
  }

  private async send(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const { tree, conflicts } = this.state;
    if (this.isSending || conflicts.length > 0) return;
    if (tree === this.base) return this.settle();
    this.isSending = true;
    try {
      const stored = await this.store(tree);
      if (stored === "stale") await this.reconcile();
      else this.take(tree, stored);
    } catch (error) {
      this.failed(tree, error);
    } finally {
      this.isSending = false;
    }
    if (this.state.saving === "saving") this.sendSoon(0);
  }

  /** Sends a tree; returns it as it is stored, or that somebody else has changed it since. */
  private async store({ nodes }: Tree): Promise<LoadedTree | "stale"> {
    try {
      const { data, headers } = await api.replaceTree({
        params: { id: this.estimation.id },
        body: { nodes: toInput(nodes) },
        headers: { "if-match": this.etag },
      });
      return { nodes: data.tree.nodes, etag: headers.get("etag") ?? "" };
    } catch (error) {
      if (isRefusal(error, "revision_mismatch")) return "stale";
      throw error;
    }
  }

  private failed(sent: Tree, error: unknown): void {
    if (!isPassing(error)) {
      this.show({ saving: "refused", notice: failureText(error) });
      return;
    }
    if (!(error instanceof ApiError)) this.unanswered = sent;
    this.show({ saving: "waiting" });
    this.timer = setTimeout(() => void this.send(), RETRY_MS);
  }

  /** The server has stored `sent` as `stored`. */
  private take(sent: Tree, { nodes, etag }: LoadedTree): void {
    const ids = lastingIds(sent.nodes, nodes);
    const inStep = ({ before, after }: Step): Step => ({ before: withIds(before, ids), after: withIds(after, ids) });
    // The same object where nothing changed but ids, so that undo knows its place.
    const renamed = withIds(sent, ids);
    this.unanswered = null;
    this.base = renamed;
    this.etag = etag;
    this.show({
      tree: this.state.tree === sent ? renamed : withIds(this.state.tree, ids),
      past: ids.size > 0 ? this.state.past.map(inStep) : this.state.past,
      future: ids.size > 0 ? this.state.future.map(inStep) : this.state.future,
      renamed: ids.size > 0 ? new Map([...this.state.renamed, ...ids]) : this.state.renamed,
      formerIds:
        ids.size > 0
          ? new Map([...this.state.formerIds, ...[...ids].map(([former, id]) => [id, former] as const)])
          : this.state.formerIds,
      saving: "saving",
    });
    if (this.state.tree === this.base) this.settle();
  }

  private settle(): void {
    dropDraft(this.estimation.id);
    if (this.state.saving !== "saved") this.show({ saving: "saved" });
  }

  private async load(): Promise<LoadedTree> {
    const { data, headers } = await api.getTree({ params: { id: this.estimation.id } });
    return { nodes: data.tree.nodes, etag: headers.get("etag") ?? "" };
  }

  private async reconcile(): Promise<void> {
    const theirs = await this.load();
    if (this.unanswered && isSameTree(this.unanswered, theirs)) this.take(this.unanswered, theirs);
    else this.mergeWith(theirs, []);
  }

  private mergeWith(theirs: LoadedTree, resolutions: readonly Resolution[]): void {
    const trees = { base: this.base, into: { nodes: theirs.nodes }, from: this.state.tree };
    const merged = mergeTrees(this.estimation, trees, resolutions);
    if (!merged.ok) {
      this.theirs = theirs;
      this.show({ saving: "conflict", conflicts: merged.conflicts ?? [] });
      return;
    }
    this.theirs = null;
    this.base = trees.into;
    this.etag = theirs.etag;
    this.show({ tree: merged.snapshot.tree, conflicts: [], saving: "saving", notice: texts.editor.merged });
    this.sendSoon(0);
  }

  /** Waits until everything is saved, and returns the tag of that revision. Refuses where saving has to wait. */
  savedRevision(): Promise<string> {
    return new Promise((resolve, reject) => {
      const judge = () => {
        if (this.state.saving === "saving") return;
        stop();
        if (this.state.saving === "saved") resolve(this.etag);
        else reject(new NotSaved(texts.states.notSaved));
      };
      const stop = this.subscribe(judge);
      judge();
    });
  }

  /** Takes over what is new where the estimation has another revision by now, as after a move to another state. */
  follow(revision: number): void {
    if (Number(/\d+/.exec(this.etag)?.[0]) !== revision) void this.look();
  }

  /** Looks whether somebody else changed it, while there is nothing of our own to send. */
  async look(): Promise<void> {
    if (document.visibilityState === "hidden" || this.state.saving !== "saved" || this.isSending) return;
    try {
      const headers = { "if-none-match": this.etag };
      const { data } = await api.getEstimation({ params: { id: this.estimation.id }, headers });
      const theirs = await this.load();
      if (this.state.saving !== "saved" || this.isSending) return;
      this.changed(data.estimation);
      const isSame = isSameTree(this.base, { nodes: theirs.nodes });
      this.etag = theirs.etag;
      if (isSame) return;
      this.base = { nodes: theirs.nodes };
      this.show({ tree: this.base, notice: texts.editor.changedByOthers });
    } catch (error) {
      // Unreachable: the next look tries again. Not modified is the usual case.
      if (!(error instanceof NotModified) && !isPassing(error)) this.show({ notice: failureText(error) });
    }
  }
}
