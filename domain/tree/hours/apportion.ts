/** The range of each amount, in whole units. Without it: anything from 0 up, and 0 for an amount of 0. */
export interface Bounds {
  readonly low: readonly number[];
  /** None: no upper bound. */
  readonly high?: readonly number[];
}

/**
 * Remainders that differ by less than this part of a unit count as equal: far above rounding errors of doubles, far
 * below any meaningful difference. An amount stored just below a whole unit has a full remainder, so it gets its unit
 * back first.
 */
const GRAINS = 1e6;

/** Bounds may require more than one unit up or down; after this many rounds the largest amount takes what is left. */
const ROUNDS = 4;

/**
 * Rounds amounts, given in units, to whole units that sum to `whole` exactly, by the largest remainder (Hamilton's
 * method): every amount is rounded down, and the missing units go one each to the largest remainders, the earlier first
 * if equal. `bounds`, which must leave room for `whole`, may push an amount further; then units are taken back where
 * the error is smallest. `whole` is a whole number, the amounts' sum up to rounding.
 */
export function apportion(amounts: readonly number[], whole: number, bounds?: Bounds): number[] {
  const units: number[] = [];
  let missing = whole;
  for (let index = 0; index < amounts.length; index += 1) {
    const amount = amounts[index] as number;
    const given = Math.min(Math.max(Math.floor(amount), lowest(bounds, index)), highest(bounds, index, amount));
    units.push(given);
    missing -= given;
  }
  for (let round = 0; missing !== 0 && round < ROUNDS; round += 1) missing -= hand(amounts, units, missing, bounds);
  // Only sums of billions of hours, where doubles lose whole units, get here; the largest amount absorbs the error
  // best.
  if (missing !== 0 && units.length > 0) {
    const largest = amounts.reduce((best, amount, index) => (amount > (amounts[best] ?? 0) ? index : best), 0);
    units[largest] = (units[largest] ?? 0) + missing;
  }
  return units;
}

function lowest(bounds: Bounds | undefined, index: number): number {
  return bounds?.low[index] ?? 0;
}

function highest(bounds: Bounds | undefined, index: number, amount: number): number {
  if (bounds) return bounds.high?.[index] ?? Number.POSITIVE_INFINITY;
  return amount > 0 ? Number.POSITIVE_INFINITY : 0;
}

/**
 * Adds `missing` units, or removes them if negative: at most one for each amount that has room, first where the amount
 * is furthest away on that side. Returns how many.
 */
function hand(amounts: readonly number[], units: number[], missing: number, bounds: Bounds | undefined): number {
  const step = Math.sign(missing);
  // One number per place, remainder before index: sorting numbers is many times faster than sorting with a function.
  const keys: number[] = [];
  for (let index = 0; index < amounts.length; index += 1) {
    const amount = amounts[index] as number;
    const given = units[index] as number;
    const hasRoom = step > 0 ? given < highest(bounds, index, amount) : given > lowest(bounds, index);
    if (!hasRoom) continue;
    const remainder = Math.max(-GRAINS, Math.min(Math.round((amount - given) * GRAINS), GRAINS));
    keys.push((GRAINS - step * remainder) * amounts.length + index);
  }
  const count = Math.min(Math.abs(missing), keys.length);
  const sorted = keys.length > 1 ? Float64Array.from(keys).sort() : keys;
  for (let place = 0; place < count; place += 1) {
    const index = (sorted[place] as number) % amounts.length;
    units[index] = (units[index] as number) + step;
  }
  return step * count;
}
