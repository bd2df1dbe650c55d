import {
  adopt,
  type Draft,
  dropDraft,
  dropFound,
  findDrafts,
  keepDraft,
  type LeftDraft,
  newDraftKey,
} from "./drafts.ts";
import { alone, pageName } from "./live-pages.ts";

/** The edits of one estimation that this page keeps, and those that it takes over from pages that are closed. */
export class DraftKeeper {
  private readonly userId: string;
  private readonly estimationId: string;
  private readonly key: string;
  /** The draft that was taken over; null once it is stored under the key of this page. */
  private found: LeftDraft | null;
  /** Other drafts that were left: taken over one by one, each once the previous one is saved. */
  private left: readonly LeftDraft[];

  /** Takes over the oldest draft. `live` are the other open pages; null if they are not known. */
  constructor(userId: string, estimationId: string, live: ReadonlySet<string> | null) {
    this.userId = userId;
    this.estimationId = estimationId;
    this.key = this.newKey();
    const [found = null, ...left] = findDrafts(userId, estimationId, live);
    this.found = found && adopt(found, this.newKey());
    // With `live` they are looked up later, when they are needed.
    this.left = live ? [] : left;
  }

  private newKey(): string {
    return newDraftKey(this.userId, this.estimationId);
  }

  /** What was taken over, until it is kept as this page's own. */
  taken(): Draft | null {
    return this.found?.draft ?? null;
  }

  keep(draft: Draft): void {
    if (keepDraft(this.key, draft)) this.dropFound();
  }

  drop(): void {
    dropDraft(this.key);
    this.dropFound();
  }

  private dropFound(): void {
    if (this.found) dropFound(this.found);
    this.found = null;
  }

  /** Returns the next draft of a page that is closed by now; it is to be taken over with `take`. */
  async next(): Promise<LeftDraft | undefined> {
    if (this.left.length === 0) {
      const adopted = await alone((live) => {
        const [found] = findDrafts(this.userId, this.estimationId, new Set([...live, pageName]));
        return found && adopt(found, this.newKey());
      });
      if (adopted) this.left = [...this.left, adopted];
    }
    return this.left[0];
  }

  /** Takes over what `next` returned; false if that has happened already. */
  take(left: LeftDraft): boolean {
    if (this.left[0] !== left) return false;
    this.left = this.left.slice(1);
    this.found = left;
    return true;
  }
}
