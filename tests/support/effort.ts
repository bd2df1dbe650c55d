import { createHook } from "node:async_hooks";
import pg from "pg";
import { vi } from "vitest";

/** What a piece of work cost, in counts instead of times, so that it is the same on every machine. */
export interface Effort {
  /** Passwords hashed. */
  readonly hashes: number;
  /**
   * Texts of the SQL statements that were sent to the database, in order, but for notifications and the counts of requests: they are
   * sent beside the work, a few at a time, and so sooner or later than it ends.
   */
  readonly statements: readonly string[];
}

const BESIDE = /^select pg_notify|^\s*insert into "request_counts"/;

/** Runs `work` and returns how many passwords this process hashed during it, and which statements it sent to `database`. */
export async function effortOf(database: string | undefined, work: () => Promise<unknown>): Promise<Effort> {
  let hashes = 0;
  const hook = createHook({
    init(_, type) {
      if (type === "ARGON2REQUEST") hashes += 1;
    },
  });
  const statements: string[] = [];
  const query = vi.spyOn(pg.Client.prototype, "query");
  hook.enable();
  try {
    await work();
    for (const [at, [given]] of (query.mock.calls as unknown[][]).entries()) {
      if ((query.mock.contexts[at] as pg.Client).database !== database) continue;
      const text = typeof given === "string" ? given : (given as { text: string }).text;
      if (!BESIDE.test(text)) statements.push(text);
    }
  } finally {
    hook.disable();
    query.mockRestore();
  }
  return { hashes, statements };
}
