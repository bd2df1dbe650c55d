declare global {
  interface Window {
    /** Answers that `index.html` has asked for, by path, and for whom. */
    early?: { readonly authorization: string; readonly answers: Record<string, Promise<Response>> };
  }
}

/** After so many milliseconds a page shows what is true now, not what was when it was opened. */
const FRESH_MS = 10_000;

/** Returns the answer to a request that `index.html` has sent already, each once; undefined where it must be sent. */
export function takeEarly(path: string, headers: Readonly<Record<string, string>>): Promise<Response> | undefined {
  const { early } = window;
  const answer = early?.answers[path];
  if (early === undefined || answer === undefined) return undefined;
  delete early.answers[path];
  // Not for another user, and not where the request says more than who asks.
  const isSame = headers.authorization === early.authorization && Object.keys(headers).length === 1;
  return isSame && performance.now() < FRESH_MS ? answer : undefined;
}
