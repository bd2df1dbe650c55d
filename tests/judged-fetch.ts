import { hash } from "node:crypto";
import { createJudge, published, type Received } from "./published.ts";

const judge = createJudge(published());
/** Digests of the responses that were accepted: the same response again, of many megabytes in some tests, is accepted too. */
const accepted = new Set<string>();
const origins = new Set<string>();

/** Throws if a response does not match the published description. */
export function judgeResponse(received: Received): void {
  const { text, ...rest } = received;
  const digest = hash("sha256", JSON.stringify(rest) + text);
  if (accepted.has(digest)) return;
  judge(received);
  accepted.add(digest);
}

/** Judges from now on every response that comes through `fetch` from `origin`. */
export function judgeResponsesOf(origin: string): void {
  origins.add(new URL(origin).origin);
}

const plain = globalThis.fetch;

/** Judges a response that came from `url`, if a service of these tests sent it. */
function judgeFetched(url: URL, method: string, { status, headers }: Response, text: string): void {
  if (!origins.has(url.origin)) return;
  const contentType = headers.get("content-type");
  judgeResponse({ method, path: url.pathname, status, contentType, text });
}

const isJson = ({ headers }: Response): boolean => headers.get("content-type")?.startsWith("application/json") === true;

// Tests, the tour and the typed client all call the global function, so that nothing has to be done for a new test.
globalThis.fetch = async (input, init) => {
  const response = await plain(input, init);
  const url = new URL(input instanceof Request ? input.url : input);
  if (!origins.has(url.origin)) return response;
  const method = init?.method ?? (input instanceof Request ? input.method : "GET");
  // Other bodies may be streams that go on.
  judgeFetched(url, method, response, isJson(response) ? await response.clone().text() : "");
  return response;
};

/** Does the same and reads the whole response, but only once: for the copy that is read above, Node.js duplicates the stream. */
export async function fetchText(
  url: string,
  init: RequestInit & { readonly method: string },
): Promise<{ readonly response: Response; readonly text: string }> {
  const response = await plain(url, init);
  const text = await response.text();
  judgeFetched(new URL(url), init.method, response, isJson(response) ? text : "");
  return { response, text };
}
