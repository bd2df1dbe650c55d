import { ApiError, NotModified } from "../../../../contract/client-of.ts";
import type { Estimation } from "../../../../contract/estimations.ts";
import type { Conflict, Resolution } from "../../../../domain/merge/shape.ts";
import type { Outcome } from "../../../../domain/tree/outcome.ts";
import { idsOf, type Tree } from "../../../../domain/tree/shape.ts";
import { answerOf, failureText, isPassing, isRefusal, NotSaved } from "../../api/failure.ts";
import { currentSession } from "../../api/session.ts";
import { texts } from "../../texts.ts";
import { type Content, changedFields, isAlike, isSame, isSameOwn, type Own, ownOf, sharing } from "./content.ts";
import { DraftKeeper } from "./draft-keeper.ts";
import { draftOf, type LoadedTree } from "./drafts.ts";
import type { EditorState, Held } from "./editor-state.ts";
import { isLimited, pauseAfter } from "./pause.ts";
import { renameIn } from "./rename-in.ts";
import { loadBoth, loadEstimation, loadTree, ofOneRevision, revisionOf, storeOwn, storeTree } from "./requests.ts";
import { hasNew, isSameTree, lastingIds, withIds } from "./tree-ids.ts";

/** What somebody else has changed it to. */
interface Theirs {
  readonly estimation: Estimation;
  readonly content: Content;
  readonly etag: string;
}

const PAUSE_MS = 250;
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
  /** The user who edits. Another one may sign in while this waits for a connection. */
  private readonly userId = currentSession()?.userId ?? "";
  private readonly drafts: DraftKeeper;
  /** The tree of the draft that was taken over: another tab may save it, too. */
  private foundTree: Tree | null;
  private readonly listeners = new Set<() => void>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isSending = false;
  /** Trees with new things that were sent without getting an answer: the server may have stored one of them. */
  private unanswered: readonly Tree[] = [];
  /** Goes on with what the reader has to decide, once it is decided. */
  private question: ((resolutions: readonly Resolution[]) => void) | null = null;
  /** How often changes of others were merged. */
  private others = 0;
  /** How often sending failed since it last succeeded. */
  private failures = 0;
  /** Before this time, in milliseconds, requests would be refused as too many. */
  private notBefore = 0;
  /** Whether it may not be seen any more. */
  private isGone = false;
  private merging: typeof import("./merge-contents.ts") | null = null;
  private changed: (estimation: Estimation) => void = () => {};

  /** `live` are the other open pages, which send their own drafts. */
  constructor(estimation: Estimation, loaded: LoadedTree, live: ReadonlySet<string> | null) {
    this.id = estimation.id;
    this.drafts = new DraftKeeper(this.userId, estimation.id, live);
    const draft = this.drafts.taken();
    this.foundTree = draft?.tree ?? null;
    const { nodes, etag } = draft?.base ?? ofOneRevision(estimation, loaded);
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

  /**
   * Begins to send and to look for changes of others, and calls `changed` with the estimation; returns a function that
   * stops it.
   */
  start(changed: (estimation: Estimation) => void): () => void {
    this.changed = changed;
    const look = setInterval(() => this.isGone || void this.look(), LOOK_MS);
    const wake = () => this.wake();
    const warn = (event: BeforeUnloadEvent) => {
      if (this.state.saving !== "saved" && this.isSignedIn()) event.preventDefault();
    };
    addEventListener("online", wake);
    addEventListener("focus", wake);
    addEventListener("beforeunload", warn);
    if (!isSame(this.state, this.base)) this.sendSoon(0);
    else if (revisionOf(this.etag) < this.state.estimation.revision) void this.look();
    return () => {
      clearInterval(look);
      removeEventListener("online", wake);
      removeEventListener("focus", wake);
      if (this.timer !== undefined) void this.send();
      // Until it is saved, leaving the application would lose what the browser's storage has no room for.
      const calm = () => {
        if (this.state.saving !== "saved") return;
        removeEventListener("beforeunload", warn);
        this.listeners.delete(calm);
      };
      this.listeners.add(calm);
      calm();
    };
  }

  private isSignedIn(): boolean {
    return currentSession()?.userId === this.userId;
  }

  /** Takes over the estimation as another part of the page has received it, for example after a change of state. */
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

  /** Returns the present content, for an edit that is typed and made later. */
  hold = (): Held => ({ content: contentOf(this.state), others: this.others });

  /** Makes an edit of the tree as it is, or as it was `held`; returns why it is refused, in words, or null. */
  edit(change: (tree: Tree) => Outcome<object>, held?: Held): string | null {
    const from = this.startOf(held);
    const outcome = change(from.tree);
    if (!outcome.ok) {
      const [fault] = outcome.reason === "invalid" ? outcome.faults : [];
      return fault ? texts.editor.refused(fault.message) : texts.failures.unexpected;
    }
    return outcome.tree === from.tree ? null : this.step(from, { tree: outcome.tree, own: from.own });
  }

  /** Changes fields of the estimation itself, as they are, or as they were `held`. */
  set(changes: Partial<Own>, held?: Held): void {
    const from = this.startOf(held);
    const own = { ...from.own, ...changes };
    if (!isSameOwn(own, from.own)) this.say(this.step(from, { tree: from.tree, own }));
  }

  /** Returns the base of an edit: the present content, unless others have changed it since it was `held`. */
  private startOf(held: Held | undefined): Content {
    if (held === undefined || held.others === this.others) return contentOf(this.state);
    return this.withLastingIds(held.content);
  }

  private withLastingIds({ tree, own }: Content): Content {
    return { tree: withIds(tree, this.state.renamed), own };
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
    this.drafts.drop();
    this.show({ ...this.base, past: [], future: [], saving: "saved", notice: null });
    void this.look();
  }

  /** Shows why something was not done. */
  say(notice: string | null): void {
    this.show({ notice });
  }

  /** Decides what both changed, and goes on. */
  resolve(resolutions: readonly Resolution[]): void {
    const goOn = this.question;
    this.question = null;
    goOn?.(resolutions);
  }

  private ask(conflicts: readonly Conflict[], goOn: (resolutions: readonly Resolution[]) => void): void {
    this.question = goOn;
    this.show({ conflicts, saving: "conflict" });
  }

  private show(changes: Partial<EditorState>): void {
    const state = { ...this.state, ...changes, stored: this.base };
    this.state = state.conflicts.length > 0 ? { ...state, saving: "conflict" } : state;
    this.tell();
    if (changes.estimation) this.changed(changes.estimation);
  }

  private tell(): void {
    for (const listener of this.listeners) listener();
  }

  /**
   * Makes a change as one gesture, beside what others changed since its beginning, `from`. What both changed is asked. Returns
   * why it cannot be made now, in words, or null.
   */
  private step(from: Content, to: Content, resolutions: readonly Resolution[] = []): string | null {
    const before = contentOf(this.state);
    const isAlone = isSame(before, from);
    // It is loaded: changes of others are merged only after that.
    const merged = isAlone ? null : this.merging?.mergeContents({ base: from, into: before, from: to }, resolutions);
    if (merged === undefined) return texts.failures.unexpected;
    if (merged?.ok === false) {
      if (this.question) return texts.editor.decideFirst;
      // Choices that no longer fit what was edited since decide nothing.
      if (merged.conflicts.length === 0)
        return resolutions.length > 0 ? this.step(from, to) : texts.failures.unexpected;
      this.ask(merged.conflicts, (chosen) => this.step(this.withLastingIds(from), this.withLastingIds(to), chosen));
      return null;
    }
    const after = merged ? sharing(merged.content, this.base) : to;
    const past = [...this.state.past, { before, after }].slice(-STEPS_KEPT);
    // Left by the dialog that asks, a field is stored while the question stays open.
    const conflicts = this.question ? this.state.conflicts : [];
    this.show({ ...after, past, future: [], conflicts, notice: merged ? texts.editor.merged : null });
    this.sendSoon();
    return null;
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
        (error) => this.say(failureText(error)),
      );
      return;
    }
    const { content: after, isWhole } = merging?.changeBy(before, from, to) ?? { content: to, isWhole: true };
    this.show({ ...after, ...steps(before, after), notice: isWhole ? null : texts.editor.keptNewer });
    this.sendSoon();
  }

  /**
   * Merging is seldom needed, and its code is large: it is loaded with the first edit, before the connection can fail.
   */
  private async loadMerging(): Promise<typeof import("./merge-contents.ts")> {
    this.merging ??= await answerOf(import("./merge-contents.ts"));
    return this.merging;
  }

  private keep(): void {
    this.drafts.keep(draftOf(this.base, this.etag, this.state, this.unanswered));
  }

  private sendSoon(afterMs = PAUSE_MS): void {
    this.keep();
    if (!this.merging) this.loadMerging().catch(() => undefined);
    if (this.state.conflicts.length > 0) return;
    if (["saved", "refused", "conflict"].includes(this.state.saving)) this.show({ saving: "saving" });
    this.sendAfter(Math.max(afterMs, this.notBefore - Date.now()));
  }

  private sendAfter(ms: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.send(), ms);
  }

  private async send(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.isSending || this.state.conflicts.length > 0) return;
    if (!this.isSignedIn()) return;
    if (isSame(this.state, this.base)) return this.settle();
    this.isSending = true;
    try {
      const isStored = this.state.own === this.base.own ? await this.sendTree() : await this.sendOwn();
      this.failures = 0;
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

  /** As `sendOwn`. A tree with new things is remembered before it is sent, because the answer may never come. */
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
      // Another failure may come from a proxy, while the service behind it stored the tree.
      if (error instanceof ApiError && !isPassing(error)) this.unanswered = before;
      throw error;
    }
  }

  private failed(error: unknown): void {
    this.failures += 1;
    const pause = pauseAfter(error, this.failures);
    if (pause === null) {
      this.show({ saving: "refused", notice: failureText(error) });
      return;
    }
    if (isLimited(error)) this.notBefore = Date.now() + pause;
    this.show({ saving: isLimited(error) ? "limited" : "waiting" });
    this.sendAfter(pause);
  }

  /** The server has stored `sent`. */
  private take(sent: Tree, { nodes, etag }: LoadedTree): void {
    this.rename(sent, lastingIds(sent.nodes, nodes));
    this.etag = etag;
    if (isSame(this.state, this.base)) this.settle();
  }

  /** `sent` is what the server has, or had, with these permanent ids of its new things. */
  private rename(sent: Tree, ids: ReadonlyMap<string, string>): void {
    const renamed = renameIn(this.state, sent, ids);
    this.unanswered = [];
    this.foundTree = null;
    this.base = { tree: renamed.sent, own: this.base.own };
    this.show({ ...renamed.changes, saving: "saving" });
  }

  private settle(): void {
    this.unanswered = [];
    this.drafts.drop();
    const revision = Math.max(revisionOf(this.etag), this.state.estimation.revision);
    if (this.state.saving === "saved" && this.state.estimation.revision === revision) return;
    this.show({ saving: "saved", estimation: { ...this.state.estimation, ...this.state.own, revision } });
    void this.adopt();
  }

  private isIdle(): boolean {
    return this.state.saving === "saved" && !this.isSending;
  }

  /** Merges the next draft of a closed page into the content. */
  private async adopt(): Promise<void> {
    try {
      const left = await this.drafts.next();
      if (!left) return;
      const [{ findStored }] = await Promise.all([answerOf(import("./recognise.ts")), this.loadMerging()]);
      if (!this.isIdle() || !this.drafts.take(left)) return;
      const { base, tree, baseOwn, own, unanswered } = left.draft;
      const stored = findStored(unanswered, this.base.tree, idsOf(base.nodes));
      const withStored = (each: Tree) => withIds(each, stored?.ids ?? new Map());
      this.unanswered = stored ? [] : unanswered;
      this.say(
        this.step(
          { tree: withStored(stored?.sent ?? { nodes: base.nodes }), own: baseOwn },
          { tree: withStored(tree), own },
        ) ?? this.state.notice,
      );
    } catch {
      // Unreachable: the next check tries again.
    }
  }

  private async reconcile(): Promise<void> {
    const [{ estimation, loaded }] = await Promise.all([loadBoth(this.id), this.loadMerging()]);
    const tree = { nodes: loaded.nodes };
    if (this.foundTree && hasNew(this.foundTree.nodes) && isSameTree(this.foundTree, tree))
      this.rename(this.foundTree, lastingIds(this.foundTree.nodes, tree.nodes));
    else if (this.unanswered.length > 0) {
      const { findStored } = await answerOf(import("./recognise.ts"));
      const found = findStored(this.unanswered, tree, idsOf(this.base.tree.nodes));
      if (found) this.rename(found.sent, found.ids);
    }
    // A question may have come up meanwhile: what is decided then is sent, and refused, again.
    if (this.question === null)
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
      this.ask(merged.conflicts, (chosen) => this.mergeWith(theirs, chosen));
      return;
    }
    const isOurs = isAlike(theirs.content, this.base) || isAlike(theirs.content, from);
    if (!isOurs) this.others += 1;
    this.unanswered = [];
    this.foundTree = null;
    this.base = theirs.content;
    this.etag = theirs.etag;
    this.show({
      estimation: theirs.estimation,
      ...sharing(merged.content, this.base),
      conflicts: [],
      saving: "saving",
      notice: isOurs ? this.state.notice : texts.editor.merged,
    });
    this.sendSoon(0);
  }

  /** Looks whether somebody else changed it, while there is nothing of our own to send. */
  async look(): Promise<void> {
    if (document.visibilityState === "hidden" || !this.isIdle()) return;
    void this.adopt();
    try {
      const { estimation, etag } = await loadEstimation(this.id, this.etag);
      const theirs = await loadTree(this.id);
      const content = { tree: { nodes: theirs.nodes }, own: ownOf(estimation) };
      const isUnchanged = isAlike(this.base, content);
      // With it, what is being typed now is merged with this.
      if (!isUnchanged) await this.loadMerging();
      // Changed again between the two: the next look sees it. Saved meanwhile by ourselves: this is older.
      const revision = revisionOf(theirs.etag);
      if (!this.isIdle() || revisionOf(etag) !== revision || revision < revisionOf(this.etag)) return;
      this.isGone = false;
      this.etag = theirs.etag;
      if (!isUnchanged) {
        this.base = content;
        this.others += 1;
      }
      const notice = isUnchanged ? this.state.notice : texts.editor.changedByOthers;
      this.show({ ...this.base, estimation, notice });
    } catch (error) {
      // Unreachable: the next check tries again. Not modified is the usual case.
      if (error instanceof NotModified || isPassing(error)) return;
      this.isGone = isRefusal(error, "not_found");
      this.show({ notice: failureText(error) });
    }
  }
}
