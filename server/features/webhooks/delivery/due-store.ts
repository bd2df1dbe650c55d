import { sql } from "drizzle-orm";
import type { Queryable } from "../../../db/database.ts";
import { COUNTED, type Due } from "../../../jobs/job-store.ts";
import { webhookDeliveries } from "../tables.ts";

/** Counts the deliveries that are due and not under way, `COUNTED` at most; null: there are none. */
export async function countDueDeliveries(db: Queryable): Promise<Omit<Due, "kind"> | null> {
  const { rows } = await db.execute<Omit<Due, "kind"> & Record<string, unknown>>(sql`
    select count(*)::int as count, extract(epoch from now() - min(due_at))::float8 as "ageSeconds"
    from (
      select due_at from ${webhookDeliveries}
      where due_at is not null and due_at <= now() and (lease is null or leased_until <= now()) limit ${COUNTED}
    ) as due
    having count(*) > 0`);
  return rows[0] ?? null;
}
