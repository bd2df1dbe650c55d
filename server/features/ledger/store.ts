import { and, eq, inArray, isNotNull, sql } from "drizzle-orm";
import type { Task } from "../../../contract/endpoints/tasks.ts";
import type { Queryable } from "../../db/database.ts";
import { estimationReaders } from "../estimations/index.ts";
import { exportLedger } from "./tables.ts";

/** Tasks whose issue exists or may exist, each with the latest known one. */
export type KnownIssues = ReadonlyMap<string, Task["externalRef"]>;

/**
 * Reads which of these tasks of an estimation have an issue that exists or may exist. Former tasks, of which there may be
 * very many, are not read.
 */
export async function knownIssues(
  db: Queryable,
  estimationId: string,
  taskIds: ReadonlySet<string>,
): Promise<KnownIssues> {
  const rows = await db
    .selectDistinctOn([exportLedger.taskId], {
      taskId: exportLedger.taskId,
      target: exportLedger.target,
      key: exportLedger.key,
      url: exportLedger.url,
      goneAt: exportLedger.goneAt,
    })
    .from(exportLedger)
    .where(
      and(
        eq(exportLedger.estimationId, estimationId),
        inArray(exportLedger.state, ["sending", "unknown", "made", "created"]),
        sql`${exportLedger.taskId} = any(${sql.param([...taskIds])}::text[])`,
      ),
    )
    .orderBy(
      exportLedger.taskId,
      sql`(${isNotNull(exportLedger.key)} and ${exportLedger.goneAt} is null) desc`,
      sql`${exportLedger.touchedAt} desc`,
    );
  return new Map(
    rows.map(({ taskId, target, key, url, goneAt }) => [
      taskId,
      key === null || url === null || goneAt !== null ? null : { target, key, url },
    ]),
  );
}

/** Counts the remembered issues of an estimation, up to `most`. */
export async function countExportedTasks(db: Queryable, estimationId: string, most: number): Promise<number> {
  const some = db
    .select({ one: sql<number>`1`.as("one") })
    .from(exportLedger)
    .where(eq(exportLedger.estimationId, estimationId))
    .limit(most)
    .as("some");
  return db.$count(some);
}

/** Counts the remembered issues of all estimations of an owner, those in the trash included, up to `most`. */
export async function countExportedTasksOf(db: Queryable, ownerId: string, most: number): Promise<number> {
  const some = db
    .select({ one: sql<number>`1`.as("one") })
    .from(estimationReaders)
    .innerJoin(exportLedger, eq(exportLedger.estimationId, estimationReaders.estimationId))
    .where(and(eq(estimationReaders.holderId, ownerId), estimationReaders.owns))
    .limit(most)
    .as("some");
  return db.$count(some);
}
