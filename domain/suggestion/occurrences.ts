import { eachPiece, type PieceWords } from "./piece-words.ts";

/** Where each term occurs in the first pieces: the pieces in order, and how often it occurs in each. */
export interface Occurrences {
  /** So many pieces are looked at. */
  readonly size: number;
  /** For each term the place of its first entry; the place after its last is that of the next term. */
  readonly starts: Int32Array;
  readonly pieces: Int32Array;
  readonly counts: Uint8Array;
  readonly bytes: number;
}

/** Lists where the first `terms` terms occur (a counting sort), in steps. Pieces that are added meanwhile are left out. */
export function* listOccurrences(words: PieceWords, terms: number): Generator<void, Occurrences> {
  const { size } = words;
  const starts = new Int32Array(terms + 1);
  yield* eachPiece(words, 0, size, (_, length) => {
    const { terms: found } = words;
    for (let word = 0; word < length; word += 1) (starts[(found[word] as number) + 1] as number) += 1;
  });
  for (let term = 0; term < terms; term += 1) (starts[term + 1] as number) += starts[term] as number;
  const next = starts.slice(0, terms);
  const [pieces, counts] = [new Int32Array(starts[terms] as number), new Uint8Array(starts[terms] as number)];
  yield* eachPiece(words, 0, size, (piece, length) => {
    const { terms: found, counts: times } = words;
    for (let word = 0; word < length; word += 1) {
      const term = found[word] as number;
      const place = next[term] as number;
      next[term] = place + 1;
      pieces[place] = piece;
      counts[place] = times[word] as number;
    }
  });
  return { size, starts, pieces, counts, bytes: starts.byteLength + pieces.byteLength + counts.byteLength };
}
