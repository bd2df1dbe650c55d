/**
 * Returns the name in `known` that was probably meant by `name`: one that differs by one letter, in long names by two,
 * in any case. Undefined if none is that similar; names of fewer than six letters resemble too many others.
 */
export function similarName(name: string, known: readonly string[]): string | undefined {
  const wanted = name.toUpperCase();
  return known
    .filter((one) => one.length >= 6 || one.toUpperCase() === wanted)
    .map((one) => ({ one, edits: editsBetween(wanted, one.toUpperCase()) }))
    .filter(({ one, edits }) => edits <= (one.length < 12 ? 1 : 2))
    .sort((a, b) => a.edits - b.edits)[0]?.one;
}

/** Letters to insert, remove, replace or swap with their neighbour to get from `a` to `b` (optimal string alignment). */
function editsBetween(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const same = a[row - 1] === b[column - 1];
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const options = [
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (same ? 0 : 1),
        ...(swapped ? [at(beforeLast, column - 2) + 1] : []),
      ];
      current.push(Math.min(...options));
    }
    [beforeLast, last] = [last, current];
  }
  return at(last, b.length);
}

const at = (row: readonly number[], column: number): number => row[column] ?? 0;
