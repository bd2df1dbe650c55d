import { randomBytes } from "node:crypto";
import { type IdKind, idPrefixes } from "../../contract/shapes.ts";
import type { Clock } from "./clock.ts";

/** Crockford's, in lower case. */
export const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const MALFORMED = /^(?![a-z]{2,4}_[0-9a-z]{26}$)/;

/** Makes record ids. */
export interface Ids {
  /** A new id: the kind's prefix, `_`, and 26 characters that sort by time, also within a millisecond of one process. */
  next(kind: IdKind): string;
}

/**
 * Ids in the TypeID form: a UUIDv7 (48 bits of milliseconds, then 74 random bits beside version and variant; RFC 9562)
 * written in Crockford's base 32. Within one millisecond the 12 bits after the time count up, so that rows made in one
 * request keep their order.
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

/** Whether `text` can be a record id at all. */
export const isWellFormedId = (text: string): boolean => !MALFORMED.test(text);

/** The least id that a record made at `at` or later can have: where those of that time begin in the order of ids. */
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
