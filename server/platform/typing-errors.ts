/**
 * Returns how many letters must be added, left out, replaced or swapped with their neighbour to turn `a` into `b`
 * (optimal string alignment distance).
 */
export function typingErrors(a: string, b: string): number {
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const isSame = a[row - 1] === b[column - 1];
      const isSwapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current[column] = Math.min(
        (above[column] as number) + 1,
        (current[column - 1] as number) + 1,
        (above[column - 1] as number) + (isSame ? 0 : 1),
        isSwapped ? (before[column - 2] as number) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    before = above;
    above = current;
  }
  return above[b.length] as number;
}

/**
 * Returns the name in `known` that was probably meant by `name`: one that differs by one letter, in long names by two,
 * in any case. Undefined if none is that similar; names of fewer than six letters resemble too many others.
 */
export function similarName(name: string, known: readonly string[]): string | undefined {
  const wanted = name.toUpperCase();
  return known
    .filter((one) => one.length >= 6 || one.toUpperCase() === wanted)
    .map((one) => ({ one, errors: typingErrors(wanted, one.toUpperCase()) }))
    .filter(({ one, errors }) => errors <= (one.length < 12 ? 1 : 2))
    .sort((a, b) => a.errors - b.errors)[0]?.one;
}
