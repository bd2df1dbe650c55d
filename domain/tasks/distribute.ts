import { roundHundredth } from "../tree/round.ts";

interface Share {
  index: number;
  amount: number;
  /** Hundredths given so far. */
  hundredths: number;
  /** What of a hundredth is left over, in grains. */
  remainder: number;
}

/**
 * Remainders closer than this part of a hundredth are alike: far above what doubles lose, far below what anyone means. An
 * amount that a double holds just below its hundredth has a full remainder, and so is the first to get it back.
 */
const GRAIN = 1e-6;

/**
 * Rounds amounts of hours to hundredths that add up to `total` (rounded likewise) exactly, by the largest remainder
 * (Hamilton's method): every amount is rounded down, and the hundredths still missing go one each to the largest
 * remainders, the earlier first where they are alike. An amount below a hundredth comes to 0 or to 0.01, one of 0 to 0.
 * `total` is the amounts' sum up to what doubles lose in adding.
 */
export function distribute(amounts: readonly number[], total: number): number[] {
  const shares = amounts.map(shareOf);
  const given = shares.reduce((sum, share) => sum + share.hundredths, 0);
  const missing = Math.round(roundHundredth(total) * 100) - given;
  const takers = shares.filter((share) => share.amount > 0);
  if (missing >= 0 && missing <= takers.length) {
    takers.sort((a, b) => b.remainder - a.remainder || a.index - b.index);
    for (const share of takers.slice(0, missing)) share.hundredths += 1;
  } else {
    // Only sums of billions of hours lose whole hundredths; the largest amount hides them best.
    const largest = takers.reduce((a, b) => (b.amount > a.amount ? b : a));
    largest.hundredths += missing;
  }
  return shares.map((share) => share.hundredths / 100);
}

function shareOf(amount: number, index: number): Share {
  const exact = amount * 100;
  const hundredths = Math.floor(exact);
  return { index, amount, hundredths, remainder: Math.round((exact - hundredths) / GRAIN) };
}
