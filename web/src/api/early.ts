declare global {
  interface Window {
    /** Responses that `index.html` has requested, by path, and for whom. */
    early?: { readonly authorization: string; readonly responses: Record<string, Promise<Response>> };
  }
}

/** A response older than this, in milliseconds, is not used: the page requests it again. */
const FRESH_MS = 10_000;

/** Returns the response to a request that `index.html` has sent already, each once; undefined where it must be sent. */
export function takeEarly(path: string, headers: Readonly<Record<string, string>>): Promise<Response> | undefined {
  const { early } = window;
  const response = early?.responses[path];
  if (early === undefined || response === undefined) return undefined;
  delete early.responses[path];
  // Not for another user, and not for requests with other headers.
  const isSame = headers.authorization === early.authorization && Object.keys(headers).length === 1;
  return isSame && performance.now() < FRESH_MS ? response : undefined;
}
