import { resultOf } from "../steps.ts";
import { withRoom } from "./growing.ts";
import type { Section, Unpacking } from "./packed.ts";
import { createPieceWords, eachPiece, inSteps, STEP_BYTES, WEIGHTS } from "./piece-words.ts";
import { listTerms, type TermLists } from "./term-lists.ts";
import { createTermNumbers } from "./term-numbers.ts";
import type { Words } from "./words.ts";

/**
 * The words of pieces of work in order of time, weighted by TF-IDF, each piece a vector of length 1. A piece can be
 * added at the end without touching the others.
 *
 * How rare a word is, is counted when the number of pieces passes certain sizes (each a quarter larger than the last),
 * over the pieces that there were then. So the weights depend on nothing but the sequence of pieces: an index that grew
 * and one that is built at once are the same to the last bit.
 */
export interface WordIndex {
  readonly size: number;
  /** Bytes of memory. */
  readonly bytes: number;
  add(words: Words): void;
  /**
   * Prepares, in steps of about a millisecond, what the next question would otherwise do at once; `asked` are its words, if it
   * will be made by `vectorFrom`.
   */
  prepare(asked?: Words): Generator<void, void>;
  /** Returns the sections from which `createWordIndex` restores the index. */
  sections(): Section[];
  /** Puts the cosine of `query` with each of the first `before` pieces into `scores`, which is zero elsewhere. */
  compare(query: Vector, before: number, scores: Float64Array): void;
  /** Returns the vector of a piece of the index. */
  vectorOf(piece: number): Vector;
  /** Returns the vector of words that are not in the index. Words that no piece has only make it longer. */
  vectorFrom(words: Words): Vector;
  /** Lays a vector out in `dense` for `dot`, or makes `dense` zero again. */
  spread(vector: Vector, dense: Float64Array): void;
  clear(vector: Vector, dense: Float64Array): void;
  /** Returns the product of piece `piece` with the vector that is spread over `dense`. */
  dot(piece: number, dense: Float64Array): number;
  /** Distinct words that the index knows: the length of `dense`. */
  readonly terms: number;
}

/** Weights of words by their number in the index, in the order of the words' hashes. */
export interface Vector {
  readonly terms: Int32Array;
  readonly weights: Float32Array;
}

const GROWTH = 1.25;

/** Returns the largest size, up to `size`, at which words are counted: 1, 2, 3, 4, 5, 7, 9, 12, … */
function countedAt(size: number): number {
  let counted = 1;
  for (let next = 1; next <= size; next = Math.max(next + 1, Math.floor(next * GROWTH))) counted = next;
  return counted;
}

/**
 * The number of distinct words that are indexed; later ones count as unknown. It bounds the memory for texts without
 * common words.
 */
const TERMS_MOST = 2_000_000;
/** Listing where words occur takes about as long as looking through all of them this many times. */
const LISTING_COSTS = 4;
/** Pieces whose words are cached: those that a forecast compares with one another are fewer. */
const READY_MOST = 128;
/** Returns how often a word with this weight occurs in a text. */
const countOf = (weight: number): number =>
  weight === 1 ? 1 : Math.min(Math.round(Math.exp(weight - 1)), WEIGHTS.length - 1);

const isSame = (a: Vector, b: Vector): boolean =>
  a.terms.length === b.terms.length &&
  a.terms.every((term, at) => term === b.terms[at] && a.weights[at] === b.weights[at]);

/** Sums for a query that were computed before it is asked, of the pieces from `from` on. */
interface Ahead {
  readonly query: Vector;
  readonly from: number;
  readonly sums: Float64Array;
}

/** Creates an index that is empty, or as it was when its sections were taken. */
export function createWordIndex(packed?: Unpacking, termsMost = TERMS_MOST): WordIndex {
  const numbers = createTermNumbers(packed?.int32());
  const words = createPieceWords(packed);
  let counted = packed?.int32()[0] ?? 0;
  let norms = packed?.float32() ?? new Float32Array(64);
  /** Of the counted pieces, how many have each term; and how rare a term is by that number. */
  let frequencies = packed?.int32() ?? new Int32Array(1_024);
  let rarities = new Float32Array(1);
  /** Words have to be counted, and all vectors measured, before the next question. */
  let isDue = false;
  let listed: TermLists | null = null;
  /** Bytes of words that were looked through since they were listed. */
  let looked = 0;
  let ahead: Ahead | null = null;
  let zeros = new Float64Array(1_024);
  let counts = new Uint8Array(1_024);
  const ready = new Map<number, Vector>();

  const rarityOf = (term: number) => rarities[frequencies[term] as number] as number;
  const rarityIn = (pieces: number) => Math.log((counted + 1) / (pieces + 0.5));
  const rate = () => {
    rarities = Float32Array.from({ length: counted + 1 }, (_, pieces) => rarityIn(pieces));
  };
  rate();

  const measure = (piece: number, length: number) => {
    const { terms, counts: times } = words;
    let sum = 0;
    for (let word = 0; word < length; word += 1) {
      sum += ((WEIGHTS[times[word] as number] as number) * rarityOf(terms[word] as number)) ** 2;
    }
    norms[piece] = sum > 0 ? 1 / Math.sqrt(sum) : 0;
  };

  /** Counts the first `counted` pieces anew, and the length of every vector. */
  function* count(): Generator<void, void> {
    const now = counted;
    ahead = null;
    frequencies.fill(0);
    yield* eachPiece(words, 0, now, (_, length) => {
      const { terms } = words;
      for (let word = 0; word < length; word += 1) (frequencies[terms[word] as number] as number) += 1;
    });
    // Pieces that were added between two steps may have made another count due.
    isDue = counted !== now;
    if (isDue) return;
    rate();
    yield* eachPiece(words, 0, words.size, measure);
    isDue = counted !== now;
  }
  const settle = () => {
    while (isDue) resultOf(count());
  };

  /** Returns the number of a word, a new one if need be; -1: there are too many. */
  const numberOf = (hash: number) => {
    const known = numbers.find(hash);
    if (known >= 0 || numbers.size >= termsMost) return known;
    const term = numbers.add(hash);
    frequencies = withRoom(frequencies, term + 1);
    return term;
  };

  const isWorthListing = () => looked + words.bytesFrom(listed?.size ?? 0) > LISTING_COSTS * words.bytesFrom(0);

  function* list(): Generator<void, void> {
    listed = null;
    ahead = null;
    listed = yield* listTerms(words, numbers.size);
    looked = 0;
  }

  /**
   * Looks through the words of pieces, with an array of zeros for every term. The sums are the same as by lists, and so is
   * their order: all words are in that of their hashes.
   */
  function* look(
    { terms, weights }: Vector,
    [from, to]: readonly [number, number],
    sums: Float64Array,
    dense: Float64Array,
  ): Generator<void, void> {
    for (let word = 0; word < terms.length; word += 1) {
      const term = terms[word] as number;
      dense[term] = (weights[word] as number) * rarityOf(term);
    }
    looked += words.bytesFrom(from) - words.bytesFrom(to);
    yield* inSteps(words, from, to, (piece) => {
      sums[piece - from] = words.sumOf(piece, dense);
    });
    for (let word = 0; word < terms.length; word += 1) dense[terms[word] as number] = 0;
  }

  const addListed = (lists: TermLists, { terms, weights }: Vector, before: number, scores: Float64Array) => {
    const { starts, pieces, counts: times } = lists;
    for (let word = 0; word < terms.length; word += 1) {
      const term = terms[word] as number;
      if (term + 1 >= starts.length) continue;
      const weight = (weights[word] as number) * rarityOf(term);
      for (let at = starts[term] as number, last = starts[term + 1] as number; at < last; at += 1) {
        const piece = pieces[at] as number;
        if (piece >= before) break;
        (scores[piece] as number) += weight * (WEIGHTS[times[at] as number] as number);
      }
    }
  };

  /** Returns the terms of a piece with their weights by count. */
  const wordsOf = (piece: number): Vector => {
    const known = ready.get(piece);
    if (known) return known;
    const length = words.read(piece);
    const weights = Float32Array.from(words.counts.subarray(0, length), (times) => WEIGHTS[times] as number);
    const found = { terms: words.terms.slice(0, length), weights };
    if (ready.size === READY_MOST) ready.clear();
    ready.set(piece, found);
    return found;
  };

  const normalized = (terms: Int32Array, weights: Float32Array, further = 0): Vector => {
    let sum = further;
    for (let at = 0; at < terms.length; at += 1) {
      weights[at] = (weights[at] as number) * rarityOf(terms[at] as number);
      sum += (weights[at] as number) ** 2;
    }
    const norm = sum > 0 ? 1 / Math.sqrt(sum) : 0;
    for (let at = 0; at < terms.length; at += 1) weights[at] = (weights[at] as number) * norm;
    return { terms, weights };
  };

  const vectorFrom = ({ hashes, weights }: Words): Vector => {
    settle();
    const known = hashes.reduce((sum, hash) => sum + (numbers.find(hash) >= 0 ? 1 : 0), 0);
    const [terms, found] = [new Int32Array(known), new Float32Array(known)];
    let [at, unknown] = [0, 0];
    hashes.forEach((hash, word) => {
      const term = numbers.find(hash);
      if (term < 0) unknown += ((weights[word] as number) * rarityIn(0)) ** 2;
      else {
        terms[at] = term;
        found[at] = weights[word] as number;
        at += 1;
      }
    });
    return normalized(terms, found, unknown);
  };

  return {
    get size() {
      return words.size;
    },
    get terms() {
      return numbers.size;
    },
    get bytes() {
      const arrays = [norms, frequencies, rarities, zeros, counts];
      const held = words.bytes + numbers.bytes + (listed?.bytes ?? 0) + (ahead?.sums.byteLength ?? 0);
      return arrays.reduce((sum, { byteLength }) => sum + byteLength, held);
    },

    add({ hashes, weights }) {
      const terms = new Int32Array(hashes.length);
      counts = withRoom(counts, hashes.length);
      let length = 0;
      for (let word = 0; word < hashes.length; word += 1) {
        const term = numberOf(hashes[word] as number);
        if (term < 0) continue;
        terms[length] = term;
        counts[length] = countOf(weights[word] as number);
        length += 1;
      }
      words.add(terms.subarray(0, length), counts);
      const last = words.size - 1;
      norms = withRoom(norms, last + 1);
      const now = countedAt(words.size);
      isDue ||= now !== counted;
      counted = now;
      if (!isDue) measure(last, words.read(last));
    },

    *prepare(asked) {
      yield* numbers.prepare();
      while (isDue) yield* count();
      if (isWorthListing()) yield* list();
      const from = listed?.size ?? 0;
      if (!asked || words.bytesFrom(from) < STEP_BYTES) return;
      const [query, sums] = [vectorFrom(asked), new Float64Array(words.size - from)];
      yield* look(query, [from, words.size], sums, new Float64Array(numbers.size));
      ahead = { query, from, sums };
    },

    sections() {
      settle();
      const { size } = words;
      return [
        numbers.hashes(),
        ...words.sections(),
        Int32Array.of(counted),
        norms.subarray(0, size),
        frequencies.subarray(0, numbers.size),
      ];
    },

    compare(query, before, scores) {
      settle();
      if (isWorthListing()) resultOf(list());
      scores.fill(0);
      if (listed) addListed(listed, query, before, scores);
      const from = Math.min(listed?.size ?? 0, before);
      if (ahead && ahead.from === from && ahead.sums.length >= before - from && isSame(ahead.query, query)) {
        scores.set(ahead.sums.subarray(0, before - from), from);
        ahead = null;
      } else {
        zeros = withRoom(zeros, numbers.size);
        resultOf(look(query, [from, before], scores.subarray(from), zeros));
      }
      for (let piece = 0; piece < before; piece += 1) (scores[piece] as number) *= norms[piece] as number;
    },

    vectorOf(piece) {
      settle();
      const { terms, weights } = wordsOf(piece);
      return normalized(terms.slice(), weights.slice());
    },

    vectorFrom,

    spread({ terms, weights }, into) {
      for (let at = 0; at < terms.length; at += 1) {
        const term = terms[at] as number;
        into[term] = (weights[at] as number) * rarityOf(term);
      }
    },

    clear({ terms }, from) {
      for (let at = 0; at < terms.length; at += 1) from[terms[at] as number] = 0;
    },

    dot(piece, spreadOut) {
      const { terms, weights } = wordsOf(piece);
      let sum = 0;
      for (let at = 0; at < terms.length; at += 1) {
        sum += (weights[at] as number) * (spreadOut[terms[at] as number] as number);
      }
      return sum * (norms[piece] as number);
    },
  };
}
