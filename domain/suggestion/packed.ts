/** Arrays of numbers and texts that were put one behind the other, so that they can be stored and used again without computing. */
export type Section = Int32Array | Float32Array | Float64Array | Uint8Array | string;

/**
 * Puts sections one behind the other, after their lengths in bytes, and yields the bytes in chunks of the same size, the
 * last may be shorter. Numbers are as this machine has them in memory. The sections must not change meanwhile.
 */
export function* pack(sections: readonly Section[], chunkBytes: number): Generator<Uint8Array<ArrayBuffer>, void> {
  const parts = sections.map((section) =>
    typeof section === "string"
      ? new TextEncoder().encode(section)
      : new Uint8Array(section.buffer, section.byteOffset, section.byteLength),
  );
  const header = Int32Array.of(parts.length, ...parts.map(({ length }) => length));
  let [chunk, room] = [new Uint8Array(chunkBytes), chunkBytes];
  for (const part of [new Uint8Array(header.buffer), ...parts]) {
    for (let at = 0; at < part.length; ) {
      const taken = Math.min(room, part.length - at);
      chunk.set(part.subarray(at, at + taken), chunkBytes - room);
      at += taken;
      room -= taken;
      if (room > 0) continue;
      yield chunk;
      [chunk, room] = [new Uint8Array(chunkBytes), chunkBytes];
    }
  }
  if (room < chunkBytes) yield chunk.subarray(0, chunkBytes - room);
}

/** Takes the sections of packed bytes one by one. Each is a copy, so that one that is in use does not keep all others in memory. */
export interface Unpacking {
  int32(): Int32Array<ArrayBuffer>;
  uint8(): Uint8Array<ArrayBuffer>;
  float32(): Float32Array<ArrayBuffer>;
  float64(): Float64Array<ArrayBuffer>;
  text(): string;
}

export function unpack(buffer: ArrayBuffer): Unpacking {
  const [count = 0] = new Int32Array(buffer, 0, 1);
  const lengths = new Int32Array(buffer, 4, count);
  let [next, at] = [0, 4 * (count + 1)];
  const take = () => {
    const [start, length] = [at, lengths[next] as number];
    next += 1;
    at += length;
    return buffer.slice(start, start + length);
  };
  return {
    int32: () => new Int32Array(take()),
    uint8: () => new Uint8Array(take()),
    float32: () => new Float32Array(take()),
    float64: () => new Float64Array(take()),
    text: () => new TextDecoder().decode(take()),
  };
}
