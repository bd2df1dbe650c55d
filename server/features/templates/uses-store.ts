import { and, desc, eq, isNull, sql } from "drizzle-orm";
import { USES_SEARCHED, USES_SHOWN } from "../../../contract/endpoints/templates.ts";
import type { Queryable } from "../../db/database.ts";
import { estimationReaders, estimations, isReader } from "../estimations/index.ts";
import { templates, templateUses } from "./tables.ts";

/**
 * Remembers that a template was added to a locked estimation, unless the template was deleted meanwhile. Only as many uses are
 * kept as a list searches, so that a template that many use can still be deleted at once.
 */
export async function noteUse(tx: Queryable, use: typeof templateUses.$inferInsert): Promise<void> {
  await tx.execute(sql`
    insert into ${templateUses} (template_id, estimation_id, applied_at)
    select id, ${use.estimationId}, ${use.appliedAt.toISOString()}::timestamptz
    from ${templates} where id = ${use.templateId} for key share
    on conflict (template_id, estimation_id) do update set applied_at = excluded.applied_at`);
  await tx.execute(sql`
    delete from ${templateUses} where (template_id, estimation_id) in (
      select template_id, estimation_id from ${templateUses} where template_id = ${use.templateId}
      order by applied_at desc, estimation_id desc offset ${USES_SEARCHED} for update skip locked)`);
}

/** Returns the estimations that a template was added to last, of those that a user may read. */
export function listUses(
  db: Queryable,
  templateId: string,
  userId: string,
): Promise<{ readonly id: string; readonly title: string; readonly appliedAt: Date }[]> {
  const latest = db
    .select({ estimationId: templateUses.estimationId, appliedAt: templateUses.appliedAt })
    .from(templateUses)
    .where(eq(templateUses.templateId, templateId))
    .orderBy(desc(templateUses.appliedAt), desc(templateUses.estimationId))
    .limit(USES_SEARCHED)
    .as("latest");
  const isReadable = sql`exists (select from ${estimationReaders}
    where ${eq(estimationReaders.estimationId, estimations.id)} and ${isReader(userId)})`;
  return db
    .select({ id: estimations.id, title: estimations.title, appliedAt: latest.appliedAt })
    .from(latest)
    .innerJoin(estimations, eq(estimations.id, latest.estimationId))
    .where(and(isNull(estimations.deletedAt), isReadable))
    .orderBy(desc(latest.appliedAt), desc(latest.estimationId))
    .limit(USES_SHOWN);
}
