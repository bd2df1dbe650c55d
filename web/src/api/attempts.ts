import { ApiError } from "../../../contract/client-of.ts";

/** For how long pressing a button again means the attempt before, in milliseconds. */
const KEPT_MS = 600_000;

/** Random bytes of a key. */
const KEY_BYTES = 20;

interface Attempt {
  readonly content: number;
  readonly key: string;
  readonly at: number;
}

/** Attempts to make something, and their keys: what is tried again after a lost answer is not made twice. */
export interface Attempts {
  /**
   * Calls `send` with the `Idempotency-Key` of an attempt at `place`. It is the one of the last attempt there if that had
   * the same `content` and nobody knows whether it was carried out.
   */
  readonly run: <Reply>(place: string, content: string, send: (key: string) => Promise<Reply>) => Promise<Reply>;
  /** Makes all next attempts new ones: after something is deleted, the same may be wanted again. */
  readonly forget: () => void;
}

/** Returns attempts of which none has begun. `now` returns the time in milliseconds. */
export function startAttempts(now: () => number = Date.now): Attempts {
  const open = new Map<string, Attempt>();
  const attemptAt = (place: string, content: number): Attempt => {
    const last = open.get(place);
    if (last?.content === content && now() - last.at < KEPT_MS) return last;
    const attempt = { content, key: newKey(), at: now() };
    open.set(place, attempt);
    return attempt;
  };
  return {
    run: async (place, content, send) => {
      const attempt = attemptAt(place, digest(content));
      const decided = () => {
        if (open.get(place) === attempt) open.delete(place);
      };
      try {
        const reply = await send(attempt.key);
        decided();
        return reply;
      } catch (error) {
        if (isDecided(error)) decided();
        throw error;
      }
    },
    forget: () => open.clear(),
  };
}

/** Returns whether the service said that it did not do what was asked: a later attempt is then another one. */
const isDecided = (error: unknown): boolean =>
  error instanceof ApiError &&
  error.status < 500 &&
  ![401, 408, 429].includes(error.status) &&
  error.body.message !== "request_under_way";

/** Not `crypto.randomUUID`, which browsers offer on HTTPS and on loopback only. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(KEY_BYTES)), (byte) => byte.toString(16).padStart(2, "0")).join("");

/** A hash of 32 bits (FNV-1a), to compare contents by: they may have secrets, which are not kept. */
function digest(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash;
}
