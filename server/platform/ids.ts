import { randomBytes } from "node:crypto";
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
export const firstIdAt = (kind: IdKind, at: Date): string =>
  `${idPrefixes[kind]}_${encode(BigInt(Math.max(0, at.getTime())) << 80n)}`;

function uuidv7(milliseconds: number, counter: number): bigint {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(milliseconds, 0, 6);
  bytes.writeUInt16BE(0x7000 | counter, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return (bytes.readBigUInt64BE(0) << 64n) | bytes.readBigUInt64BE(8);
}

function encode(value: bigint): string {
  let text = "";
  for (let shift = 125n; shift >= 0n; shift -= 5n) text += ALPHABET[Number((value >> shift) & 31n)];
  return text;
}
