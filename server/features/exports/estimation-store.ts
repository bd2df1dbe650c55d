import { eq } from "drizzle-orm";
import type { Queryable } from "../../db/database.ts";
import { estimations } from "../estimations/index.ts";

/** Reads the title of an estimation. */
export async function estimationTitle(db: Queryable, id: string): Promise<string> {
  const [row] = await db.select({ title: estimations.title }).from(estimations).where(eq(estimations.id, id));
  return row?.title ?? "";
}
