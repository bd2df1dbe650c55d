/** Arrays of numbers and texts that were put one behind the other, so that they can be stored and used again without computing. */
export type Section = Int32Array | Float32Array | Float64Array | Uint8Array | string;

const ALIGNMENT = 8;
const aligned = (bytes: number): number => Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;

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
  const header = new Int32Array(aligned(4 * (parts.length + 1)) / 4);
  header.set([parts.length, ...parts.map(({ length }) => length)]);
  let [chunk, room] = [new Uint8Array(chunkBytes), chunkBytes];
  for (const part of [new Uint8Array(header.buffer), ...parts]) {
    const end = aligned(part.length);
    for (let at = 0; at < end; ) {
      const taken = Math.min(room, end - at);
      // What is beyond a part, up to its aligned end, stays 0.
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

/** Takes the sections of packed bytes one by one; the arrays are views of these bytes. */
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
  let [next, at] = [0, aligned(4 * (count + 1))];
  const take = () => {
    const [start, length] = [at, lengths[next] as number];
    next += 1;
    at += aligned(length);
    return [start, length] as const;
  };
  const view =
    <T>(type: new (buffer: ArrayBuffer, start: number, length: number) => T, bytes: number) =>
    () => {
      const [start, length] = take();
      return new type(buffer, start, length / bytes);
    };
  return {
    int32: view(Int32Array<ArrayBuffer>, 4),
    uint8: view(Uint8Array<ArrayBuffer>, 1),
    float32: view(Float32Array<ArrayBuffer>, 4),
    float64: view(Float64Array<ArrayBuffer>, 8),
    text: () => new TextDecoder().decode(view(Uint8Array<ArrayBuffer>, 1)()),
  };
}
