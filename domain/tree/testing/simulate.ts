import type { ThreePoint } from "../shape.ts";

/**
 * Sorted totals, in hours, of `draws` seeded simulations: each option's hours are beta-PERT (α = 1 + 4(l − o)/(p − o),
 * β = 1 + 4(p − l)/(p − o)), tied together by a Gaussian copula with the same correlation between all pairs. Points
 * without a range always take their hours.
 */
export function simulate(points: ThreePoint[], correlation: number, draws: number, seed: number): Float64Array {
  const normal = normals(seed);
  const fixed = points.reduce(
    (sum, { optimistic, pessimistic }) => sum + (optimistic === pessimistic ? optimistic : 0),
    0,
  );
  const tables = points.filter(({ optimistic, pessimistic }) => optimistic < pessimistic).map(hoursByNormal);
  const common = Math.sqrt(correlation);
  const own = Math.sqrt(1 - correlation);
  const totals = new Float64Array(draws);
  for (let draw = 0; draw < draws; draw += 1) {
    const shared = common * normal();
    let total = fixed;
    for (const table of tables) total += at(table, shared + own * normal());
    totals[draw] = total;
  }
  return totals.sort();
}

/** Standard normal numbers from −`edge` to `edge`; one draw in 10^8 is outside. */
const edge = 6;
const steps = 2_000;

/** Returns hours at evenly spaced standard normal numbers: the beta-PERT quantile of their probability. */
function hoursByNormal({ optimistic, likely, pessimistic }: ThreePoint): Float64Array {
  const range = pessimistic - optimistic;
  const a = (4 * (likely - optimistic)) / range;
  const b = (4 * (pessimistic - likely)) / range;
  const cells = 20_000;
  const cumulative = new Float64Array(cells + 1);
  for (let cell = 0; cell < cells; cell += 1) {
    const x = (cell + 0.5) / cells;
    cumulative[cell + 1] = (cumulative[cell] as number) + x ** a * (1 - x) ** b;
  }
  const whole = cumulative[cells] as number;
  const table = new Float64Array(steps + 1);
  let cell = 0;
  for (let step = 0; step <= steps; step += 1) {
    const probability = normalCdf(-edge + (2 * edge * step) / steps);
    while (cell < cells && (cumulative[cell + 1] as number) < probability * whole) cell += 1;
    const [from, to] = [cumulative[cell] as number, cumulative[Math.min(cell + 1, cells)] as number];
    const part = to > from ? (probability * whole - from) / (to - from) : 0;
    table[step] = optimistic + (range * (cell + part)) / cells;
  }
  return table;
}

function at(table: Float64Array, z: number): number {
  const place = ((Math.min(Math.max(z, -edge), edge) + edge) / (2 * edge)) * steps;
  const low = Math.min(Math.floor(place), steps - 1);
  const from = table[low] as number;
  return from + (place - low) * ((table[low + 1] as number) - from);
}

/** Standard normal numbers by Box and Muller, in pairs, from a seeded 32-bit generator (mulberry32). */
function normals(seed: number): () => number {
  let state = seed;
  const uniform = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (((mixed ^ (mixed >>> 14)) >>> 0) + 0.5) / 4_294_967_296;
  };
  let second = Number.NaN;
  return () => {
    if (!Number.isNaN(second)) {
      const value = second;
      second = Number.NaN;
      return value;
    }
    const radius = Math.sqrt(-2 * Math.log(uniform()));
    const angle = 2 * Math.PI * uniform();
    second = radius * Math.sin(angle);
    return radius * Math.cos(angle);
  };
}

/** Φ by Abramowitz and Stegun 26.2.17; the error is below 7.5·10⁻⁸. */
function normalCdf(z: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(z));
  const tail = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  const upper = (tail * Math.exp((-z * z) / 2)) / Math.sqrt(2 * Math.PI);
  return z >= 0 ? 1 - upper : upper;
}
