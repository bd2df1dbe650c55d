/**
 * Returns the values in an order that is drawn anew (Fisher and Yates), each order as likely. `below(n)` draws a whole number from
 * 0 up to but not including n, which nobody can foresee.
 */
export function drawOrder<T>(values: readonly T[], below: (n: number) => number): T[] {
  const drawn = [...values];
  for (let left = drawn.length; left > 1; left--) {
    const at = below(left);
    const last = drawn[left - 1] as T;
    drawn[left - 1] = drawn[at] as T;
    drawn[at] = last;
  }
  return drawn;
}
