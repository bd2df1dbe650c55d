import { randomBytes } from "node:crypto";
import { eq } from "drizzle-orm";
import type { Database, Queryable } from "../db/database.ts";
import { instanceKeys } from "../db/tables.ts";
import { open } from "../platform/sealing.ts";
import type { Sealing } from "./sealing.ts";

const NAMES = {
  treeIds: "ids of trees",
  unsubscribe: "links that turn mails off",
  throttle: "counts of tries",
  suggestion: "receipts of suggestions",
} as const;

/** Keys of 32 bytes that outlive every change of the secrets: what they were used for holds for good. */
export type InstanceKeys = Readonly<Record<keyof typeof NAMES, Uint8Array>>;

const KEY_BYTES = 32;

/** Returns the instance's keys, which are made at the first start; if processes start together, the first one's count. */
export async function readInstanceKeys(pool: Database, sealing: Sealing, now: Date): Promise<InstanceKeys> {
  const stored = await openStored(pool, sealing);
  const missing = Object.values(NAMES).filter((name) => !stored.has(name));
  if (missing.length > 0) {
    await pool.transaction(async (tx) => {
      for (const name of missing) {
        const sealed = await sealing.seal(tx, randomBytes(KEY_BYTES).toString("base64url"), name);
        await tx.insert(instanceKeys).values({ name, sealed, createdAt: now }).onConflictDoNothing();
      }
    });
  }
  const all = missing.length > 0 ? await openStored(pool, sealing) : stored;
  const keyOf = (name: string) => {
    const key = all.get(name);
    if (key === undefined) throw new Error(`the key for ${name} is not stored`);
    return key;
  };
  return {
    treeIds: keyOf(NAMES.treeIds),
    unsubscribe: keyOf(NAMES.unsubscribe),
    throttle: keyOf(NAMES.throttle),
    suggestion: keyOf(NAMES.suggestion),
  };
}

async function openStored(db: Queryable, sealing: Sealing): Promise<Map<string, Uint8Array>> {
  const rows = await db.select().from(instanceKeys);
  return new Map(rows.map(({ name, sealed }) => [name, Buffer.from(sealing.open(sealed, name), "base64url")]));
}

/** Removes the keys that the encryption key `key` does not open, so that the next start makes others. */
export async function dropUnreadableKeys(db: Queryable, key: Uint8Array): Promise<void> {
  for (const { name, sealed } of await db.select().from(instanceKeys)) {
    try {
      open([key], sealed, name);
    } catch {
      await db.delete(instanceKeys).where(eq(instanceKeys.name, name));
    }
  }
}
