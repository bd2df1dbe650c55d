import { NotModified } from "../../../../contract/client-of.ts";
import type { Estimation } from "../../../../contract/estimations.ts";
import type { Conflict, Resolution } from "../../../../domain/merge/shape.ts";
import type { Outcome } from "../../../../domain/tree/outcome.ts";
import { idsOf, type Tree } from "../../../../domain/tree/shape.ts";
import { api } from "../../api/client.ts";
import { failureText, isPassing, NotSaved } from "../../api/failure.ts";
import { currentSession } from "../../api/session.ts";
import { texts } from "../../texts.ts";
import { type Content, changedFields, isSame, isSameOwn, type Own, ownOf, type Step } from "./content.ts";
import {
  draftOf,
  dropDraft,
  dropFound,
  findDraft,
  keepDraft,
  type LeftDraft,
  type LoadedTree,
  newDraftKey,
} from "./drafts.ts";
import { loadBoth, loadTree, revisionOf, storeOwn, storeTree } from "./requests.ts";
import { hasNew, isSameTree, lastingIds, withIds } from "./tree-ids.ts";

/** What the editor shows. A new object with every change. */
export interface EditorState extends Content {
  /** The estimation as the server has it; its fields that are edited are in `own`. */
  readonly estimation: Estimation;
  /** What the server has, as far as is known here: it shows where nothing may be edited. */
  readonly stored: Content;
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

/** What somebody else has made of it. */
interface Theirs {
  readonly estimation: Estimation;
  readonly content: Content;
  readonly etag: string;
}

const PAUSE_MS = 250;
const RETRY_MS = 3_000;
const LOOK_MS = 10_000;
const STEPS_KEPT = 200;
/** Trees without an answer that are remembered; each is tried again with all that was edited since. */
const UNANSWERED_KEPT = 5;

const contentOf = ({ tree, own }: Content): Content => ({ tree, own });

/**
 * An estimation while it is edited: every edit shows at once, is kept in this browser until the server has it, and is sent
 * with `If-Match`, the tree as a whole. What somebody else changed meanwhile is merged, by the rules of versions.
 */
export class TreeSync {
  private base: Content;
  private etag: string;
  private state: EditorState;
  private readonly id: string;
  /** Who edits. Another user may sign in while this waits for a connection. */
  private readonly userId = currentSession()?.userId ?? "";
  private readonly draftKey: string;
  /** What another tab, or this page before it was loaded, has left; null once it is kept under the key of this one. */
  private found: LeftDraft | null;
  /** The tree that was found: another tab may save it, too. */
  private foundTree: Tree | null;
  private readonly listeners = new Set<() => void>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isSending = false;
  /** Sent with new things, but no answer came: the server may have stored one of them. */
  private unanswered: readonly Tree[] = [];
  private theirs: Theirs | null = null;
  private merging: typeof import("./merge-contents.ts") | null = null;
  private changed: (estimation: Estimation) => void = () => {};

  constructor(estimation: Estimation, loaded: LoadedTree) {
    this.id = estimation.id;
    this.draftKey = newDraftKey(this.userId, estimation.id);
    this.found = findDraft(this.userId, estimation.id);
    const draft = this.found?.draft;
    this.foundTree = draft?.tree ?? null;
    const { nodes, etag } = draft?.base ?? loaded;
    this.base = { tree: { nodes }, own: draft?.baseOwn ?? ownOf(estimation) };
    this.etag = etag;
    this.unanswered = draft?.unanswered ?? [];
    this.state = {
      estimation,
      stored: this.base,
      tree: draft?.tree ?? this.base.tree,
      own: draft && !isSameOwn(draft.own, this.base.own) ? draft.own : this.base.own,
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

  /** Begins to send and to look for others' changes, and tells `changed` of the estimation; returns how to stop. */
  start(changed: (estimation: Estimation) => void): () => void {
    this.changed = changed;
    const look = setInterval(() => void this.look(), LOOK_MS);
    const wake = () => this.wake();
    const warn = (event: BeforeUnloadEvent) => {
      if (this.state.saving !== "saved") event.preventDefault();
    };
    addEventListener("online", wake);
    addEventListener("focus", wake);
    addEventListener("beforeunload", warn);
    if (!isSame(this.state, this.base)) this.sendSoon(0);
    return () => {
      clearInterval(look);
      removeEventListener("online", wake);
      removeEventListener("focus", wake);
      removeEventListener("beforeunload", warn);
      if (this.timer !== undefined) void this.send();
    };
  }

  /** Takes what another part of the page learned of the estimation, as after a move to another state. */
  follow(estimation: Estimation): void {
    if (estimation === this.state.estimation || estimation.revision < this.state.estimation.revision) return;
    this.state = { ...this.state, estimation };
    this.tell();
    // Reopened, it may take what it refused before.
    if (estimation.revision !== revisionOf(this.etag)) this.wake();
  }

  private wake(): void {
    if (!isSame(this.state, this.base)) this.sendSoon(0);
    else void this.look();
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

  /** Makes an edit of the tree; returns why it is refused, in words, or null. */
  edit(change: (tree: Tree) => Outcome<object>): string | null {
    const outcome = change(this.state.tree);
    if (!outcome.ok) {
      const [fault] = outcome.reason === "invalid" ? outcome.faults : [];
      return fault ? texts.editor.refused(fault.message) : texts.failures.unexpected;
    }
    if (outcome.tree !== this.state.tree) this.step({ tree: outcome.tree, own: this.state.own });
    return null;
  }

  /** Changes fields of the estimation itself. */
  set(changes: Partial<Own>): void {
    const own = { ...this.state.own, ...changes };
    if (!isSameOwn(own, this.state.own)) this.step({ tree: this.state.tree, own });
  }

  undo(): void {
    const step = this.state.past.at(-1);
    if (step === undefined) return;
    this.replace(step.after, step.before, (before, after) => ({
      past: this.state.past.slice(0, -1),
      future: [...this.state.future, { before: after, after: before }],
    }));
  }

  redo(): void {
    const step = this.state.future.at(-1);
    if (step === undefined) return;
    this.replace(step.before, step.after, (before, after) => ({
      past: [...this.state.past, { before, after }],
      future: this.state.future.slice(0, -1),
    }));
  }

  /** Sends again what was refused, or what waits for a connection. */
  retry(): void {
    this.sendSoon(0);
  }

  /** Gives up every edit that the server has not stored. */
  discard(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.unanswered = [];
    this.drop();
    this.show({ ...this.base, past: [], future: [], saving: "saved", notice: null });
    void this.look();
  }

  /** Shows why something was not done. */
  say(notice: string | null): void {
    this.show({ notice });
  }

  /** Decides what both changed, and goes on. */
  resolve(resolutions: readonly Resolution[]): void {
    if (this.theirs) this.mergeWith(this.theirs, resolutions);
  }

  private show(changes: Partial<EditorState>): void {
    this.state = { ...this.state, ...changes, stored: this.base };
    this.tell();
    if (changes.estimation) this.changed(changes.estimation);
  }

  private tell(): void {
    for (const listener of this.listeners) listener();
  }

  private step(after: Content): void {
    const past = [...this.state.past, { before: contentOf(this.state), after }].slice(-STEPS_KEPT);
    this.show({ ...after, past, future: [], notice: null });
    this.sendSoon();
  }

  /** Makes the change from one content to another, beside what has happened since. */
  private replace(
    from: Content,
    to: Content,
    steps: (before: Content, after: Content) => Pick<EditorState, "past" | "future">,
  ): void {
    const before = contentOf(this.state);
    const { merging } = this;
    if (!isSame(before, from) && !merging) {
      this.loadMerging().then(
        () => this.replace(from, to, steps),
        () => this.say(texts.failures.unreachable),
      );
      return;
    }
    const { content: after, isWhole } = merging?.changeBy(before, from, to) ?? { content: to, isWhole: true };
    this.show({ ...after, ...steps(before, after), notice: isWhole ? null : texts.editor.keptNewer });
    this.sendSoon();
  }

  /** Merging is needed seldom, and large: it is loaded with the first edit, before a connection can fail. */
  private async loadMerging(): Promise<typeof import("./merge-contents.ts")> {
    this.merging ??= await import("./merge-contents.ts");
    return this.merging;
  }

  private keep(): void {
    const isKept = keepDraft(this.draftKey, draftOf(this.base, this.etag, this.state, this.unanswered));
    if (isKept) this.dropFound();
  }

  private drop(): void {
    dropDraft(this.draftKey);
    this.dropFound();
  }

  private dropFound(): void {
    if (this.found) dropFound(this.found);
    this.found = null;
  }

  private sendSoon(afterMs = PAUSE_MS): void {
    this.keep();
    if (!this.merging) this.loadMerging().catch(() => undefined);
    if (this.state.conflicts.length > 0) return;
    if (this.state.saving === "saved" || this.state.saving === "refused") this.show({ saving: "saving" });
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.send(), afterMs);
  }

  private async send(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.isSending || this.state.conflicts.length > 0) return;
    if (currentSession()?.userId !== this.userId) return;
    if (isSame(this.state, this.base)) return this.settle();
    this.isSending = true;
    try {
      const isStored = this.state.own === this.base.own ? await this.sendTree() : await this.sendOwn();
      if (!isStored) await this.reconcile();
    } catch (error) {
      this.failed(error);
    } finally {
      this.isSending = false;
    }
    if (this.state.saving === "saving") this.sendSoon(0);
  }

  /** Returns whether it is stored: false if somebody else has changed the estimation since. */
  private async sendOwn(): Promise<boolean> {
    const { own } = this.state;
    const stored = await storeOwn(this.id, changedFields(this.base.own, own), this.etag);
    if (!stored) return false;
    this.base = { tree: this.base.tree, own };
    this.etag = stored.etag;
    this.show({ estimation: stored.estimation, saving: "saving" });
    return true;
  }

  /** As `sendOwn`. What has new things is remembered before it is sent: the answer may never come. */
  private async sendTree(): Promise<boolean> {
    const { tree } = this.state;
    const before = this.unanswered;
    if (hasNew(tree.nodes)) {
      this.unanswered = [...before.filter((sent) => sent !== tree), tree].slice(-UNANSWERED_KEPT);
      this.keep();
    }
    try {
      const stored = await storeTree(this.id, tree, this.etag);
      if (stored) this.take(tree, stored);
      else this.unanswered = before;
      return stored !== undefined;
    } catch (error) {
      if (!isPassing(error)) this.unanswered = before;
      throw error;
    }
  }

  private failed(error: unknown): void {
    if (isPassing(error)) {
      this.show({ saving: "waiting" });
      this.timer = setTimeout(() => void this.send(), RETRY_MS);
    } else this.show({ saving: "refused", notice: failureText(error) });
  }

  /** The server has stored `sent`. */
  private take(sent: Tree, { nodes, etag }: LoadedTree): void {
    this.rename(sent, lastingIds(sent.nodes, nodes));
    this.etag = etag;
    if (isSame(this.state, this.base)) this.settle();
  }

  /** `sent` is what the server has, or had, with these lasting ids of its new things. */
  private rename(sent: Tree, ids: ReadonlyMap<string, string>): void {
    // The same object where nothing changed but ids, so that undo knows its place.
    const renamed = withIds(sent, ids);
    const treeOf = (tree: Tree) => (tree === sent ? renamed : withIds(tree, ids));
    const inContent = ({ tree, own }: Content): Content => ({ tree: treeOf(tree), own });
    const inStep = ({ before, after }: Step): Step => ({ before: inContent(before), after: inContent(after) });
    this.unanswered = [];
    this.foundTree = null;
    this.base = { tree: renamed, own: this.base.own };
    const former = [...ids].map(([from, to]) => [to, from] as const);
    this.show({
      tree: treeOf(this.state.tree),
      past: ids.size > 0 ? this.state.past.map(inStep) : this.state.past,
      future: ids.size > 0 ? this.state.future.map(inStep) : this.state.future,
      renamed: ids.size > 0 ? new Map([...this.state.renamed, ...ids]) : this.state.renamed,
      formerIds: ids.size > 0 ? new Map([...this.state.formerIds, ...former]) : this.state.formerIds,
      saving: "saving",
    });
  }

  private settle(): void {
    this.unanswered = [];
    this.drop();
    const revision = Math.max(revisionOf(this.etag), this.state.estimation.revision);
    if (this.state.saving === "saved" && this.state.estimation.revision === revision) return;
    this.show({ saving: "saved", estimation: { ...this.state.estimation, ...this.state.own, revision } });
  }

  private async reconcile(): Promise<void> {
    const [{ estimation, loaded }] = await Promise.all([loadBoth(this.id), this.loadMerging()]);
    const tree = { nodes: loaded.nodes };
    if (this.foundTree && hasNew(this.foundTree.nodes) && isSameTree(this.foundTree, tree))
      this.rename(this.foundTree, lastingIds(this.foundTree.nodes, tree.nodes));
    else if (this.unanswered.length > 0) {
      const { findStored } = await import("./recognise.ts");
      const found = findStored(this.unanswered, tree, idsOf(this.base.tree.nodes));
      if (found) this.rename(found.sent, found.ids);
    }
    this.mergeWith({ estimation, content: { tree, own: ownOf(estimation) }, etag: loaded.etag }, []);
  }

  private mergeWith(theirs: Theirs, resolutions: readonly Resolution[]): void {
    const from = contentOf(this.state);
    const merged = this.merging?.mergeContents({ base: this.base, into: theirs.content, from }, resolutions);
    if (!merged) return;
    if (!merged.ok) {
      // Choices that no longer fit what was edited since decide nothing.
      if (merged.conflicts.length === 0) {
        this.mergeWith(theirs, []);
        return;
      }
      this.theirs = theirs;
      this.show({ saving: "conflict", conflicts: merged.conflicts });
      return;
    }
    const isOurs = isAlike(theirs.content, this.base) || isAlike(theirs.content, from);
    this.theirs = null;
    this.unanswered = [];
    this.foundTree = null;
    this.base = theirs.content;
    this.etag = theirs.etag;
    const { tree, own } = merged.content;
    this.show({
      estimation: theirs.estimation,
      tree,
      own: isSameOwn(own, this.base.own) ? this.base.own : own,
      conflicts: [],
      saving: "saving",
      notice: isOurs ? this.state.notice : texts.editor.merged,
    });
    this.sendSoon(0);
  }

  /** Looks whether somebody else changed it, while there is nothing of our own to send. */
  async look(): Promise<void> {
    const isBusy = () => this.state.saving !== "saved" || this.isSending;
    if (document.visibilityState === "hidden" || isBusy()) return;
    try {
      const { data, headers } = await api.getEstimation({
        params: { id: this.id },
        headers: { "if-none-match": this.etag },
      });
      const theirs = await loadTree(this.id);
      // Changed again between the two: the next look sees it.
      if (isBusy() || revisionOf(headers.get("etag")) !== revisionOf(theirs.etag)) return;
      const content = { tree: { nodes: theirs.nodes }, own: ownOf(data.estimation) };
      const isUnchanged = isAlike(this.base, content);
      this.etag = theirs.etag;
      if (!isUnchanged) this.base = content;
      const notice = isUnchanged ? this.state.notice : texts.editor.changedByOthers;
      this.show({ ...this.base, estimation: data.estimation, notice });
    } catch (error) {
      // Unreachable: the next look tries again. Not modified is the usual case.
      if (!(error instanceof NotModified) && !isPassing(error)) this.show({ notice: failureText(error) });
    }
  }
}

/** Returns whether both say the same, apart from the ids of new things. */
const isAlike = (one: Content, other: Content): boolean =>
  isSameOwn(one.own, other.own) && isSameTree(one.tree, other.tree);
