import { withRoom } from "./growing.ts";
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

/** Bytes of an entry of the dictionary, roughly. */
const ENTRY_BYTES = 40;

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

export function createWordIndex(): WordIndex {
  const numbers = new Map<number, number>();
  let size = 0;
  let counted = 0;
  // Piece by piece: where its words begin, and its norm.
  let starts = new Int32Array(64);
  let norms = new Float32Array(64);
  // Word by word of all pieces: its term, and its weight in the piece.
  let termAt = new Int32Array(4_096);
  let countAt = new Float32Array(4_096);
  // Term by term: where it occurs, and its inverse frequency.
  const places: Places[] = [];
  let placesBytes = 0;
  let rarity = new Float32Array(1_024);

  const end = (piece: number) => starts[piece + 1] as number;

  const rarityOf = (pieces: number) => Math.log((counted + 1) / (pieces + 0.5));

  /** Counts the first `counted` pieces anew, and the length of every vector. */
  const count = () => {
    const frequencies = new Int32Array(numbers.size);
    for (let at = 0; at < end(counted - 1); at += 1) (frequencies[termAt[at] as number] as number) += 1;
    for (let term = 0; term < numbers.size; term += 1) rarity[term] = rarityOf(frequencies[term] as number);
    for (let piece = 0; piece < size; piece += 1) measure(piece);
  };

  const measure = (piece: number) => {
    let sum = 0;
    for (let at = starts[piece] as number; at < end(piece); at += 1) {
      sum += ((countAt[at] as number) * (rarity[termAt[at] as number] as number)) ** 2;
    }
    norms[piece] = sum > 0 ? 1 / Math.sqrt(sum) : 0;
  };

  const numberOf = (hash: number) => {
    const known = numbers.get(hash);
    if (known !== undefined) return known;
    const term = numbers.size;
    numbers.set(hash, term);
    places.push({ size: 0, pieces: new Int32Array(1), weights: new Float32Array(1) });
    placesBytes += PLACES_BYTES;
    rarity = withRoom(rarity, term + 1);
    rarity[term] = rarityOf(0);
    return term;
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
      const arrays = [starts, norms, termAt, countAt, rarity];
      return arrays.reduce((sum, { byteLength }) => sum + byteLength, numbers.size * ENTRY_BYTES + placesBytes);
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
        countAt[at] = weights[at - from] as number;
        placesBytes += addPlace(places[term] as Places, size, weights[at - from] as number);
      }
      starts[size + 1] = to;
      size += 1;
      const now = countedAt(size);
      if (now !== counted) {
        counted = now;
        count();
      } else measure(size - 1);
    },

    compare({ terms, weights }, before, scores) {
      scores.fill(0);
      for (let word = 0; word < terms.length; word += 1) {
        const term = terms[word] as number;
        const weight = (weights[word] as number) * (rarity[term] as number);
        const { pieces, weights: counts, size: most } = places[term] as Places;
        for (let at = 0; at < most; at += 1) {
          const piece = pieces[at] as number;
          if (piece >= before) break;
          (scores[piece] as number) += weight * (counts[at] as number);
        }
      }
      for (let piece = 0; piece < before; piece += 1) (scores[piece] as number) *= norms[piece] as number;
    },

    vectorOf(piece) {
      const [from, to] = [starts[piece] as number, end(piece)];
      return normalized(termAt.slice(from, to), countAt.slice(from, to));
    },

    vectorFrom({ hashes, weights }) {
      const known = hashes.reduce((sum, hash) => sum + (numbers.has(hash) ? 1 : 0), 0);
      const [terms, found] = [new Int32Array(known), new Float32Array(known)];
      let [at, unknown] = [0, 0];
      hashes.forEach((hash, word) => {
        const term = numbers.get(hash);
        if (term === undefined) unknown += ((weights[word] as number) * rarityOf(0)) ** 2;
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
        sum += (countAt[at] as number) * (dense[termAt[at] as number] as number);
      }
      return sum * (norms[piece] as number);
    },
  };
}
