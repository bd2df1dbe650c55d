import { ApiError, NotModified } from "../../../../contract/client-of.ts";
import type { Estimation } from "../../../../contract/estimations.ts";
import type { Resolution } from "../../../../domain/merge/shape.ts";
import { idsOf, type Tree } from "../../../../domain/tree/shape.ts";
import { failureText, faultOf, isPassing, isRefusal, NotSaved, responseOf } from "../../api/failure.ts";
import { faultText } from "../../api/fault-texts.ts";
import { currentSession } from "../../api/session.ts";
import { stateTexts } from "../states/texts.ts";
import { type Content, changedFields, isAlike, isSame, isSameOwn, ownOf, sharing } from "./content.ts";
import { DraftKeeper } from "./draft-keeper.ts";
import { draftOf, type LoadedTree } from "./drafts.ts";
import { contentOf, EditedContent } from "./edited-content.ts";
import { lineAt } from "./line-at.ts";
import { isOwnSince, tellSave } from "./own-saves.ts";
import { isLimited, pauseAfter } from "./pause.ts";
import { renameIn } from "./rename-in.ts";
import { loadBoth, loadEstimation, loadTree, ofOneRevision, revisionOf, storeOwn, storeTree } from "./requests.ts";
import { treeTexts } from "./texts.ts";
import { hasNew, isSameTree, lastingIds, withIds } from "./tree-ids.ts";

/** What somebody else has changed it to. */
interface Theirs {
  readonly estimation: Estimation;
  readonly content: Content;
  readonly etag: string;
}

const PAUSE_MS = 250;
const LOOK_MS = 10_000;
/** Trees without a response that are remembered; each is tried again with all that was edited since. */
const UNANSWERED_KEPT = 5;

/**
 * An estimation while it is edited: every edit is kept in this browser until the server has it, and is sent with
 * `If-Match`, the tree as a whole. What somebody else changed meanwhile is merged, by the rules of versions.
 */
export class TreeSync extends EditedContent {
  private etag: string;
  private readonly id: string;
  /** The user who edits. Another one may sign in while this waits for a connection. */
  private readonly userId: string;
  private readonly drafts: DraftKeeper;
  /** The tree of the draft that was taken over: another tab may save it, too. */
  private foundTree: Tree | null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isSending = false;
  /** Trees with new things that were sent without getting a response: the server may have stored one of them. */
  private unanswered: readonly Tree[] = [];
  /** How often sending failed since it last succeeded. */
  private failures = 0;
  /** Before this time, in milliseconds, requests would be refused as too many. */
  private notBefore = 0;
  /** Whether it may not be seen any more. */
  private isGone = false;

  /** `live` are the other open pages, which send their own drafts. */
  constructor(estimation: Estimation, loaded: LoadedTree, live: ReadonlySet<string> | null) {
    const userId = currentSession()?.userId ?? "";
    const drafts = new DraftKeeper(userId, estimation.id, live);
    const draft = drafts.taken();
    const { nodes, etag } = draft?.base ?? ofOneRevision(estimation, loaded);
    const base = { tree: { nodes }, own: draft?.baseOwn ?? ownOf(estimation) };
    super(base, {
      estimation,
      stored: base,
      tree: draft?.tree ?? base.tree,
      own: draft && !isSameOwn(draft.own, base.own) ? draft.own : base.own,
      past: [],
      future: [],
      saving: draft ? "waiting" : "saved",
      notice: null,
      refusedAt: null,
      conflicts: [],
      renamed: new Map(),
      formerIds: new Map(),
    });
    this.id = estimation.id;
    this.userId = userId;
    this.drafts = drafts;
    this.foundTree = draft?.tree ?? null;
    this.etag = etag;
    this.unanswered = draft?.unanswered ?? [];
  }

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
        else reject(new NotSaved(stateTexts.notSaved));
      };
      const stop = this.subscribe(judge);
      judge();
    });
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

  private keep(): void {
    this.drafts.keep(draftOf(this.base, this.etag, this.state, this.unanswered));
  }

  protected sendSoon(afterMs = PAUSE_MS): void {
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
    this.tellSave();
    this.show({ estimation: stored.estimation, saving: "saving" });
    return true;
  }

  /** As `sendOwn`. A tree with new things is remembered before it is sent, because the response may never come. */
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

  private tellSave(): void {
    tellSave(this.userId, this.id, revisionOf(this.etag));
  }

  /** Whether the reader made every change up to this revision, in another tab. */
  private isOwn(etag: string): boolean {
    return isOwnSince(this.userId, this.id, revisionOf(this.etag), revisionOf(etag));
  }

  private failed(error: unknown): void {
    this.failures += 1;
    const pause = pauseAfter(error, this.failures);
    if (pause === null) {
      const fault = faultOf(error);
      const line = fault && lineAt(this.state.tree, fault.path);
      const notice = line ? treeTexts.editor.refusedLine(line.title, faultText(fault)) : failureText(error);
      this.show({ saving: "refused", notice, refusedAt: line?.id ?? null });
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
    this.tellSave();
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
      const [{ findStored }] = await Promise.all([responseOf(import("./recognise.ts")), this.loadMerging()]);
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
      const { findStored } = await responseOf(import("./recognise.ts"));
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
    const isSilent = isOurs || (resolutions.length === 0 && this.isOwn(theirs.etag));
    this.unanswered = [];
    this.foundTree = null;
    this.base = theirs.content;
    this.etag = theirs.etag;
    this.show({
      estimation: theirs.estimation,
      ...sharing(merged.content, this.base),
      conflicts: [],
      saving: "saving",
      notice: isSilent ? this.state.notice : this.mergedText(resolutions),
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
      const isSilent = isUnchanged || this.isOwn(theirs.etag);
      this.etag = theirs.etag;
      if (!isUnchanged) {
        this.base = content;
        this.others += 1;
      }
      const notice = isSilent ? this.state.notice : treeTexts.editor.changedByOthers;
      this.show({ ...this.base, estimation, notice });
    } catch (error) {
      // Unreachable: the next check tries again. Not modified is the usual case.
      if (error instanceof NotModified || isPassing(error)) return;
      this.isGone = isRefusal(error, "not_found");
      this.show({ notice: failureText(error) });
    }
  }
}
