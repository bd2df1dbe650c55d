import { withRoom } from "./growing.ts";
import type { Section, Unpacking } from "./packed.ts";
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
  /** The number of pieces when words were last counted. */
  readonly counted: number;
  /** Memory of the arrays, and an estimate of that of the dictionary. */
  readonly bytes: number;
  add(words: Words): void;
  /** Does in steps of some milliseconds what the next question would have to do at once. */
  prepare(): Generator<void, void>;
  /** Returns what `createWordIndex` makes the same index of. */
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

/** Weights of words by their number in the index. */
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

/** Words that are looked at in one step. */
const STEP_WORDS = 200_000;
/** Pieces that are listed in one step: some as many words. */
const STEP_PIECES = 1_000;
/** Questions that are compared with the pieces of a restored index one by one, before it pays to list where words occur. */
const COMPARED_ONE_BY_ONE = 4;
/** The weight of a word, 1 + ln(count), by how often it occurs in a text, up to 255 times; and back. */
const WEIGHTS = Float32Array.from({ length: 256 }, (_, count) => 1 + Math.log(Math.max(count, 1)));
const countOf = (weight: number): number =>
  weight === 1 ? 1 : Math.min(Math.round(Math.exp(weight - 1)), WEIGHTS.length - 1);

/** Where a word occurs: the pieces in order, and its weight in each. */
interface Places {
  size: number;
  pieces: Int32Array<ArrayBuffer>;
  weights: Float32Array<ArrayBuffer>;
}

/** Bytes of the places of a word, beside those of the places themselves, roughly. */
const PLACES_BYTES = 300;

/** Adds a place and returns by how many bytes the arrays grew. */
function addPlace(places: Places, piece: number, weight: number): number {
  const before = places.pieces.length;
  if (places.size === before) {
    const [pieces, weights] = [new Int32Array(2 * before), new Float32Array(2 * before)];
    pieces.set(places.pieces);
    weights.set(places.weights);
    places.pieces = pieces;
    places.weights = weights;
  }
  places.pieces[places.size] = piece;
  places.weights[places.size] = weight;
  places.size += 1;
  return 8 * (places.pieces.length - before);
}

/** Creates an index that is empty, or as it was when its sections were taken. */
export function createWordIndex(packed?: Unpacking): WordIndex {
  const restored = packed && restore(packed);
  const numbers = createTermNumbers(restored?.numbers);
  let size = restored?.size ?? 0;
  let counted = restored?.counted ?? 0;
  /** Words have to be counted, and all vectors measured, before the next question. */
  let isDue = false;
  // Piece by piece: where its words begin, and its norm.
  let starts = restored?.starts ?? new Int32Array(64);
  let norms = restored?.norms ?? new Float32Array(64);
  // Word by word of all pieces: its term, and how often it occurs in the piece.
  let termAt = restored?.termAt ?? new Int32Array(4_096);
  let countAt = restored?.countAt ?? new Uint8Array(4_096);
  // Term by term: its inverse frequency, and where it occurs: in the restored pieces, and in those that were added since.
  let rarity = restored?.rarity ?? new Float32Array(1_024);
  const kept = size;
  let lists: Lists | null = null;
  let compared = 0;
  const places: (Places | undefined)[] = [];
  let placesBytes = 0;

  const end = (piece: number) => starts[piece + 1] as number;
  const weightAt = (at: number) => WEIGHTS[countAt[at] as number] as number;

  const rarityOf = (pieces: number) => Math.log((counted + 1) / (pieces + 0.5));

  /** Counts the first `counted` pieces anew, and the length of every vector. */
  function* count(): Generator<void, void> {
    const frequencies = new Int32Array(numbers.size);
    const now = counted;
    const last = end(now - 1);
    for (let at = 0; at < last; at += 1) {
      (frequencies[termAt[at] as number] as number) += 1;
      if (at % STEP_WORDS === STEP_WORDS - 1) yield;
    }
    for (let term = 0; term < frequencies.length; term += 1) rarity[term] = rarityOf(frequencies[term] as number);
    for (let piece = 0, words = 0; piece < size; piece += 1) {
      measure(piece);
      if (end(piece) - words < STEP_WORDS) continue;
      words = end(piece);
      yield;
    }
    // Pieces that were added between two steps may have made another count due.
    isDue = counted !== now;
  }
  const settle = () => {
    while (isDue) for (const _ of count());
  };

  const measure = (piece: number) => {
    let sum = 0;
    for (let at = starts[piece] as number; at < end(piece); at += 1) {
      sum += (weightAt(at) * (rarity[termAt[at] as number] as number)) ** 2;
    }
    norms[piece] = sum > 0 ? 1 / Math.sqrt(sum) : 0;
  };

  const numberOf = (hash: number) => {
    const known = numbers.find(hash);
    if (known >= 0) return known;
    const term = numbers.add(hash);
    rarity = withRoom(rarity, term + 1);
    rarity[term] = rarityOf(0);
    return term;
  };

  const placesOf = (term: number): Places => {
    const known = places[term];
    if (known) return known;
    placesBytes += PLACES_BYTES;
    const fresh = { size: 0, pieces: new Int32Array(1), weights: new Float32Array(1) };
    places[term] = fresh;
    return fresh;
  };

  /** The same sums as by lists, in the same order: both texts have their words in the order of their hashes. */
  const compareOneByOne = ({ terms, weights }: Vector, most: number, scores: Float64Array) => {
    const dense = new Float64Array(numbers.size);
    for (let word = 0; word < terms.length; word += 1) {
      const term = terms[word] as number;
      dense[term] = (weights[word] as number) * (rarity[term] as number);
    }
    for (let piece = 0; piece < most; piece += 1) {
      let sum = 0;
      for (let at = starts[piece] as number, last = end(piece); at < last; at += 1) {
        sum += (dense[termAt[at] as number] as number) * weightAt(at);
      }
      scores[piece] = sum;
    }
  };

  const normalized = (terms: Int32Array, weights: Float32Array, further = 0): Vector => {
    let sum = further;
    for (let at = 0; at < terms.length; at += 1) {
      weights[at] = (weights[at] as number) * (rarity[terms[at] as number] as number);
      sum += (weights[at] as number) ** 2;
    }
    const norm = sum > 0 ? 1 / Math.sqrt(sum) : 0;
    for (let at = 0; at < terms.length; at += 1) weights[at] = (weights[at] as number) * norm;
    return { terms, weights };
  };

  return {
    get size() {
      return size;
    },
    get counted() {
      return counted;
    },
    get terms() {
      return numbers.size;
    },
    get bytes() {
      const listed = lists ? [lists.starts, lists.pieces, lists.weights] : [];
      const arrays = [starts, norms, termAt, countAt, rarity, ...listed];
      return arrays.reduce((sum, { byteLength }) => sum + byteLength, numbers.bytes + placesBytes);
    },

    add({ hashes, weights }) {
      starts = withRoom(starts, size + 2);
      norms = withRoom(norms, size + 1);
      const from = starts[size] as number;
      const to = from + hashes.length;
      termAt = withRoom(termAt, to);
      countAt = withRoom(countAt, to);
      for (let at = from; at < to; at += 1) {
        const term = numberOf(hashes[at - from] as number);
        termAt[at] = term;
        countAt[at] = countOf(weights[at - from] as number);
        placesBytes += addPlace(placesOf(term), size, weights[at - from] as number);
      }
      starts[size + 1] = to;
      size += 1;
      const now = countedAt(size);
      isDue ||= now !== counted;
      counted = now;
      if (!isDue) measure(size - 1);
    },

    *prepare() {
      while (isDue) yield* count();
      if (lists === null && compared >= COMPARED_ONE_BY_ONE) {
        lists = yield* list(termAt.subarray(0, starts[kept]), countAt, starts.subarray(0, kept + 1), numbers.size);
      }
    },

    sections() {
      settle();
      const words = starts[size] as number;
      return [
        Int32Array.of(size, counted),
        ...numbers.sections(),
        starts.subarray(0, size + 1),
        norms.subarray(0, size),
        rarity.subarray(0, numbers.size),
        termAt.subarray(0, words),
        countAt.subarray(0, words),
      ];
    },

    compare({ terms, weights }, before, scores) {
      scores.fill(0);
      if (kept > 0 && lists === null) {
        compared += 1;
        compareOneByOne({ terms, weights }, Math.min(kept, before), scores);
      }
      for (let word = 0; word < terms.length; word += 1) {
        const term = terms[word] as number;
        const weight = (weights[word] as number) * (rarity[term] as number);
        if (lists && term + 1 < lists.starts.length) {
          for (let at = lists.starts[term] as number, last = lists.starts[term + 1] as number; at < last; at += 1) {
            const piece = lists.pieces[at] as number;
            if (piece >= before) break;
            (scores[piece] as number) += weight * (lists.weights[at] as number);
          }
        }
        const added = places[term];
        if (added === undefined) continue;
        const { pieces, weights: counts, size: most } = added;
        for (let at = 0; at < most; at += 1) {
          const piece = pieces[at] as number;
          if (piece >= before) break;
          (scores[piece] as number) += weight * (counts[at] as number);
        }
      }
      for (let piece = 0; piece < before; piece += 1) (scores[piece] as number) *= norms[piece] as number;
    },

    vectorOf(piece) {
      settle();
      const [from, to] = [starts[piece] as number, end(piece)];
      const weights = new Float32Array(to - from);
      for (let at = from; at < to; at += 1) weights[at - from] = weightAt(at);
      return normalized(termAt.slice(from, to), weights);
    },

    vectorFrom({ hashes, weights }) {
      settle();
      const known = hashes.reduce((sum, hash) => sum + (numbers.find(hash) >= 0 ? 1 : 0), 0);
      const [terms, found] = [new Int32Array(known), new Float32Array(known)];
      let [at, unknown] = [0, 0];
      hashes.forEach((hash, word) => {
        const term = numbers.find(hash);
        if (term < 0) unknown += ((weights[word] as number) * rarityOf(0)) ** 2;
        else {
          terms[at] = term;
          found[at] = weights[word] as number;
          at += 1;
        }
      });
      return normalized(terms, found, unknown);
    },

    spread({ terms, weights }, dense) {
      for (let at = 0; at < terms.length; at += 1) {
        const term = terms[at] as number;
        dense[term] = (weights[at] as number) * (rarity[term] as number);
      }
    },

    clear({ terms }, dense) {
      for (let at = 0; at < terms.length; at += 1) dense[terms[at] as number] = 0;
    },

    dot(piece, dense) {
      let sum = 0;
      for (let at = starts[piece] as number; at < end(piece); at += 1) {
        sum += weightAt(at) * (dense[termAt[at] as number] as number);
      }
      return sum * (norms[piece] as number);
    },
  };
}

/** For each term where its entries begin, and entry by entry the piece and the weight in it, in the order of pieces. */
interface Lists {
  readonly starts: Int32Array;
  readonly pieces: Int32Array;
  readonly weights: Float32Array;
}

/** Lists where terms occur (a counting sort), in steps. */
function* list(
  termAt: Int32Array,
  countAt: Uint8Array,
  pieceStarts: Int32Array,
  terms: number,
): Generator<void, Lists> {
  const next = new Int32Array(terms + 1);
  for (let at = 0; at < termAt.length; at += 1) {
    (next[(termAt[at] as number) + 1] as number) += 1;
    if (at % STEP_WORDS === STEP_WORDS - 1) yield;
  }
  for (let term = 0; term < terms; term += 1) (next[term + 1] as number) += next[term] as number;
  const starts = next.slice();
  const [pieces, weights] = [new Int32Array(termAt.length), new Float32Array(termAt.length)];
  for (let piece = 0; piece + 1 < pieceStarts.length; piece += 1) {
    for (let at = pieceStarts[piece] as number; at < (pieceStarts[piece + 1] as number); at += 1) {
      const place = next[termAt[at] as number] as number;
      next[termAt[at] as number] = place + 1;
      pieces[place] = piece;
      weights[place] = WEIGHTS[countAt[at] as number] as number;
    }
    if (piece % STEP_PIECES === STEP_PIECES - 1) yield;
  }
  return { starts, pieces, weights };
}

/** Reads the sections of an index in their order. */
function restore(packed: Unpacking) {
  const [size = 0, counted = 0] = packed.int32();
  const numbers = [packed.int32(), packed.int32()] as const;
  const starts = packed.int32();
  const [norms, rarity] = [packed.float32(), packed.float32()];
  const [termAt, countAt] = [packed.int32(), packed.uint8()];
  return { size, counted, numbers, starts, norms, rarity, termAt, countAt };
}
