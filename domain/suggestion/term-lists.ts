import { eachPiece, type PieceWords } from "./piece-words.ts";

/** For each term the pieces that contain it, in order, with how often it occurs in each. */
export interface TermLists {
  /** How many pieces are listed: the first ones. */
  readonly size: number;
  /** The index of each term's first entry; its entries end where those of the next term start. */
  readonly starts: Int32Array;
  readonly pieces: Int32Array;
  readonly counts: Uint8Array;
  readonly bytes: number;
}

/** Lists the pieces of the first `terms` terms, in steps (a counting sort). Pieces that are added meanwhile are left out. */
export function* listTerms(words: PieceWords, terms: number): Generator<void, TermLists> {
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
      const at = next[term] as number;
      next[term] = at + 1;
      pieces[at] = piece;
      counts[at] = times[word] as number;
    }
  });
  return { size, starts, pieces, counts, bytes: starts.byteLength + pieces.byteLength + counts.byteLength };
}
