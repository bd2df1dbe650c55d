import { withRoom } from "./growing.ts";
import type { Section, Unpacking } from "./packed.ts";

/**
 * The words of pieces of work, as numbers of terms with how often each occurs in its piece. They are stored in about two bytes
 * a word: numbers of seven bits to a byte (LEB128), low bits first, of twice the term, and 1 more where a byte with the
 * count follows; without it the count is 1. Terms have their numbers by first use, so common words have small ones.
 */
export interface PieceWords {
  /** The number of pieces. */
  readonly size: number;
  /** Bytes of memory. */
  readonly bytes: number;
  /** Returns the bytes of the words of all pieces from one on: the cost of looking through them. */
  bytesFrom(piece: number): number;
  /** Adds a piece. Counts are 1 to 255. */
  add(terms: Int32Array, counts: Uint8Array): void;
  /**
   * Reads the words of a piece, and returns how many there are: the first entries of `terms` and `counts` hold them
   * until the next call.
   */
  read(piece: number): number;
  readonly terms: Int32Array;
  readonly counts: Uint8Array;
  /** Returns the sum over the words of a piece of what `ofTerm` has for the term, times the weight of the count. */
  sumOf(piece: number, ofTerm: Float64Array): number;
  /** Returns the sections from which `createPieceWords` restores it. */
  sections(): Section[];
}

/** The most bytes of a term, and of its count. */
const WORD_BYTES = 6;

/** The weight of a word, 1 + ln(count), by how often it occurs in a text, up to 255 times. */
export const WEIGHTS = Float32Array.from({ length: 256 }, (_, count) => 1 + Math.log(Math.max(count, 1)));

/** Creates words of no pieces, or those whose sections were taken. */
export function createPieceWords(packed?: Unpacking): PieceWords {
  /** Where the words of each piece begin, and where those of the last end. */
  let starts = packed?.int32() ?? new Int32Array(64);
  let bytes = packed?.uint8() ?? new Uint8Array(4_096);
  let size = packed ? starts.length - 1 : 0;
  let terms = new Int32Array(1_024);
  let counts = new Uint8Array(1_024);

  return {
    get size() {
      return size;
    },
    get bytes() {
      return starts.byteLength + bytes.byteLength + terms.byteLength + counts.byteLength;
    },
    get terms() {
      return terms;
    },
    get counts() {
      return counts;
    },
    bytesFrom: (piece) => (starts[size] as number) - (starts[piece] as number),

    add(added, times) {
      starts = withRoom(starts, size + 2);
      let at = starts[size] as number;
      bytes = withRoom(bytes, at + added.length * WORD_BYTES);
      for (let word = 0; word < added.length; word += 1) {
        const count = times[word] as number;
        let left = 2 * (added[word] as number) + (count > 1 ? 1 : 0);
        for (; left >= 128; left >>>= 7) {
          bytes[at] = (left & 127) | 128;
          at += 1;
        }
        bytes[at] = left;
        at += 1;
        if (count === 1) continue;
        bytes[at] = count;
        at += 1;
      }
      size += 1;
      starts[size] = at;
    },

    read(piece) {
      const end = starts[piece + 1] as number;
      const from = starts[piece] as number;
      if (end - from > terms.length) {
        terms = withRoom(terms, end - from);
        counts = withRoom(counts, end - from);
      }
      // Variables of this function are faster than those of the one around it.
      const [source, intoTerms, intoCounts] = [bytes, terms, counts];
      let word = 0;
      for (let at = from; at < end; word += 1) {
        let byte = source[at++] as number;
        let value = byte & 127;
        for (let shift = 7; byte >= 128; shift += 7) {
          byte = source[at++] as number;
          value |= (byte & 127) << shift;
        }
        intoTerms[word] = value >>> 1;
        intoCounts[word] = (value & 1) === 0 ? 1 : (source[at++] as number);
      }
      return word;
    },

    sumOf(piece, ofTerm) {
      const source = bytes;
      const end = starts[piece + 1] as number;
      let sum = 0;
      for (let at = starts[piece] as number; at < end; ) {
        let byte = source[at++] as number;
        let value = byte & 127;
        for (let shift = 7; byte >= 128; shift += 7) {
          byte = source[at++] as number;
          value |= (byte & 127) << shift;
        }
        const own = ofTerm[value >>> 1] as number;
        if ((value & 1) === 0) sum += own;
        else sum += own * (WEIGHTS[source[at++] as number] as number);
      }
      return sum;
    },

    sections: () => [starts.subarray(0, size + 1), bytes.subarray(0, starts[size])],
  };
}

/** Bytes of words that are looked through in one step of about a millisecond. */
export const STEP_BYTES = 200_000;

/** Calls `visit` for each piece of a range, in steps between which other work runs. */
export function* inSteps(
  words: PieceWords,
  from: number,
  to: number,
  visit: (piece: number) => void,
): Generator<void, void> {
  let left = words.bytesFrom(from);
  for (let piece = from; piece < to; piece += 1) {
    visit(piece);
    if (left - words.bytesFrom(piece + 1) < STEP_BYTES) continue;
    left = words.bytesFrom(piece + 1);
    yield;
  }
}

/** Reads each piece of a range, in steps, and calls `visit` with the number of its words. */
export const eachPiece = (
  words: PieceWords,
  from: number,
  to: number,
  visit: (piece: number, length: number) => void,
): Generator<void, void> => inSteps(words, from, to, (piece) => visit(piece, words.read(piece)));
