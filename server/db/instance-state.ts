import { type SQL, sql } from "drizzle-orm";
import type { Queryable } from "./database.ts";
import { instanceState } from "./tables.ts";

/** SQL: whether nothing may leave the instance, because it was restored from a backup and not resumed yet. */
export const isHeld: SQL<boolean> = sql<boolean>`exists (select from ${instanceState} where held_since is not null)`;

type State = Omit<typeof instanceState.$inferSelect, "isOnly">;

const none: State = { heldSince: null, backedUpAt: null, mailTriedAt: null, mailFault: null, backupTriedAt: null };

/**
 * Returns since when nothing leaves the instance (null: it is not held), when the last backup was made, when the last
 * automatic one ended, and how the last mail did.
 */
export async function readInstanceState(db: Queryable): Promise<State> {
  const [row] = await db.select().from(instanceState);
  return row ?? none;
}

/** Stores what is true of the instance from now on. */
export async function changeInstanceState(db: Queryable, changes: Partial<State>): Promise<void> {
  await db.insert(instanceState).values(changes).onConflictDoUpdate({ target: instanceState.isOnly, set: changes });
}
