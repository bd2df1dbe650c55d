/**
 * Wilcoxon's signed-rank test on differences of pairs, two-sided: the normal approximation with correction for ties;
 * pairs without a difference are left out. Returns the probability of a result at least as extreme if neither was better,
 * and the share of the rank sum of the positive differences.
 */
export function wilcoxon(differences: readonly number[]): { readonly p: number; readonly positive: number } {
  const sorted = differences.filter((value) => value !== 0).sort((a, b) => Math.abs(a) - Math.abs(b));
  const count = sorted.length;
  let [positive, ties] = [0, 0];
  for (let from = 0; from < count; ) {
    let to = from;
    while (to < count && Math.abs(sorted[to] as number) === Math.abs(sorted[from] as number)) to += 1;
    const rank = (from + 1 + to) / 2;
    for (let at = from; at < to; at += 1) if ((sorted[at] as number) > 0) positive += rank;
    ties += (to - from) ** 3 - (to - from);
    from = to;
  }
  const total = (count * (count + 1)) / 2;
  const deviation = Math.sqrt((count * (count + 1) * (2 * count + 1)) / 24 - ties / 48);
  const z = deviation === 0 ? 0 : Math.max(Math.abs(positive - total / 2) - 0.5, 0) / deviation;
  return { p: Math.min(2 * upperTail(z), 1), positive: total === 0 ? 0.5 : positive / total };
}

/** The probability of more than `z` standard deviations (Abramowitz and Stegun 26.2.17; error below 7.5e-8). */
function upperTail(z: number): number {
  const t = 1 / (1 + 0.2316419 * z);
  const series = [0.31938153, -0.356563782, 1.781477937, -1.821255978, 1.330274429];
  const sum = series.reduceRight((rest, factor) => (rest + factor) * t, 0);
  return (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * sum;
}
