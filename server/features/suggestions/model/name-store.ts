import { sql } from "drizzle-orm";
import type { Queryable } from "../../../db/database.ts";
import { users } from "../../auth/index.ts";
import { estimationReaders, estimations } from "../../estimations/index.ts";
import { tasksTable } from "../../tasks/index.ts";

/**
 * Returns the names of people that texts of an estimation and of these tasks may hold: of everybody who may read one of
 * them, and of their clients.
 */
export async function namesToHide(db: Queryable, estimationId: string, taskIds: readonly string[]): Promise<string[]> {
  const { rows } = await db.execute<{ name: string }>(sql`
    with asked as (
      select ${estimationId} as id
      union select estimation_id from ${tasksTable} where id = any(${sql.param([...taskIds])}::text[]))
    select ${users.name} from asked
      join ${estimationReaders} on ${estimationReaders.estimationId} = asked.id
      join ${users} on ${users.id} = ${estimationReaders.userId}
    union select ${estimations.clientName} from asked join ${estimations} on ${estimations.id} = asked.id
      where ${estimations.clientName} is not null`);
  return rows.map(({ name }) => name);
}
