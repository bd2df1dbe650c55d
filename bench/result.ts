/** What a benchmark found: a figure beside its reference in the same run. */
export interface Result {
  readonly name: string;
  /** What it is compared with. */
  readonly reference: string;
  readonly unit: string;
  readonly ours: number;
  readonly theirs: number;
  /** Ours as a multiple of theirs; where there were several rounds, the median of theirs. */
  readonly ratio: number;
  /** Of the ratio; null: it only informs. */
  readonly target: { readonly least: number } | { readonly most: number } | null;
}

export const isMissed = ({ ratio, target }: Result): boolean =>
  target !== null && !("least" in target ? ratio >= target.least : ratio <= target.most);

/** A number as a table shows it: three digits that count, or all those before the point. */
export const short = (value: number): string =>
  value === 0 || Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(3);

export const targetOf = ({ target }: Result): string => {
  if (target === null) return "none";
  return "least" in target ? `at least ${target.least}` : `at most ${target.most}`;
};

/** Sends a result to `npm run bench:all`, where that started the program. A missed target makes the program end with 1. */
export function send(result: Result): void {
  if (isMissed(result)) process.exitCode = 1;
  process.send?.(result);
}

/** Prints a result in one line, and sends it. */
export function report(result: Result): void {
  const { name, reference, unit, ours, theirs, ratio } = result;
  send(result);
  console.log(
    `${name}: ${short(ours)} ${unit}; ${reference}: ${short(theirs)} ${unit}; ratio ${ratio.toFixed(2)}, target: ${targetOf(result)}${isMissed(result) ? "  MISSED" : ""}`,
  );
}
