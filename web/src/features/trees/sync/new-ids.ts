/** What an id is for: it is part of what the id proves. */
type Kind = "node" | "option";

/** Ids kept ahead, 200 in all; more are fetched once half of a kind is gone. */
const KEPT: Readonly<Record<Kind, number>> = { node: 40, option: 160 };
/** The most that one request gets. */
const MOST = 1_000;

type Fetch = (kind: Kind, count: number) => Promise<readonly string[]>;

/**
 * Permanent ids for what is added to one estimation, fetched ahead, so that a new line has its id at once, also without a
 * connection. They are not kept over a reload, because the page itself cannot be loaded without a connection.
 */
export class NewIds {
  private readonly fetch: Fetch;
  private readonly kept: Record<Kind, string[]> = { node: [], option: [] };
  private readonly underWay = new Map<Kind, Promise<void>>();

  constructor(fetch: Fetch) {
    this.fetch = fetch;
  }

  /** Returns an unused id; null if there is none now. */
  take(kind: Kind): string | null {
    const id = this.kept[kind].shift() ?? null;
    if (this.kept[kind].length < KEPT[kind] / 2) void this.fill(kind);
    return id;
  }

  /** Returns that many unused ids, once they are there; null without a connection. */
  async takeAll(kind: Kind, count: number): Promise<readonly string[] | null> {
    while (this.kept[kind].length < count) {
      if (!(await this.fetchMore(kind, Math.min(MOST, count - this.kept[kind].length)))) return null;
    }
    return this.kept[kind].splice(0, count);
  }

  /** Fetches what is to be kept ahead of both kinds. */
  async start(): Promise<void> {
    await Promise.all((["node", "option"] as const).map((kind) => this.fill(kind)));
  }

  /** Fetches ids unless there are as many as are to be kept ahead. */
  private async fill(kind: Kind): Promise<void> {
    if (this.kept[kind].length < KEPT[kind]) await this.fetchMore(kind, KEPT[kind]);
  }

  /** Fetches `count` more ids, or waits for those that are under way; returns whether any came. */
  private async fetchMore(kind: Kind, count: number): Promise<boolean> {
    const before = this.kept[kind].length;
    const fetched =
      this.underWay.get(kind) ??
      this.fetch(kind, count)
        .then(
          (ids) => void this.kept[kind].push(...ids),
          // Tried again with the next line that is added.
          () => {},
        )
        .finally(() => this.underWay.delete(kind));
    this.underWay.set(kind, fetched);
    await fetched;
    return this.kept[kind].length > before;
  }
}
