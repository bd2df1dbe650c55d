/**
 * Returns the indexes of a longest strictly increasing subsequence of `values`, in order. O(n log n): `tails[k]` is the
 * index of the smallest value that ends such a subsequence of k + 1 values (Fredman, 1975).
 */
export function longestIncreasing(values: readonly number[]): number[] {
  const tails: number[] = [];
  const previous: number[] = [];
  for (const [place, value] of values.entries()) {
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((values[tails[middle] as number] as number) < value) low = middle + 1;
      else high = middle;
    }
    previous.push(low > 0 ? (tails[low - 1] as number) : -1);
    tails[low] = place;
  }
  const places: number[] = [];
  for (let place = tails.at(-1) ?? -1; place >= 0; place = previous[place] as number) places.push(place);
  return places.reverse();
}
