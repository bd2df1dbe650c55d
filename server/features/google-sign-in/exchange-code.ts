import { createHash, randomBytes } from "node:crypto";
import { limits } from "../../../contract/limits.ts";
import type { Queryable } from "../../db/database.ts";
import { insertExchangeCode } from "./store.ts";

/** Random bytes of a code: nobody guesses it in the minute that it lives. */
const CODE_BYTES = 32;

const VALID_MS = limits.exchangeCodeSeconds * 1_000;

/** What is stored of a code, or of a state. */
export const hashOf = (secret: string): Buffer => createHash("sha256").update(secret).digest();

/** Makes a one-time code for `user`: 32 random bytes in base64url, of which only the hash is stored. */
export async function issueExchangeCode(
  db: Queryable,
  { id, tokenVersion }: { id: string; tokenVersion: number },
  now: Date,
): Promise<string> {
  const code = randomBytes(CODE_BYTES).toString("base64url");
  const expiresAt = new Date(now.getTime() + VALID_MS);
  await insertExchangeCode(db, { hash: hashOf(code), userId: id, tokenVersion, expiresAt });
  return code;
}
