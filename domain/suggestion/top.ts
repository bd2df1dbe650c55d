/** Returns up to `most` of the numbers below `size`, those with the highest score above 0, in no order; of equal scores the highest numbers. */
export function topOf(size: number, most: number, scoreOf: (number: number) => number): number[] {
  const heap: number[] = [];
  const scores: number[] = [];
  const sink = (from: number) => {
    let at = from;
    for (;;) {
      let least = at;
      for (const child of [2 * at + 1, 2 * at + 2]) {
        if (child < heap.length && isBelow(child, least)) least = child;
      }
      if (least === at) return;
      [heap[at], heap[least]] = [heap[least] as number, heap[at] as number];
      [scores[at], scores[least]] = [scores[least] as number, scores[at] as number];
      at = least;
    }
  };
  const isBelow = (a: number, b: number) =>
    (scores[a] as number) < (scores[b] as number) ||
    (scores[a] === scores[b] && (heap[a] as number) < (heap[b] as number));
  for (let number = 0; number < size; number += 1) {
    const score = scoreOf(number);
    if (score <= 0) continue;
    if (heap.length < most) {
      heap.push(number);
      scores.push(score);
      if (heap.length === most) for (let at = most >> 1; at >= 0; at -= 1) sink(at);
    } else if (score >= (scores[0] as number)) {
      [heap[0], scores[0]] = [number, score];
      sink(0);
    }
  }
  return heap;
}
