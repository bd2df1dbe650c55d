import type { Readable } from "node:stream";
import { Failure } from "../failure.ts";

export interface Collecting {
  readonly limitBytes: number;
  /** Length that the sender announced in bytes; NaN where it did not. */
  readonly announcedBytes: number;
  /** Looks at each part as it comes; what it throws refuses the body. */
  readonly look: (part: Buffer) => void;
}

/**
 * Reads a body to its end. Refuses (413) one that is, or is announced to be, larger than the limit. Whatever is refused is
 * read on without being kept, so that the sender gets to see the answer.
 */
export function collect(source: Readable, { limitBytes, announcedBytes, look }: Collecting): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const parts: Buffer[] = [];
  let size = 0;
  const take = (part: Buffer) => {
    size += part.length;
    try {
      if (size > limitBytes) throw tooLarge(limitBytes);
      look(part);
      parts.push(part);
    } catch (error) {
      refuse(error as Error);
    }
  };
  const finish = () => resolve(Buffer.concat(parts, size));
  const refuse = (error: Error) => {
    source.off("data", take).off("end", finish);
    source.resume();
    parts.length = 0;
    reject(error);
  };
  source.on("error", refuse);
  if (announcedBytes > limitBytes) refuse(tooLarge(limitBytes));
  else source.on("data", take).on("end", finish);
  return promise;
}

const tooLarge = (limitBytes: number): Failure => new Failure("payload_too_large", { details: { limitBytes } });
