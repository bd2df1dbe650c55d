import type { Queryable } from "../db/database.ts";
import { readValueInUse, type Secret, valuesOf } from "../db/secret-marks.ts";
import { open, seal } from "../platform/sealing.ts";

/** Encrypts values that must be readable again (webhook secrets, tracker tokens). A change of the key needs no pause. */
export interface Sealing {
  /**
   * Encrypts what is stored, within the transaction `db` that stores it: a change of the key waits for that. `context` (for
   * example the id of the record) must be the same when opening. What is stored so is in `sealedColumns`.
   */
  seal(db: Queryable, plaintext: string, context: string): Promise<Buffer>;
  /** Encrypts what is not stored, and soon over. */
  sealBriefly(plaintext: string, context: string): Promise<Buffer>;
  /** Decrypts it, also with the former key. Throws if the key, the context or the bytes differ. */
  open(sealed: Uint8Array, context: string): string;
}

/** `pool` is for reading which key is in use. */
export function createSealing(secret: Secret, pool: Queryable): Sealing {
  const keys = valuesOf(secret);
  const inUse = (db: Queryable, holding: boolean) => readValueInUse(db, "ENCRYPTION_KEY", secret, { holding });
  return {
    seal: async (db, plaintext, context) => seal(await inUse(db, true), plaintext, context),
    sealBriefly: async (plaintext, context) => seal(await inUse(pool, false), plaintext, context),
    open: (sealed, context) => open(keys, sealed, context),
  };
}
