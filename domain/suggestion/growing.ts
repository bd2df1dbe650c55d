type Numbers =
  | Uint8Array<ArrayBuffer>
  | Int32Array<ArrayBuffer>
  | Float32Array<ArrayBuffer>
  | Float64Array<ArrayBuffer>;

/** Returns `array`, or a copy of twice the length (or more) if it has no room for `needed` values. */
export function withRoom<T extends Numbers>(array: T, needed: number): T {
  if (needed <= array.length) return array;
  const length = Math.max(needed, array.length * 2, 16);
  const larger = new (array.constructor as new (length: number) => T)(length);
  larger.set(array as never);
  return larger;
}
