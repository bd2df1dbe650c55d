/** Numbers the hashes of words in the order of their first use: 0, 1, 2, … A hash table in two flat arrays. */
export interface TermNumbers {
  readonly size: number;
  readonly bytes: number;
  /** Returns the number of a hash; -1: it has none. */
  find(hash: number): number;
  /** Gives a hash without a number the next one, and returns that. */
  add(hash: number): number;
  /** Returns what `createTermNumbers` makes the same of: all hashes in the order of their numbers, and the table. */
  sections(): [hashes: Int32Array, places: Int32Array];
}

/** At most this part of the places is taken. */
const FILLED_MOST = 0.6;

/** Creates numbers for no hashes yet, or those whose sections are given. */
export function createTermNumbers(known?: readonly [hashes: Int32Array, places: Int32Array]): TermNumbers {
  /** Has no room for more where it was given: it is copied with the first hash that is added. */
  let hashes = known?.[0] ?? new Int32Array(1_024);
  /** For each place the number of a term and 1; 0: the place is free. */
  let places = known?.[1] ?? new Int32Array(1_024);
  let size = known?.[0].length ?? 0;

  const placeOf = (hash: number): number => {
    const last = places.length - 1;
    // The multiplication spreads hashes that are near each other.
    let place = (Math.imul(hash, 0x9e3779b1) >>> 7) & last;
    for (;;) {
      const number = places[place] as number;
      if (number === 0 || hashes[number - 1] === hash) return place;
      place = (place + 1) & last;
    }
  };
  const enter = (number: number) => {
    places[placeOf(hashes[number] as number)] = number + 1;
  };

  return {
    get size() {
      return size;
    },
    get bytes() {
      return hashes.byteLength + places.byteLength;
    },
    find: (hash) => (places[placeOf(hash)] as number) - 1,
    add(hash) {
      const isFull = size >= places.length * FILLED_MOST;
      if (isFull || size >= hashes.length) {
        const larger = new Int32Array(Math.max(2 * size, 1_024));
        larger.set(hashes);
        hashes = larger;
      }
      if (isFull) {
        places = new Int32Array(2 * places.length);
        for (let number = 0; number < size; number += 1) enter(number);
      }
      hashes[size] = hash;
      size += 1;
      enter(size - 1);
      return size - 1;
    },
    sections: () => [hashes.subarray(0, size), places],
  };
}
