import { createHmac, timingSafeEqual } from "node:crypto";
import { sql } from "drizzle-orm";
import type { Queryable } from "./database.ts";
import { secretMarks } from "./tables.ts";

/** Secrets by the name of their setting. */
export type Secrets = Readonly<Record<string, Uint8Array>>;

/** Returns what is stored of a secret, to recognise it: it reveals nothing about the secret. */
export const markOf = (name: string, secret: Uint8Array): Buffer =>
  createHmac("sha256", secret).update(`estimation-service: the mark of ${name}`).digest();

/**
 * Returns the names of the secrets that differ from those that the database has been used with. At the first use of a
 * name its mark is stored; if processes start together, the first one's counts.
 */
export async function findForeignSecrets(db: Queryable, secrets: Secrets, now: Date): Promise<string[]> {
  await db.insert(secretMarks).values(rowsOf(secrets, now)).onConflictDoNothing();
  const marks = new Map((await db.select().from(secretMarks)).map(({ name, mark }) => [name, mark]));
  return rowsOf(secrets, now).flatMap(({ name, mark }) => {
    const stored = marks.get(name);
    return stored !== undefined && timingSafeEqual(stored, mark) ? [] : [name];
  });
}

/** Stores the marks of these secrets: the database is used with them from now on. */
export async function acceptSecrets(db: Queryable, secrets: Secrets, now: Date): Promise<void> {
  const set = { mark: sql`excluded.mark`, createdAt: sql`excluded.created_at` };
  await db.insert(secretMarks).values(rowsOf(secrets, now)).onConflictDoUpdate({ target: secretMarks.name, set });
}

const rowsOf = (secrets: Secrets, createdAt: Date) =>
  Object.entries(secrets).map(([name, secret]) => ({ name, mark: markOf(name, secret), createdAt }));
