import { randomBytes, randomFillSync } from "node:crypto";
import { type IdKind, idPrefixes } from "../../contract/shapes.ts";
import type { Clock } from "./clock.ts";

/** Crockford's alphabet, in lower case. */
export const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const MALFORMED = /^(?![a-z]{2,4}_[0-9a-z]{26}$)/;

/** Makes record ids. */
export interface Ids {
  /**
   * Returns a new id: the kind's prefix, `_`, and 26 characters that sort by time, even within a millisecond of one
   * process.
   */
  next(kind: IdKind): string;
}

/**
 * Makes ids in the TypeID form: a UUIDv7 (48 bits of milliseconds, then 74 random bits besides version and variant; RFC
 * 9562) written in Crockford's base 32. Within one millisecond the 12 bits after the time count up, so that rows made
 * in one request keep their order.
 */
export function createIds(clock: Clock): Ids {
  let lastMs = 0;
  let counter = 0;
  return {
    next(kind) {
      const nowMs = clock.now().getTime();
      if (nowMs > lastMs) {
        lastMs = nowMs;
        counter = randomBytes(2).readUInt16BE() & 0x3ff;
      } else if (++counter > 0xfff) {
        lastMs += 1;
        counter = 0;
      }
      return `${idPrefixes[kind]}_${encode(uuidv7(lastMs, counter))}`;
    },
  };
}

/** Returns whether `text` can be a record id. */
export const isWellFormedId = (text: string): boolean => !MALFORMED.test(text);

/** Returns the lowest id that a record created at `at` or later can have. */
export function firstIdAt(kind: IdKind, at: Date): string {
  const bytes = Buffer.alloc(ID_BYTES);
  bytes.writeUIntBE(Math.max(0, at.getTime()), 0, 6);
  return `${idPrefixes[kind]}_${encode(bytes)}`;
}

const ID_BYTES = 16;
/** A large tree takes 12,000 ids at once: random bytes are fetched for many of them, and nothing is computed with `bigint`. */
const random = Buffer.alloc(256 * ID_BYTES);
let taken = random.length;

/** Returns the bytes of a new id. */
function uuidv7(milliseconds: number, counter: number): Buffer {
  if (taken === random.length) {
    randomFillSync(random);
    taken = 0;
  }
  const bytes = random.subarray(taken, taken + ID_BYTES);
  taken += ID_BYTES;
  bytes.writeUIntBE(milliseconds, 0, 6);
  bytes.writeUInt16BE(0x7000 | counter, 6);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  return bytes;
}

/** Writes 128 bits as 26 digits of 5 bits, the first of which has 3. */
function encode(bytes: Uint8Array): string {
  let text = "";
  let rest = 0;
  let bits = 2;
  for (const byte of bytes) {
    rest = (rest << 8) | byte;
    bits += 8;
    for (; bits >= 5; bits -= 5) text += ALPHABET[(rest >> (bits - 5)) & 31];
    rest &= (1 << bits) - 1;
  }
  return text;
}
