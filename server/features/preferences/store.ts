import { eq } from "drizzle-orm";
import type { Preferences } from "../../../contract/endpoints/preferences.ts";
import type { Queryable } from "../../db/database.ts";
import { preferences } from "./tables.ts";

type Chosen = Partial<Preferences>;

/** Returns what a user has chosen. */
export async function findPreferences(db: Queryable, userId: string): Promise<Chosen> {
  const [row] = await db.select().from(preferences).where(eq(preferences.userId, userId));
  return row?.chosen ?? {};
}

/** Changes what a user has chosen, and returns all of it. Changes at the same time take turns. */
export async function changePreferences(tx: Queryable, userId: string, changes: Chosen): Promise<Chosen> {
  await tx.insert(preferences).values({ userId, chosen: {} }).onConflictDoNothing();
  const [row] = await tx.select().from(preferences).where(eq(preferences.userId, userId)).for("no key update");
  const chosen = { ...row?.chosen, ...changes };
  await tx.update(preferences).set({ chosen }).where(eq(preferences.userId, userId));
  return chosen;
}
