/** Numbers the hashes of words in the order of their first use: 0, 1, 2, … A hash table in two flat arrays. */
export interface TermNumbers {
  readonly size: number;
  readonly bytes: number;
  /** Returns the number of a hash; -1: it has none. */
  find(hash: number): number;
  /** Gives a hash without a number the next one, and returns that. */
  add(hash: number): number;
  /**
   * Prepares, in steps of about a millisecond, what the first look-up in restored numbers would otherwise do at once.
   */
  prepare(): Generator<void, void>;
  /** Returns all hashes in the order of their numbers, from which `createTermNumbers` restores the numbers. */
  hashes(): Int32Array;
}

/** At most this part of the places is taken. */
const FILLED_MOST = 0.6;
/** Hashes that are entered in one step. */
const STEP_HASHES = 20_000;

/** Returns the least number of places, a power of 2, in which so many hashes leave enough free. */
function placesFor(size: number): number {
  let places = 1_024;
  while (size >= places * FILLED_MOST) places *= 2;
  return places;
}

/** Creates numbers for no hashes yet, or for hashes in the order of their numbers. */
export function createTermNumbers(known?: Int32Array<ArrayBuffer>): TermNumbers {
  /** Has no room for more where it was given: it is copied with the first hash that is added. */
  let hashes = known ?? new Int32Array(1_024);
  let size = known?.length ?? 0;
  /** For each place the number of a term and 1; 0: the place is free. */
  let places = new Int32Array(placesFor(size));
  /** Numbers that have a place. */
  let entered = 0;

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
  const enter = (most: number) => {
    for (; entered < most; entered += 1) places[placeOf(hashes[entered] as number)] = entered + 1;
  };

  return {
    get size() {
      return size;
    },
    get bytes() {
      return hashes.byteLength + places.byteLength;
    },
    find(hash) {
      enter(size);
      return (places[placeOf(hash)] as number) - 1;
    },
    add(hash) {
      if (size >= hashes.length) {
        const larger = new Int32Array(Math.max(2 * size, 1_024));
        larger.set(hashes);
        hashes = larger;
      }
      if (placesFor(size) > places.length) {
        places = new Int32Array(placesFor(size));
        entered = 0;
      }
      hashes[size] = hash;
      size += 1;
      enter(size);
      return size - 1;
    },
    *prepare() {
      while (entered < size) {
        enter(Math.min(entered + STEP_HASHES, size));
        yield;
      }
    },
    hashes: () => hashes.subarray(0, size),
  };
}
