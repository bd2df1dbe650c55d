import { and, eq } from "drizzle-orm";
import { FRESH_MS } from "../../../domain/exports/ledger.ts";
import {
  nextWriteAt,
  notePause,
  noteSuccess,
  noteWrite,
  type Paced,
  type Rate,
  settled,
  unpaced,
} from "../../../domain/exports/pace.ts";
import type { Queryable } from "../../db/database.ts";
import { connections } from "../connections/index.ts";
import { connectionPaces } from "./tables.ts";

/** For all requests of one write: it reads before, writes, and asks why it was refused. */
export const WRITE_SECONDS = 200;

/**
 * The longest that a write holds its connection, in milliseconds: the time until its requests leave, and their
 * timeouts.
 */
const HOLD_MS = FRESH_MS + WRITE_SECONDS * 1_000;
/** When to check again whether another run's write is over, in milliseconds. */
const OTHERS_MS = 1_000;

/**
 * Reads the pace of a connection, and locks it; undefined if the connection was deleted. The connection is locked
 * first, as in its deletion: avoids deadlocks.
 */
async function lockPace(tx: Queryable, connectionId: string, now: Date) {
  const [connection] = await tx
    .select({ id: connections.id })
    .from(connections)
    .where(eq(connections.id, connectionId))
    .for("key share");
  if (!connection) return undefined;
  await tx.insert(connectionPaces).values({ connectionId, paced: unpaced }).onConflictDoNothing();
  const [row] = await tx
    .select()
    .from(connectionPaces)
    .where(eq(connectionPaces.connectionId, connectionId))
    .for("update");
  return row && { ...row, paced: settled(row.paced, now.getTime()) };
}

/**
 * Takes the turn to write by a connection, and counts the write. If it is not the run's turn, returns when to try
 * again.
 */
export async function takeTurnToWrite(
  tx: Queryable,
  { connectionId, exportId, rate, now }: { connectionId: string; exportId: string; rate: Rate; now: Date },
): Promise<{ readonly paced: Paced } | { readonly notBefore: Date }> {
  const row = await lockPace(tx, connectionId, now);
  // The next job finds that there is no connection.
  if (!row) return { notBefore: now };
  const { paced, heldBy, heldUntil } = row;
  const heldMs = (heldUntil?.getTime() ?? 0) - now.getTime();
  // A time further in the future was stored by a clock that was ahead.
  if (heldBy !== exportId && heldMs > 0 && heldMs <= HOLD_MS)
    return { notBefore: new Date(now.getTime() + Math.min(heldMs, OTHERS_MS)) };
  const at = nextWriteAt(paced, rate, now.getTime());
  if (at > now.getTime()) return { notBefore: new Date(at) };
  const counted = noteWrite(paced, now.getTime());
  await tx
    .update(connectionPaces)
    .set({ paced: counted, heldBy: exportId, heldUntil: new Date(now.getTime() + HOLD_MS) })
    .where(eq(connectionPaces.connectionId, connectionId));
  return { paced: counted };
}

/** Returns until when the tracker asks for a pause of a connection; null: it does not. */
export async function blockedUntil(db: Queryable, connectionId: string, now: Date): Promise<Date | null> {
  const [row] = await db.select().from(connectionPaces).where(eq(connectionPaces.connectionId, connectionId));
  const until = row ? (settled(row.paced, now.getTime()).blockedUntil ?? 0) : 0;
  return until > now.getTime() ? new Date(until) : null;
}

/** Ends the turn of a run, and stores what the tracker says about the pace. */
export async function endTurn(
  tx: Queryable,
  { connectionId, exportId, now }: { connectionId: string; exportId: string; now: Date },
  said: { readonly pause?: Date | undefined; readonly grows?: boolean; readonly succeeded: boolean },
): Promise<void> {
  if (said.pause) {
    const row = await lockPace(tx, connectionId, now);
    if (!row) return;
    const paced = notePause(row.paced, said.pause.getTime(), {
      grows: said.grows === true,
      nowMs: now.getTime(),
    });
    await tx.update(connectionPaces).set({ paced }).where(eq(connectionPaces.connectionId, connectionId));
  } else if (said.succeeded) {
    const [row] = await tx.select().from(connectionPaces).where(eq(connectionPaces.connectionId, connectionId));
    const locked = row && row.paced.strikes > 0 ? await lockPace(tx, connectionId, now) : undefined;
    if (locked) {
      const paced = noteSuccess(locked.paced);
      await tx.update(connectionPaces).set({ paced }).where(eq(connectionPaces.connectionId, connectionId));
    }
  }
  await tx
    .update(connectionPaces)
    .set({ heldBy: null, heldUntil: null })
    .where(and(eq(connectionPaces.connectionId, connectionId), eq(connectionPaces.heldBy, exportId)));
}
