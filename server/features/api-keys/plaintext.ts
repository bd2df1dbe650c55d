import { createHash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";
import { API_KEY_PREFIX } from "../../http/steps/identify-caller.ts";

const RANDOM_BYTES = 29;
const PREFIX_LENGTH = 12;
const WELL_FORMED = new RegExp(`^${API_KEY_PREFIX}([A-Za-z0-9_-]{44})$`);

/** Returns a new key: `svc_live_`, then 29 random bytes and their CRC-32 (big-endian) as 44 characters of base64url. */
export function makePlaintext(): string {
  const body = Buffer.alloc(RANDOM_BYTES + 4);
  randomBytes(RANDOM_BYTES).copy(body);
  body.writeUInt32BE(crc32(body.subarray(0, RANDOM_BYTES)), RANDOM_BYTES);
  return API_KEY_PREFIX + body.toString("base64url");
}

/** Returns whether the text can be a key: length, alphabet and checksum are right. Needs no query. */
export function isWellFormedKey(text: string): boolean {
  const body = Buffer.from(WELL_FORMED.exec(text)?.[1] ?? "", "base64url");
  return body.length === RANDOM_BYTES + 4 && body.readUInt32BE(RANDOM_BYTES) === crc32(body.subarray(0, RANDOM_BYTES));
}

/** Returns what is stored of a key: its display prefix and its SHA-256. 232 random bits need no slower hash. */
export const traceOf = (plaintext: string): { prefix: string; hash: Buffer } => ({
  prefix: plaintext.slice(0, PREFIX_LENGTH),
  hash: hashOf(plaintext),
});

export const hashOf = (plaintext: string): Buffer => createHash("sha256").update(plaintext).digest();
