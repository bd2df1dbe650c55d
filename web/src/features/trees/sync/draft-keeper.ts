import {
  adopt,
  type Draft,
  dropDraft,
  dropFound,
  findDrafts,
  keepDraft,
  keepDraftNow,
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
  private found: LeftDraft | null = null;
  /** Other drafts that were left: taken over one by one, each once the previous one is saved. */
  private left: readonly LeftDraft[] = [];

  private constructor(userId: string, estimationId: string) {
    this.userId = userId;
    this.estimationId = estimationId;
    this.key = this.newKey();
  }

  /** Takes over the oldest draft. */
  static async open(userId: string, estimationId: string): Promise<DraftKeeper> {
    const keeper = new DraftKeeper(userId, estimationId);
    const isShared = "locks" in navigator;
    const take = async (live: ReadonlySet<string> | null) => {
      const [found, ...left] = await findDrafts(userId, estimationId, live);
      keeper.found = found ? await adopt(found, keeper.newKey()) : null;
      // Where other pages are known they are looked up later, when they are needed.
      keeper.left = live ? [] : left;
    };
    await (isShared ? alone(take) : take(null));
    return keeper;
  }

  private newKey(): string {
    return newDraftKey(this.userId, this.estimationId);
  }

  /** What was taken over, until it is stored as this page's own. */
  taken(): Draft | null {
    return this.found?.draft ?? null;
  }

  keep(draft: Draft): void {
    const { found } = this;
    void keepDraft(this.key, draft).then(
      (isKept) => isKept && found !== null && found === this.found && this.dropFound(),
    );
  }

  /** Keeps it while the page is left, when there is no time for more. */
  keepNow(draft: Draft): void {
    keepDraftNow(this.key, draft);
  }

  drop(): void {
    dropDraft(this.key);
    this.dropFound();
  }

  private dropFound(): void {
    if (this.found) void dropFound(this.found);
    this.found = null;
  }

  /** Returns the next draft of a page that is closed by now; it is to be taken over with `take`. */
  async next(): Promise<LeftDraft | undefined> {
    if (this.left.length === 0) {
      const adopted = await alone(async (live) => {
        const [found] = await findDrafts(this.userId, this.estimationId, new Set([...live, pageName]));
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
