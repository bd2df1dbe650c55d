import { createHash } from "node:crypto";
import { and, eq, gt, lt, sql } from "drizzle-orm";
import { limits } from "../../contract/limits.ts";
import type { Queryable } from "../db/database.ts";
import type { RateCounter } from "./callers/rate-limit.ts";
import type { RateCounters } from "./callers/shared-counts.ts";
import { fail, failWith } from "./failure.ts";
import type { Exchange } from "./steps/step.ts";
import { idempotencyKeys } from "./tables.ts";

/** Bytes of a response that are stored for a replay; of a larger one, ids and small fields, … */
export const REPLAY_BYTES = 64 * 1024;
/** … and of all responses to a user in a day. */
export const REPLAY_BYTES_PER_DAY = 64 * 1024 * 1024;

/** Counts the bytes of each user's responses that are stored for replays, within a day. */
export const replayBytesOf = (counters: RateCounters): RateCounter =>
  counters.of("stored responses", REPLAY_BYTES_PER_DAY, 86_400_000);

const REPLAY_MS = limits.idempotencyHours * 3_600_000;

/** The first response to a key, without its secrets. */
export interface StoredResponse {
  readonly status: number;
  readonly data: unknown;
  readonly revision: number | null;
}

/** One use of an `Idempotency-Key`. */
export interface KeyUse {
  readonly userId: string;
  readonly key: string;
  readonly fingerprint: Buffer;
  readonly now: Date;
}

/** Reads the header: 1 to 255 visible ASCII characters. Undefined if it is absent. */
export function readIdempotencyKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  const fits =
    typeof header === "string" && header.length <= limits.idempotencyKeyLength && /^[\x21-\x7e]+$/.test(header);
  if (fits) return header;
  const expected = `1 to ${limits.idempotencyKeyLength} visible ASCII characters`;
  return failWith([
    { path: "/idempotency-key", in: "header", code: "wrong_format", message: `must be ${expected}`, expected },
  ]);
}

/** Returns how a request uses a key; null if it has none, or nobody is signed in. */
export function keyUseOf({ request, now }: Pick<Exchange, "request" | "now">): KeyUse | null {
  const key = readIdempotencyKey(request.headers["idempotency-key"]);
  if (key === undefined || !request.actor) return null;
  const { userId } = request.actor;
  return { userId, key, fingerprint: fingerprintOf(request), now };
}

/** Returns what identifies equal requests: method, path and the bytes of the body. */
const fingerprintOf = ({ method, url, bodyHash }: Exchange["request"]): Buffer =>
  createHash("sha256")
    .update(`${method} ${url} ${bodyHash?.toString("hex") ?? ""}`)
    .digest();

/**
 * Takes the key within the transaction of the work, after any other process that is working on it. Returns null if the
 * work is still to be done, else the first response. Refuses (409) a different request under the same key.
 */
export async function takeKey(
  db: Queryable,
  use: KeyUse,
): Promise<(StoredResponse & { readonly createdAt: Date }) | null> {
  const { userId, key, fingerprint, now } = use;
  const { createdAt } = idempotencyKeys;
  const expired = new Date(now.getTime() - REPLAY_MS).toISOString();
  const { rowCount } = await db.execute(sql`
    insert into ${idempotencyKeys} (user_id, key, fingerprint, status, created_at)
    values (${userId}, ${key}, ${fingerprint}::bytea, 0, ${now.toISOString()}::timestamptz)
    on conflict (user_id, key) do update
    set fingerprint = excluded.fingerprint, status = 0, data = null, revision = null, created_at = excluded.created_at
    where ${createdAt} <= ${expired}`);
  if (rowCount === 1) return null;
  const [stored] = await db
    .select()
    .from(idempotencyKeys)
    .where(and(keyOf(userId, key), gt(createdAt, new Date(expired))));
  // Given back, or removed, between the two statements.
  if (!stored) return takeKey(db, use);
  if (!fingerprint.equals(stored.fingerprint)) fail("idempotency_key_reused");
  return stored;
}

/** Stores the response of the work that the key was taken for, in the same transaction. */
export async function keepResponse(db: Queryable, { userId, key }: KeyUse, response: StoredResponse): Promise<void> {
  await db.update(idempotencyKeys).set(response).where(keyOf(userId, key));
}

/** Gives back a key whose work was refused, so that it may be tried again. */
export async function releaseKey(db: Queryable, { userId, key, now }: KeyUse): Promise<void> {
  const { status, createdAt } = idempotencyKeys;
  await db.delete(idempotencyKeys).where(and(keyOf(userId, key), eq(status, 0), eq(createdAt, now)));
}

/** Removes up to `rows` responses older than a day, and returns how many were removed. */
export async function forgetResponses(db: Queryable, now: Date, rows: number): Promise<number> {
  const { userId, key, createdAt } = idempotencyKeys;
  const old = db
    .select({ userId, key })
    .from(idempotencyKeys)
    .where(lt(createdAt, new Date(now.getTime() - REPLAY_MS)))
    .orderBy(createdAt)
    .limit(rows)
    .for("update", { skipLocked: true });
  return (await db.delete(idempotencyKeys).where(sql`(${userId}, ${key}) in ${old}`)).rowCount ?? 0;
}

const keyOf = (userId: string, key: string) => and(eq(idempotencyKeys.userId, userId), eq(idempotencyKeys.key, key));
