import { createHash, randomBytes } from "node:crypto";

const TOKEN_BYTES = 32;
const WELL_FORMED = /^[\w-]{43}$/;

/** Returns a new token of a link: 256 random bits, of which only the hash is stored. */
export const makeLinkToken = (): string => randomBytes(TOKEN_BYTES).toString("base64url");

/** Returns what is stored of a token; null for what cannot be one. */
export const hashOfLinkToken = (token: string): Buffer | null =>
  WELL_FORMED.test(token) ? createHash("sha256").update(token).digest() : null;
