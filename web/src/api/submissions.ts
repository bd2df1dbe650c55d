import { ApiError } from "../../../contract/client/client-of.ts";

/** For how long pressing a button again means the submission before, in milliseconds. */
const RETENTION_MS = 600_000;

/** Random bytes of a key. */
const KEY_BYTES = 20;

interface Submission {
  readonly content: number;
  readonly key: string;
  readonly at: number;
}

/** Submissions, and their keys: what is sent again after a lost response is not done twice. */
export interface Submissions {
  /**
   * Calls `send` with the `Idempotency-Key` of a submission to `called`, an endpoint with its
   * parameters. It is that of the last submission to it if that had the same `content` and nobody knows whether it was carried out.
   */
  readonly run: <Response>(
    called: string,
    content: string,
    send: (key: string) => Promise<Response>,
  ) => Promise<Response>;
  /** Makes all next submissions new ones: after something is deleted, the same may be wanted again. */
  readonly forget: () => void;
}

/** Returns submissions of which none has begun. `now` returns the time in milliseconds. */
export function startSubmissions(now: () => number = Date.now): Submissions {
  const open = new Map<string, Submission>();
  const submissionOf = (called: string, content: number): Submission => {
    const last = open.get(called);
    if (last?.content === content && now() - last.at < RETENTION_MS) return last;
    const submission = { content, key: newKey(), at: now() };
    open.set(called, submission);
    return submission;
  };
  return {
    run: async (called, content, send) => {
      const submission = submissionOf(called, digest(content));
      const decided = () => {
        if (open.get(called) === submission) open.delete(called);
      };
      try {
        const response = await send(submission.key);
        decided();
        return response;
      } catch (error) {
        if (isDecided(error)) decided();
        throw error;
      }
    },
    forget: () => open.clear(),
  };
}

/** Returns whether the service said that it did not do what was asked: a later submission is then another one. */
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
