import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { and, eq, isNotNull, sql } from "drizzle-orm";
import type { Queryable } from "./database.ts";
import { secretMarks } from "./tables.ts";

/** A secret of the instance, and the one that it replaces, if that may still be needed. */
export interface Secret {
  readonly key: Uint8Array;
  readonly former: Uint8Array | null;
}

/** Secrets by the name of their setting. */
export type Secrets = Readonly<Record<string, Secret>>;

/** What is wrong with a secret: neither it nor the former one is in use, or the former one is still needed and missing. */
export type SecretFault = "foreign" | "former missing";

/** Returns what is stored of a secret, to recognise it: it reveals nothing about the secret. */
export const markOf = (name: string, secret: Uint8Array): Buffer =>
  createHmac("sha256", secret).update(`estimation-service: the mark of ${name}`).digest();

/** Returns all values of a secret that are valid for reading, the newest first. */
export const valuesOf = ({ key, former }: Secret): Uint8Array[] => (former === null ? [key] : [key, former]);

const isAmong = (mark: Uint8Array, name: string, secret: Secret): Uint8Array | undefined =>
  valuesOf(secret).find((value) => timingSafeEqual(markOf(name, value), mark));

/**
 * Returns what is wrong with each secret, compared with what the database has been used with. At the first use of a name
 * its mark is stored; if processes start together, the first one's counts.
 */
export async function findFaultySecrets(
  db: Queryable,
  secrets: Secrets,
  now: Date,
): Promise<Readonly<Record<string, SecretFault>>> {
  await db.insert(secretMarks).values(rowsOf(secrets, now)).onConflictDoNothing();
  const stored = new Map((await db.select().from(secretMarks)).map((row) => [row.name, row]));
  const faults = Object.entries(secrets).flatMap(([name, secret]): [string, SecretFault][] => {
    const row = stored.get(name);
    if (row === undefined || isAmong(row.mark, name, secret) === undefined) return [[name, "foreign"]];
    const isComplete = row.formerMark === null || isAmong(row.formerMark, name, secret) !== undefined;
    return isComplete ? [] : [[name, "former missing"]];
  });
  return Object.fromEntries(faults);
}

/**
 * Returns the value of a secret that is in use: what is written now is signed or encrypted with it, so that every process
 * can read it. With `holding`, a change of it waits for the transaction `db`.
 * @throws Error if it was changed to a value that this process does not have.
 */
export async function readValueInUse(
  db: Queryable,
  name: string,
  secret: Secret,
  { holding = false } = {},
): Promise<Uint8Array> {
  const query = db.select({ mark: secretMarks.mark }).from(secretMarks).where(eq(secretMarks.name, name));
  const [row] = await (holding ? query.for("share") : query);
  const value = row && isAmong(row.mark, name, secret);
  if (value === undefined) throw new Error(`${name} was changed; restart this process with the new one`);
  return value;
}

/**
 * Puts a new value of a secret in use, once every transaction is over that holds the former one. From then on the former one
 * is needed until `completeChange`. Returns whether it was not in use before.
 */
export async function putInUse(db: Queryable, name: string, { key, former }: Secret, now: Date): Promise<boolean> {
  if (former === null) return false;
  const formerMark = markOf(name, former);
  const changed = await db
    .update(secretMarks)
    .set({ mark: markOf(name, key), formerMark, createdAt: now })
    .where(and(eq(secretMarks.name, name), eq(secretMarks.mark, formerMark)));
  return (changed.rowCount ?? 0) > 0;
}

/** Records that nothing needs the former value of a secret any more. */
export async function completeChange(db: Queryable, name: string, { key }: Secret): Promise<void> {
  await db
    .update(secretMarks)
    .set({ formerMark: null })
    .where(and(eq(secretMarks.name, name), eq(secretMarks.mark, markOf(name, key)), isNotNull(secretMarks.formerMark)));
}

/** Stores the marks of these secrets: the database is used with them from now on, and with no former ones. */
export async function acceptSecrets(db: Queryable, secrets: Secrets, now: Date): Promise<void> {
  const set = { mark: sql`excluded.mark`, formerMark: null, createdAt: sql`excluded.created_at` };
  await db.insert(secretMarks).values(rowsOf(secrets, now)).onConflictDoUpdate({ target: secretMarks.name, set });
}

const rowsOf = (secrets: Secrets, createdAt: Date) =>
  Object.entries(secrets).map(([name, { key }]) => ({ name, mark: markOf(name, key), createdAt }));

/** Digits of a mark that tell values apart. */
const SHORT_MARK = 8;

/**
 * What the connections of a process are named: in it stands which values of the secrets the process has, what it runs and a
 * text of its own. PostgreSQL cuts names after 63 characters, which is how long this one is with four values.
 */
export const connectionName = (secrets: Secrets, runs: ProcessRole): string =>
  `estimation-service ${Object.entries(secrets)
    .flatMap(([name, secret]) => valuesOf(secret).map((value) => shortMark(name, value)))
    .join(".")} ${processNames.make(runs)}`;

/** Which part of the service a process runs. */
type ProcessRole = "all" | "api" | "worker";

/** Not among the digits of marks: so the end of a name never looks like one. */
const roleLetters: Readonly<Record<ProcessRole, string>> = { all: "s", api: "p", worker: "w" };

/** What tells processes apart, at the end of the names of their connections. */
export const processNames = {
  make: (runs: ProcessRole): string => roleLetters[runs] + randomBytes(4).toString("hex").slice(1),
  /** Reads it from the name of a connection; null: there is none. */
  read(name: string): { readonly id: string; readonly runs: ProcessRole } | null {
    const [, letter, id] = / ([spw])([0-9a-f]{7})$/.exec(name) ?? [];
    const runs = (Object.keys(roleLetters) as ProcessRole[]).find((role) => roleLetters[role] === letter);
    return id === undefined || runs === undefined ? null : { id, runs };
  },
};

const shortMark = (name: string, value: Uint8Array): string => markOf(name, value).toString("hex").slice(0, SHORT_MARK);

/** Returns the process ids, on the database's side, of connections of processes that do not have these values yet. */
export async function findProcessesWithout(db: Queryable, secrets: Secrets): Promise<number[]> {
  const needed = Object.entries(secrets).map(([name, { key }]) => `%${shortMark(name, key)}%`);
  const { rows } = await db.execute<{ pid: number }>(sql`
    select pid from pg_stat_activity
    where datname = current_database() and application_name like 'estimation-service %'
      and not application_name like all (${sql.param(needed)}::text[])
    order by pid`);
  return rows.map(({ pid }) => pid);
}
