declare global {
  interface Window {
    /** Responses that `index.html` has requested, by path, and for whom. */
    early?: { readonly authorization: string; readonly responses: Record<string, Promise<Response>> };
  }
}

/** For so long after the application has started, in milliseconds, they are used: later, the page requests them again. */
const FRESH_MS = 5_000;
const started = performance.now();

/** Forgets responses that nobody took: what they say is changed now. */
export const dropEarly = (): void => {
  delete window.early;
};

/** Returns the response to a request that `index.html` has sent already, each once; undefined where it must be sent. */
export function takeEarly(path: string, headers: Readonly<Record<string, string>>): Promise<Response> | undefined {
  const { early } = window;
  const response = early?.responses[path];
  if (early === undefined || response === undefined) return undefined;
  delete early.responses[path];
  // Not for another user, and not for requests with other headers.
  const isSame = headers.authorization === early.authorization && Object.keys(headers).length === 1;
  return isSame && performance.now() - started < FRESH_MS ? response : undefined;
}
