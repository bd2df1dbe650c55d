import { ApiError, NotModified } from "../../../../../contract/client/client-of.ts";
import type { Estimation } from "../../../../../contract/endpoints/estimations.ts";
import type { Resolution } from "../../../../../domain/merge/shape.ts";
import type { Tree } from "../../../../../domain/tree/shape.ts";
import { failureText, faultOf, isPassing, isRefusal, NotSaved } from "../../../api/failure.ts";
import { faultText } from "../../../api/fault-texts.ts";
import { stateTexts } from "../../states/texts.ts";
import { contentOf, EditedContent } from "../edited-content.ts";
import type { Known, Service, Surroundings } from "../surroundings.ts";
import { treeTexts } from "../texts.ts";
import { type Content, changedFields, isAlike, isSame, isSameOwn, ownOf, sharing } from "./content.ts";
import { type Draft, draftOf, type LoadedTree } from "./drafts.ts";
import { lineAt } from "./line-at.ts";
import type { NewIds } from "./new-ids.ts";
import { isLimited, pauseAfter } from "./pause.ts";
import { type RefusedCell, refusedIn, withRefused } from "./refused-cells.ts";
import { ofOneRevision, revisionOf } from "./revisions.ts";
import { storedOf } from "./stored-of.ts";

/** What somebody else has changed it to. */
interface Theirs {
  readonly estimation: Estimation;
  readonly content: Content;
  readonly etag: string;
}

const PAUSE_MS = 250;
/** What was sent without a response and is remembered; each is tried again with all that was edited since. */
const UNCONFIRMED_MAX = 5;

/** Returns whether a draft holds something that the server may not have. */
const isEdited = ({ base: { nodes }, baseOwn, tree, own, unconfirmed }: Draft): boolean =>
  unconfirmed.length > 0 || !isAlike({ tree: { nodes }, own: baseOwn }, { tree, own });

/**
 * An estimation while it is edited: every edit is kept in this browser until the server has it, and is sent with
 * `If-Match`, the tree as a whole. What somebody else changed meanwhile is merged, by the rules of versions.
 */
export class TreeSync extends EditedContent {
  /** Ids for what is added. */
  readonly ids: NewIds;
  private etag: string;
  /** When others had last changed what is known here, as the server says; null for a draft of a closed page. */
  private changedAt: string | null;
  private readonly service: Service;
  private readonly around: Surroundings;
  /** Prevents the next request, which waits for its time. */
  private stopTimer = () => {};
  private isSending = false;
  /** What was sent without getting a response: the server may have stored one of them. */
  private unconfirmed: readonly Content[] = [];
  /** How often sending failed since it last succeeded. */
  private failures = 0;
  /** Before this time, in milliseconds, requests would be refused as too many. */
  private notBefore = 0;
  /** Whether it may not be seen any more: then it is not looked at until it is woken. */
  private isGone = false;
  /** Whether the reader lost the right to change it, so that the same revision may be theirs to change again. */
  private isLost = false;
  /**
   * Marks what others changed from one tree to another, in the revisions after `since` up to `last`; returns false where it does
   * not know who they are, so that it is said in words.
   */
  onOthers: ((before: Tree, after: Tree, since: number, last: number) => boolean) | null = null;

  constructor(estimation: Estimation, loaded: LoadedTree, ids: NewIds, service: Service, around: Surroundings) {
    const taken = around.drafts.taken();
    const draft = taken && isEdited(taken) ? taken : null;
    const { nodes, etag } = draft?.base ?? ofOneRevision(estimation, loaded);
    const base = { tree: { nodes }, own: draft?.baseOwn ?? ownOf(estimation) };
    super(base, {
      estimation,
      stored: base,
      tree: draft?.tree ?? base.tree,
      own: draft && !isSameOwn(draft.own, base.own) ? draft.own : base.own,
      past: [],
      future: [],
      saving: { at: draft ? "waiting" : "saved" },
      refused: taken?.refused ?? {},
      isUnseen: false,
      notice: null,
    });
    this.service = service;
    this.around = around;
    this.ids = ids;
    this.etag = etag;
    this.changedAt = draft ? null : estimation.updatedAt;
    // Where it is not known whether its page is closed, that may save it, too.
    this.unconfirmed = draft ? [...draft.unconfirmed, contentOf(draft)] : [];
  }

  /** Sends what was found, or looks for changes of others; again with every call. */
  wake(): void {
    this.isGone = false;
    if (this.hasEdits() || this.state.saving.at !== "saved") this.sendSoon(0);
    else void this.look();
  }

  /** Calls `changed` with the estimation whenever it changes; returns a function that stops it. */
  watch(changed: (estimation: Estimation) => void): () => void {
    this.changed = changed;
    return () => {
      if (this.changed === changed) this.changed = () => {};
    };
  }

  /** The revision of the content that others made, as far as it is known here; `estimation` may be of a newer one. */
  revision(): number {
    return revisionOf(this.etag);
  }

  /** Whether there is something that the server may not have. */
  hasEdits(): boolean {
    return !isSame(this.state, this.base) || this.unconfirmed.length > 0;
  }

  /** Takes over the estimation as another part of the page has received it, for example after a change of state. */
  follow(estimation: Estimation): void {
    if (estimation === this.state.estimation || estimation.revision < this.state.estimation.revision) return;
    this.state = { ...this.state, estimation };
    this.tell();
    // Reopened, it may take what it refused before.
    if (estimation.revision !== revisionOf(this.etag)) this.wake();
  }

  /** Waits until everything is saved, and returns the tag of that revision. Refuses where saving has to wait. */
  savedRevision(): Promise<string> {
    return new Promise((resolve, reject) => {
      const judge = () => {
        const { at } = this.state.saving;
        if (at === "saving" || at === "waiting") return;
        stop();
        if (at === "saved") resolve(this.etag);
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

  /** Keeps what was typed into a cell and cannot be taken, or gives it up with null. */
  refuse = (id: string, column: number, refused: RefusedCell | null): void => {
    this.show({ refused: withRefused(this.state.refused, id, column, refused) });
    if (this.hasEdits()) this.keep();
    else this.keepRefused();
  };

  /** Gives up every edit that the server has not stored. */
  discard(): void {
    this.stopTimer();
    this.unconfirmed = [];
    this.question = null;
    this.around.drafts.drop();
    this.show({ ...this.base, past: [], future: [], saving: { at: "saved" }, refused: {}, notice: null });
    void this.look();
  }

  /** Keeps what the server may not have; done with every edit. */
  private keep(): void {
    if (this.around.isSignedIn()) this.around.drafts.keep(this.draft());
  }

  /** Keeps it once more while the page is left. */
  leave(): void {
    if (this.around.isSignedIn() && (this.hasEdits() || this.hasRefused())) this.around.drafts.keepNow(this.draft());
  }

  private draft(): Draft {
    return draftOf(this.base, this.etag, this.state, this.unconfirmed);
  }

  private hasRefused(): boolean {
    return Object.keys(refusedIn(this.state.refused, this.state.tree)).length > 0;
  }

  /** Once the server has all edits, only what is refused is kept. */
  private keepRefused(): void {
    if (this.hasRefused()) this.keep();
    else this.around.drafts.drop();
  }

  protected edited(): void {
    this.keep();
    const { at } = this.state.saving;
    // What waits for its time takes the edit with it.
    if (at === "saved" || at === "refused" || at === "waiting") this.sendSoon(PAUSE_MS);
  }

  private sendSoon(ms: number): void {
    const { at } = this.state.saving;
    if (at === "conflicted" || at === "saving") return;
    if (at === "saved" || at === "refused") this.show({ saving: { at: "waiting" } });
    this.sendAfter(Math.max(ms, this.notBefore - this.around.now()));
  }

  private sendAfter(ms: number): void {
    this.stopTimer();
    this.stopTimer = this.around.after(ms, () => void this.send());
  }

  private async send(): Promise<void> {
    this.stopTimer();
    if (this.isSending || this.state.saving.at === "conflicted" || !this.around.isSignedIn()) return;
    if (!this.hasEdits()) {
      this.settle();
      return;
    }
    this.isSending = true;
    this.show({ saving: { at: "saving" } });
    // Not with the edit itself, which it would hold up; before it is needed, as there may be no connection then.
    if (!this.merging) this.loadMerging().catch(() => undefined);
    try {
      const isStored = !isSame(this.state, this.base) && (await this.store());
      this.failures = 0;
      if (!isStored) await this.reconcile();
      this.isSending = false;
      this.goOn();
    } catch (error) {
      this.isSending = false;
      this.failed(error);
    }
  }

  /** After a request: whatever was edited meanwhile is next. */
  private goOn(): void {
    const { at } = this.state.saving;
    // A question came up meanwhile, and was decided …
    if (at === "waiting") this.sendAfter(0);
    // … or the edits were discarded, too late for those that were under way.
    else if (at === "saved") this.show(this.base);
    else if (at === "saving" && !this.hasEdits()) this.settle();
    else if (at === "saving") {
      this.keep();
      this.show({ saving: { at: "waiting" } });
      this.sendAfter(0);
    }
  }

  /** Stores fields of the estimation, or else the tree. Returns false if somebody else has changed the estimation since. */
  private async store(): Promise<boolean> {
    const { tree, own } = this.state;
    const isTree = own === this.base.own;
    const sent: Content = isTree ? { tree, own } : { tree: this.base.tree, own };
    const before = this.unconfirmed;
    // The response may never come.
    this.unconfirmed = [...before, sent].slice(-UNCONFIRMED_MAX);
    this.keep();
    try {
      const stored = isTree
        ? await this.service.storeTree(tree, this.etag)
        : await this.service.storeOwn(changedFields(this.base.own, own), this.etag);
      this.unconfirmed = stored ? [] : before;
      if (!stored) return false;
      this.base = sent;
      this.etag = stored.etag;
      this.around.tellSave(revisionOf(stored.etag));
      this.show("estimation" in stored ? { estimation: stored.estimation } : {});
      return true;
    } catch (error) {
      // Another failure may come from a proxy, while the service behind it stored it.
      if (error instanceof ApiError && !isPassing(error)) this.unconfirmed = before;
      throw error;
    }
  }

  private failed(error: unknown): void {
    this.failures += 1;
    this.keep();
    // A question that came up meanwhile goes first; what is decided is sent.
    if (this.state.saving.at === "conflicted") return;
    const pause = pauseAfter(error, this.failures);
    if (pause === null) {
      const isUnseen = isRefusal(error, "not_found");
      if (isUnseen || isRefusal(error, "forbidden")) this.lose(isUnseen);
      const fault = faultOf(error);
      const line = fault && lineAt(this.state.tree, fault.path);
      const reason = line ? treeTexts.editor.refusedLine(line.title, faultText(fault)) : failureText(error);
      this.show({ saving: { at: "refused", reason, lineId: line?.id ?? null } });
      return;
    }
    if (isLimited(error)) this.notBefore = this.around.now() + pause;
    this.show({ saving: { at: isLimited(error) ? "limited" : "offline" } });
    this.sendAfter(pause);
  }

  private settle(): void {
    this.keepRefused();
    const revision = Math.max(revisionOf(this.etag), this.state.estimation.revision);
    if (this.state.saving.at === "saved" && this.state.estimation.revision === revision) return;
    this.show({ saving: { at: "saved" }, estimation: { ...this.state.estimation, ...this.state.own, revision } });
    if (this.isLost) void this.look();
    void this.adopt();
  }

  /** Makes it one that can only be read, until the service says something else. */
  private lose(isUnseen: boolean): void {
    this.isLost = true;
    this.show({ estimation: { ...this.state.estimation, access: "viewer" }, isUnseen });
  }

  private isIdle(): boolean {
    return this.state.saving.at === "saved" && !this.isSending;
  }

  /** Merges the next draft of a closed page into the content. */
  private async adopt(): Promise<void> {
    try {
      const left = await this.around.drafts.next();
      if (!left) return;
      await this.loadMerging();
      if (!this.isIdle() || !this.around.drafts.take(left)) return;
      const { base, tree, baseOwn, own, unconfirmed, refused } = left.draft;
      this.show({ refused: { ...refused, ...this.state.refused } });
      if (!isEdited(left.draft)) {
        this.keepRefused();
        return;
      }
      const ancestor = { tree: { nodes: base.nodes }, own: baseOwn };
      const to = { tree, own };
      const from = storedOf([...unconfirmed, to], ancestor, this.base, this.merging) ?? ancestor;
      // Nobody knows when others made what the closed page had not seen.
      this.say(this.step(from, to, [], null) ?? this.state.notice);
    } catch {
      // Unreachable: the next look tries again.
    }
  }

  private async reconcile(): Promise<void> {
    const [{ estimation, loaded }] = await Promise.all([this.service.loadBoth(), this.loadMerging()]);
    const content = { tree: { nodes: loaded.nodes }, own: ownOf(estimation) };
    if (revisionOf(loaded.etag) !== revisionOf(this.etag))
      this.base = storedOf(this.unconfirmed, this.base, content, this.merging) ?? this.base;
    this.unconfirmed = [];
    // A question may have come up meanwhile: what is decided then is sent, and refused, again.
    if (this.question === null) this.mergeWith({ estimation, content, etag: loaded.etag }, []);
  }

  private mergeWith(theirs: Theirs, resolutions: readonly Resolution[]): void {
    const from = contentOf(this.state);
    const merged = this.merging?.mergeContents({ base: this.base, into: theirs.content, from }, resolutions);
    if (!merged) return;
    if (!merged.ok) {
      // Choices that no longer fit what was edited since decide nothing.
      if (merged.conflicts.length === 0) this.mergeWith(theirs, []);
      else this.ask(merged.conflicts, (chosen) => this.mergeWith(theirs, [...resolutions, ...chosen]), this.changedAt);
      return;
    }
    // Only what others changed is news: the server may have returned what was sent from here.
    const isSilent = isAlike(this.base, theirs.content) || isAlike(merged.content, from);
    this.others += 1;
    const before = this.base.tree;
    this.base = theirs.content;
    const since = this.known();
    this.etag = theirs.etag;
    this.since = this.changedAt;
    this.changedAt = theirs.estimation.updatedAt;
    const content = sharing(merged.content, theirs.content);
    this.show({ ...(isAlike(content, theirs.content) ? theirs.content : content), estimation: theirs.estimation });
    if (resolutions.length > 0) this.say(this.mergedText(resolutions));
    else if (!isSilent) void this.tellChange(before, since, this.mergedText(resolutions));
    this.sendSoon(0);
  }

  private known(): Known {
    return { revision: revisionOf(this.etag), at: this.changedAt ?? this.state.estimation.updatedAt };
  }

  /** Says what others changed since then; nothing of what the reader did elsewhere. */
  private async tellChange(before: Tree, since: Known, text: string): Promise<void> {
    if (this.onOthers?.(before, this.base.tree, since.revision, revisionOf(this.etag))) return;
    const { notice } = this.state;
    const isOwn = await this.around.isOwnSince(since, revisionOf(this.etag));
    // What was said meanwhile is about something newer.
    if (!isOwn && this.state.notice === notice) this.say(this.nextNotice(text));
  }

  /** Looks whether somebody else changed it, while there is nothing of our own to send. */
  async look(): Promise<void> {
    if (!this.around.isVisible() || !this.isIdle() || this.isGone) return;
    void this.adopt();
    try {
      if (!this.isLost) await this.service.loadEstimation(this.etag);
      const { estimation, loaded } = await this.service.loadBoth();
      const content = { tree: { nodes: loaded.nodes }, own: ownOf(estimation) };
      const isUnchanged = isAlike(this.base, content);
      // With it, what is being typed now is merged with this.
      if (!isUnchanged) await this.loadMerging();
      // Saved meanwhile by ourselves: this is older.
      if (!this.isIdle() || this.hasEdits() || revisionOf(loaded.etag) < revisionOf(this.etag)) return;
      const since = this.known();
      const before = this.base.tree;
      this.etag = loaded.etag;
      this.since = this.changedAt;
      this.changedAt = estimation.updatedAt;
      if (!isUnchanged) {
        this.base = content;
        this.others += 1;
      }
      this.isLost = false;
      this.show({ ...this.base, estimation, isUnseen: false });
      if (!isUnchanged) await this.tellChange(before, since, treeTexts.editor.changedByOthers);
    } catch (error) {
      // Unreachable: the next check tries again. Not modified is the usual case.
      if (error instanceof NotModified || isPassing(error)) return;
      this.isGone = isRefusal(error, "not_found");
      if (this.isGone) this.lose(true);
      this.show({ notice: failureText(error) });
    }
  }
}
