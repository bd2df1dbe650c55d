import { eq, max, sql } from "drizzle-orm";
import type { Database } from "./db/database.ts";
import { decisionTrees } from "./features/estimations/tables.ts";
import { templates } from "./features/templates/tables.ts";
import { versionSnapshots } from "./features/versions/tables.ts";

/** Returns what asks how many bytes the largest content of an estimation or a template has; 0 for any other id. */
export function contentMeasure(pool: Database): (id: string) => Promise<number> {
  const id = sql.placeholder("id");
  const statement = pool
    .select({
      bytes: sql<number>`greatest(0,
        ${pool.select({ bytes: decisionTrees.bytes }).from(decisionTrees).where(eq(decisionTrees.estimationId, id))},
        ${pool
          .select({ bytes: max(versionSnapshots.bytes) })
          .from(versionSnapshots)
          .where(eq(versionSnapshots.estimationId, id))},
        ${pool.select({ bytes: templates.bytes }).from(templates).where(eq(templates.id, id))})`,
    })
    .from(sql`(values (1)) one`)
    .prepare("content_bytes");
  // Anything may stand in a path, and the database refuses a NUL.
  return async (of) => (/^\w+$/.test(of) ? ((await statement.execute({ id: of }))[0]?.bytes ?? 0) : 0);
}
