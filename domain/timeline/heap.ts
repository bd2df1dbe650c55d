/** Whole numbers, of which the smallest is taken first. */
export class Heap {
  readonly #values: Int32Array;
  #size = 0;

  /** Holds at most `capacity` numbers. */
  constructor(capacity: number) {
    this.#values = new Int32Array(capacity);
  }

  get size(): number {
    return this.#size;
  }

  push(value: number): void {
    const values = this.#values;
    let at = this.#size;
    this.#size += 1;
    for (; at > 0; at = (at - 1) >> 1) {
      const above = values[(at - 1) >> 1] as number;
      if (above <= value) break;
      values[at] = above;
    }
    values[at] = value;
  }

  /** Removes the smallest number and returns it. There has to be one. */
  pop(): number {
    const values = this.#values;
    const smallest = values[0] as number;
    this.#size -= 1;
    const value = values[this.#size] as number;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= this.#size) break;
      if (below + 1 < this.#size && (values[below + 1] as number) < (values[below] as number)) below += 1;
      if ((values[below] as number) >= value) break;
      values[at] = values[below] as number;
      at = below;
    }
    values[at] = value;
    return smallest;
  }
}
