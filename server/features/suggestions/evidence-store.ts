import { randomUUID } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { promisify } from "node:util";
import { zstdCompress, zstdDecompressSync } from "node:zlib";
import { and, eq, gte, lt, sql } from "drizzle-orm";
import type { Database, Queryable } from "../../db/database.ts";
import { storedEvidence, storedEvidenceParts } from "./tables.ts";

/** Bytes that are stored for a reader; more are computed anew by each process. */
export const STORED_BYTES = 64 * 1024 * 1024;
/** Readers for whom they are stored, the most recent ones. */
export const STORED_READERS = 100;

/** Bytes of a part before compression: small enough to be read and decompressed in a few milliseconds. */
const PART_BYTES = 1024 * 1024;
const PARTS_OF_QUERY = 2;
/** Queries at the same time: while the parts of one are decompressed, those of the next arrive. */
const READ_AT_ONCE = 2;

const compress = promisify(zstdCompress);

/**
 * Returns null for damaged data, or for more than a part. Runs in this thread: handing a part to another thread takes
 * longer than the work.
 */
function decompress(part: Uint8Array): Uint8Array | null {
  try {
    return zstdDecompressSync(part, { maxOutputLength: PART_BYTES });
  } catch {
    return null;
  }
}

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

/** It takes more than `STORED_BYTES`. */
class TooLarge extends Error {}

/** Stores computed evidence, replacing what was stored for its key; evidence that is too large is not stored. */
export async function storeEvidence(pool: Database, { pack, ...row }: EvidenceToStore, now: Date): Promise<void> {
  const store = pool.transaction(async (tx) => {
    const id = randomUUID();
    await tx.delete(storedEvidence).where(eq(storedEvidence.key, row.key));
    await tx.insert(storedEvidence).values({ id, ...row, storedAt: now, bytes: 0 });
    let [bytes, number] = [0, 0];
    for (const part of pack(PART_BYTES)) {
      bytes += part.length;
      if (bytes > STORED_BYTES) throw new TooLarge();
      await tx.insert(storedEvidenceParts).values({ storedId: id, number, bytes: await compress(part) });
      number += 1;
    }
    await tx.update(storedEvidence).set({ bytes }).where(eq(storedEvidence.id, id));
    await tx.execute(sql`
      delete from ${storedEvidence} where id in (
        select id from ${storedEvidence} order by ${storedEvidence.storedAt} desc, id offset ${STORED_READERS})`);
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
  const { id, bytes: count, facts } = storedEvidence;
  const heads = pool.select({ id, count, version: storedEvidence.version }).from(storedEvidence);
  const [head] = await heads.where(eq(storedEvidence.key, key));
  if (head?.version !== version) return null;
  const readFacts = async () => pool.select({ facts }).from(storedEvidence).where(eq(id, head.id));
  const packed = new Uint8Array(head.count);
  let [next, filled] = [0, 0];
  const readParts = async () => {
    while (next * PART_BYTES < packed.length) {
      const first = next;
      next += PARTS_OF_QUERY;
      for (const { number, bytes } of await readSome(pool, head.id, first)) {
        const part = decompress(bytes);
        if (part === null || number * PART_BYTES + part.length > packed.length) return;
        packed.set(part, number * PART_BYTES);
        filled += part.length;
        await nextTurn();
      }
    }
  };
  const [[rest]] = await Promise.all([readFacts(), ...Array.from({ length: READ_AT_ONCE }, readParts)]);
  // Otherwise it was stored again or removed in between, or is damaged.
  return rest && filled === packed.length ? { facts: rest.facts, packed: packed.buffer } : null;
}

function readSome(pool: Database, id: string, first: number) {
  const { storedId, number, bytes } = storedEvidenceParts;
  const isPart = and(eq(storedId, id), gte(number, first), lt(number, first + PARTS_OF_QUERY));
  return pool.select({ number, bytes }).from(storedEvidenceParts).where(isPart);
}

/** Removes stored evidence with tasks of estimations that are removed for good. */
export async function forgetEvidence(tx: Queryable, estimationIds: readonly string[]): Promise<void> {
  await tx
    .delete(storedEvidence)
    .where(sql`${storedEvidence.estimationIds} ?| ${sql.param([...estimationIds])}::text[]`);
}
