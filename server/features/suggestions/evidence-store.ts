import { randomUUID } from "node:crypto";
import { and, eq, sql } from "drizzle-orm";
import { limits } from "../../../contract/limits.ts";
import type { Database } from "../../db/database.ts";
import { type RemovePart, removeRows } from "../estimations/index.ts";
import { storedEvidence, storedEvidenceParts } from "./tables.ts";

const PART_BYTES = 1024 * 1024;
/** Parts that are read at the same time: the database takes longer to write them as text than this process to read them. */
const READ_AT_ONCE = 3;

/** Computed evidence, to be stored. */
export interface EvidenceToStore {
  readonly key: string;
  readonly userId: string;
  readonly version: string;
  readonly estimationIds: readonly string[];
  readonly facts: string;
  /** Yields its bytes in chunks of this size. */
  pack(chunkBytes: number): Iterable<Uint8Array>;
}

/** It takes more than `limits.suggestionStoredBytes`. */
class TooLarge extends Error {}

/** Stores computed evidence instead of what there was for its key; evidence that is too large is left out. */
export async function storeEvidence(pool: Database, { pack, ...row }: EvidenceToStore, now: Date): Promise<void> {
  const store = pool.transaction(async (tx) => {
    const id = randomUUID();
    await tx.delete(storedEvidence).where(eq(storedEvidence.key, row.key));
    await tx.insert(storedEvidence).values({ id, ...row, storedAt: now, bytes: 0 });
    let [bytes, number] = [0, 0];
    for (const part of pack(PART_BYTES)) {
      bytes += part.length;
      if (bytes > limits.suggestionStoredBytes) throw new TooLarge();
      await tx.insert(storedEvidenceParts).values({ storedId: id, number, bytes: part });
      number += 1;
    }
    await tx.update(storedEvidence).set({ bytes }).where(eq(storedEvidence.id, id));
    await tx.execute(sql`
      delete from ${storedEvidence} where id in (
        select id from ${storedEvidence} order by ${storedEvidence.storedAt} desc, id offset ${limits.suggestionStoredReaders})`);
  });
  await store.catch((error: unknown) => {
    if (!(error instanceof TooLarge)) throw error;
  });
}

/** Reads what was stored for a key in this version; null: nothing, or not all of it. */
export async function readEvidence(
  pool: Database,
  key: string,
  version: string,
): Promise<{ facts: string; packed: ArrayBuffer } | null> {
  const [head] = await pool.select().from(storedEvidence).where(eq(storedEvidence.key, key));
  if (head?.version !== version) return null;
  const packed = new Uint8Array(head.bytes);
  let [next, filled] = [0, 0];
  const readParts = async () => {
    while (next * PART_BYTES < packed.length) {
      const number = next;
      next += 1;
      const part = await readPart(pool, head.id, number);
      if (part === null || number * PART_BYTES + part.length > packed.length) return;
      packed.set(part, number * PART_BYTES);
      filled += part.length;
    }
  };
  await Promise.all(Array.from({ length: READ_AT_ONCE }, readParts));
  // Otherwise it was stored anew or removed meanwhile.
  return filled === packed.length ? { facts: head.facts, packed: packed.buffer } : null;
}

async function readPart(pool: Database, id: string, part: number): Promise<Uint8Array | null> {
  const { storedId, number, bytes } = storedEvidenceParts;
  const isPart = and(eq(storedId, id), eq(number, part));
  const [row] = await pool.select({ bytes }).from(storedEvidenceParts).where(isPart);
  return row?.bytes ?? null;
}

/** Removes stored evidence with tasks of an estimation that is permanently removed. */
export const removeStoredEvidenceForGood: RemovePart = (tx, estimationId, rows) =>
  removeRows(tx, storedEvidence, sql`${storedEvidence.estimationIds} ? ${estimationId}`, rows);
