import type { Estimation } from "../../../../contract/endpoints/estimations.ts";
import type { Conflict, Resolution } from "../../../../domain/merge/shape.ts";
import { findNode, findOption } from "../../../../domain/tree/edit/locate.ts";
import type { Outcome, Refusal } from "../../../../domain/tree/hours/outcome.ts";
import type { Tree } from "../../../../domain/tree/shape.ts";
import { failureText, responseOf } from "../../api/failure.ts";
import { faultText } from "../../api/fault-texts.ts";
import { failureTexts } from "../../api/texts.ts";
import type { EditorState, Held } from "./editor-state.ts";
import { type Content, isAlike, isSame, isSameOwn, type Own, sharing } from "./sync/content.ts";
import { treeTexts } from "./texts.ts";

type Merging = typeof import("./sync/merge-contents.ts");

const STEPS_MAX = 200;

export const contentOf = ({ tree, own }: Content): Content => ({ tree, own });

/** Returns why an edit is refused, in words. */
function refusalText(refusal: Refusal): string {
  const [fault] = refusal.reason === "invalid" ? refusal.faults : [];
  return fault ? faultText(fault) : failureTexts.unexpected;
}

/**
 * What the editor shows and what is done to it: edits, undo, and questions about what both changed. Every edit shows at
 * once; it is sent by the class that extends this one.
 */
export abstract class EditedContent {
  /** What the server has, as far as is known here. */
  protected base: Content;
  protected state: EditorState;
  protected readonly listeners = new Set<() => void>();
  /** Goes on with what the reader has to decide, once it is decided. */
  protected question: ((resolutions: readonly Resolution[]) => void) | null = null;
  /** How often changes of others were merged. */
  protected others = 0;
  /** After this, by the server's clock, others made what was merged last; null where that is not known. */
  protected since: string | null = null;
  protected merging: Merging | null = null;
  /** The notice with a text that stands nowhere else: no other one replaces it by itself. */
  private unsaved: string | undefined;
  /** Whether changes of others are heard of: then they are marked, and need not be looked for. */
  isFollowed = false;
  protected changed: (estimation: Estimation) => void = () => {};

  constructor(base: Content, state: EditorState) {
    this.base = base;
    this.state = state;
  }

  /** Keeps what was edited, and sends it soon. */
  protected abstract edited(): void;

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  current = (): EditorState => this.state;

  /** Returns the current content, for an edit that is typed and made later. */
  hold = (): Held => ({ content: contentOf(this.state), others: this.others });

  /** Makes an edit of the tree as it is, or as it was `held`; returns why it is refused, in words, or null. */
  edit(change: (tree: Tree) => Outcome<object>, held?: Held): string | null {
    const from = this.startOf(held);
    const outcome = change(from.tree);
    if (!outcome.ok) return refusalText(outcome);
    return outcome.tree === from.tree ? null : this.step(from, { tree: outcome.tree, own: from.own });
  }

  /** Returns why an edit of the tree as it is would be refused, in words, or null. */
  refusalOf(change: (tree: Tree) => Outcome<object>): string | null {
    const outcome = change(this.state.tree);
    return outcome.ok ? null : refusalText(outcome);
  }

  /** Changes fields of the estimation itself, as they are, or as they were `held`. */
  set(changes: Partial<Own>, held?: Held): void {
    const from = this.startOf(held);
    const own = { ...from.own, ...changes };
    if (!isSameOwn(own, from.own)) this.say(this.step(from, { tree: from.tree, own }));
  }

  /** Returns the base of an edit: the current content, unless others have changed it since it was `held`. */
  private startOf(held: Held | undefined): Content {
    return held === undefined || held.others === this.others ? contentOf(this.state) : held.content;
  }

  /** Puts steps from before this page was opened below those that were made on it. */
  recall({ past, future }: Pick<EditorState, "past" | "future">): void {
    const { past: made } = this.state;
    const former = [...past];
    const last = former.at(-1);
    const now = made[0]?.before ?? contentOf(this.state);
    // The same content, though other objects: undo then knows its place.
    if (last && isAlike(last.after, now)) former[former.length - 1] = { ...last, after: now };
    this.show({ past: [...former, ...made].slice(-STEPS_MAX), future: made.length > 0 ? [] : future });
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

  /** Returns what to say about a merge: both edits were kept only where nothing had to be chosen. */
  protected mergedText(resolutions: readonly Resolution[]): string {
    const sides = new Set(resolutions.flatMap((each) => ("side" in each ? [each.side] : [])));
    const [side] = sides;
    const { merged, mergedChosen } = treeTexts.editor;
    return side === undefined ? merged : mergedChosen[sides.size > 1 ? "both" : side];
  }

  /** Takes what the reader did elsewhere since `before` as a step, to be undone like any other. */
  did(before: Content): void {
    const [from, after] = [contentOf(before), contentOf(this.state)];
    if (!isSame(from, after))
      this.show({ past: [...this.state.past, { before: from, after }].slice(-STEPS_MAX), future: [] });
  }

  /** Shows why something was not done. */
  say(notice: string | null): void {
    this.show({ notice });
  }

  /** Whether a line is not in the tree, for example because others have deleted it. */
  lacks(id: string): boolean {
    return !findOption(this.state.tree, id) && !findNode(this.state.tree, id);
  }

  /** Says what was typed into a line and cannot be stored, so that it can be copied, if others have deleted that line. */
  sayUnsaved({ id, title }: { readonly id: string; readonly title: string }, text: string): void {
    if (!this.lacks(id)) return;
    this.unsaved = treeTexts.editor.deletedWhileTyping(title, text);
    this.say(this.unsaved);
  }

  /** Returns what is to be said next: `notice`, unless a text would be lost by it. */
  protected nextNotice(notice: string | null): string | null {
    return this.state.notice === this.unsaved ? this.state.notice : notice;
  }

  /** Decides what both changed, and goes on. */
  resolve(resolutions: readonly Resolution[]): void {
    const goOn = this.question;
    if (goOn === null) return;
    this.question = null;
    this.show({ saving: { at: "waiting" } });
    goOn(resolutions);
  }

  protected ask(
    conflicts: readonly Conflict[],
    goOn: (resolutions: readonly Resolution[]) => void,
    since: string | null,
  ): void {
    this.question = goOn;
    this.show({ saving: { at: "conflicted", conflicts, since } });
  }

  protected show(changes: Partial<EditorState>): void {
    this.state = { ...this.state, ...changes, stored: this.base };
    this.tell();
    if (changes.estimation) this.changed(changes.estimation);
  }

  protected tell(): void {
    for (const listener of this.listeners) listener();
  }

  /**
   * Makes a change as one gesture, beside what others changed since its beginning, `from`. Asks about what both changed. Returns
   * why it cannot be made now, in words, or null.
   */
  protected step(
    from: Content,
    to: Content,
    resolutions: readonly Resolution[] = [],
    since = this.since,
  ): string | null {
    const before = contentOf(this.state);
    const isAlone = isSame(before, from);
    // It is loaded: changes of others are merged only after that.
    const merged = isAlone ? null : this.merging?.mergeContents({ base: from, into: before, from: to }, resolutions);
    if (merged === undefined) return failureTexts.unexpected;
    if (merged?.ok === false) {
      if (this.question) return treeTexts.editor.decideFirst;
      // Choices that no longer fit what was edited since decide nothing.
      if (merged.conflicts.length === 0)
        return resolutions.length > 0 ? this.step(from, to, [], since) : failureTexts.unexpected;
      this.ask(merged.conflicts, (chosen) => this.step(from, to, [...resolutions, ...chosen], since), since);
      return null;
    }
    const after = merged ? sharing(merged.content, this.base) : to;
    const past = [...this.state.past, { before, after }].slice(-STEPS_MAX);
    const isSaid = merged !== null && (resolutions.length > 0 || !this.isFollowed);
    const notice = this.nextNotice(isSaid ? this.mergedText(resolutions) : null);
    this.show({ ...after, past, future: [], notice });
    this.edited();
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
    this.show({ ...after, ...steps(before, after), notice: isWhole ? null : treeTexts.editor.keptNewer });
    this.edited();
  }

  /**
   * Merging is seldom needed, and its code is large: it is loaded with the first edit, before the connection can fail.
   */
  protected async loadMerging(): Promise<Merging> {
    this.merging ??= await responseOf(import("./sync/merge-contents.ts"));
    return this.merging;
  }
}
