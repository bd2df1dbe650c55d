import { type SQL, sql } from "drizzle-orm";
import type { Queryable } from "../db/database.ts";
import { aboutPerson } from "./person-export-store.ts";
import { ASKED_IN_ROUNDS, personTables } from "./person-tables.ts";

/** Name of an account that was erased, wherever something that the person did is shown. */
export const ERASED_NAME = "Deleted user";

/** The person to erase. */
export interface Person {
  readonly id: string;
  readonly email: string;
  readonly name: string;
}

/** Locks all estimations that a person has something to do with, deleted ones too, in the order of their ids. */
export async function lockEstimationsOf(
  tx: Queryable,
  userId: string,
): Promise<{ readonly id: string; readonly owns: boolean; readonly isDeleted: boolean }[]> {
  const { rows } = await tx.execute<{ id: string; owns: boolean; isDeleted: boolean }>(sql`
    select id, owner_id = ${userId} as owns, deleted_at is not null as "isDeleted" from estimations
    where id in (
      select estimation_id from estimation_readers where holder_id = ${userId}
      union select estimation_id from reviews where reviewer_id = ${userId})
    order by id for update`);
  return rows;
}

/** Removes the shares that the person accepted, and invitations of the address. Returns the estimations of both. */
export async function removeSharesOf(
  tx: Queryable,
  { id, email }: Person,
): Promise<{ readonly accepted: string[]; readonly invitations: number }> {
  const { rows } = await tx.execute<{ estimationId: string; isAccepted: boolean }>(sql`
    delete from shares where user_id = ${id} or email = ${email}
    returning estimation_id as "estimationId", user_id = ${id} as "isAccepted"`);
  const accepted = rows.filter(({ isAccepted }) => isAccepted).map(({ estimationId }) => estimationId);
  return { accepted, invitations: rows.length - accepted.length };
}

/** Removes the invitations to teams that the address has. */
export async function removeTeamInvitationsOf(tx: Queryable, { email }: Person): Promise<void> {
  await tx.execute(sql`delete from team_invitations where email = ${email}`);
}

/** Returns the reviews that a person is still to decide. */
export async function listPendingReviews(
  tx: Queryable,
  reviewerId: string,
): Promise<{ readonly id: string; readonly estimationId: string; readonly reviewerId: string }[]> {
  const { rows } = await tx.execute<{ id: string; estimationId: string; reviewerId: string }>(sql`
    select id, estimation_id as "estimationId", reviewer_id as "reviewerId" from reviews
    where reviewer_id = ${reviewerId} and status = 'pending' order by id`);
  return rows;
}

/** Gives the templates of a person to somebody else, or removes them; returns how many there were. */
export async function handOverTemplates(tx: Queryable, ownerId: string, toId: string | undefined): Promise<number> {
  const done =
    toId === undefined
      ? sql`delete from templates where owner_id = ${ownerId}`
      : sql`update templates set owner_id = ${toId} where owner_id = ${ownerId}`;
  return (await tx.execute(done)).rowCount ?? 0;
}

/** Removes the rows of every table whose rows about a person just go; returns how many of each. */
export async function removeRowsOf(tx: Queryable, { id, email }: Person): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {};
  for (const [name, { where, erasing }] of Object.entries(personTables)) {
    if (erasing !== "remove") continue;
    const removed = await tx.execute(sql`delete from ${sql.identifier(name)} where ${aboutPerson(where, id, email)}`);
    counts[name] = removed.rowCount ?? 0;
  }
  return counts;
}

/** Removes a person from rounds, with what the person said in those that are open: before the shares by which they are found. */
export async function removeFromRounds(tx: Queryable, { id, email }: Person): Promise<void> {
  await tx.execute(sql`delete from round_participants where ${aboutPerson(ASKED_IN_ROUNDS, id, email)}`);
}

/** Takes an address, with the name and the client address beside it, from what was said on pages for clients. */
export async function clearClientAnswers(tx: Queryable, { email }: Pick<Person, "email">): Promise<void> {
  await tx.execute(sql`update client_answers set name = ${ERASED_NAME}, email = '', ip = '' where email = ${email}`);
}

/** Removes from the audit log where a person was. */
export async function clearAuditLog(tx: Queryable, userId: string): Promise<void> {
  await tx.execute(
    sql`update audit_events set ip = null, user_agent = null where user_id = ${userId} or actor_id = ${userId}`,
  );
}

const EVENTS_AT_ONCE = 500;

/**
 * Replaces name and address in the events about a person that wait in the logs of webhooks, where whole values of the JSON
 * equal them; the ids stay.
 */
export async function clearEvents(tx: Queryable, person: Person): Promise<void> {
  const tables = [
    ["webhook_events", "data"],
    ["webhook_deliveries", "body"],
  ] as const;
  for (const [table, column] of tables) {
    const [name, value] = [sql.identifier(table), sql.identifier(column)];
    const mentions = sql.join(
      [person.id, person.email].map((word) => sql`strpos(${value}, ${word}) > 0`),
      sql` or `,
    );
    let last: string | undefined;
    do {
      const later: SQL = last === undefined ? sql`true` : sql`id > ${last}`;
      const { rows }: { rows: { id: string; text: string }[] } = await tx.execute(sql`
        select id::text as id, ${value} as text from ${name} where (${mentions}) and ${later}
        order by ${name}.id limit ${EVENTS_AT_ONCE}`);
      for (const { id, text } of rows) {
        const cleared = clearText(text, person);
        if (cleared !== text) await tx.execute(sql`update ${name} set ${value} = ${cleared} where id = ${id}`);
      }
      last = rows.at(-1)?.id;
    } while (last !== undefined);
  }
}

/** Fields of events that hold a person's name. Elsewhere the same text is another: a tag, a state, a title. */
const NAME_FIELD = /^(owner|reviewer|sharer|opener)Name$/;

/** Returns the JSON without name and address of a person; its other bytes stay as they are where there is neither. */
export function clearText(text: string, { email, name }: Pick<Person, "email" | "name">): string {
  let isFound = false;
  const cleared = JSON.stringify(JSON.parse(text), (key, value) => {
    if (value !== email && !(value === name && NAME_FIELD.test(key))) return value;
    isFound = true;
    return ERASED_NAME;
  });
  return isFound ? cleared : text;
}

/**
 * Leaves an account that says nothing about the person, for what they did that others need. What it has for an address is
 * none, so that nobody can have registered it before, and no mail is sent there.
 */
export async function leaveEmptyAccount(tx: Queryable, id: string): Promise<void> {
  await tx.execute(sql`
    update users set email = ${`erased ${id}`}, name = ${ERASED_NAME}, avatar_url = null, password_hash = null,
      password_proved = false, token_version = token_version + 1, email_verified_at = null, proved_by_reset_at = null,
      last_sign_in_at = null, is_administrator = false, disabled_at = null, stands_for = 'erased'
    where id = ${id}`);
}
