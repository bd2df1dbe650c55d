import { hash } from "node:crypto";
import { type Dispatcher, request as send } from "undici";
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

/**
 * Judges from now on every response that comes through `fetch` from `url`, until the function that it returns is called: other servers
 * get the port afterwards.
 */
export function judgeResponsesOf(url: string): () => void {
  const { origin } = new URL(url);
  origins.add(origin);
  return () => origins.delete(origin);
}

const plain = globalThis.fetch;

/** Judges a response that came from `url`, if a service of these tests sent it. */
function judgeFetched(url: URL, method: string, { status, headers }: Omit<Arrived, "text">, text: string): void {
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

/** A request to send, with its body as text or bytes. */
interface Outgoing {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** A response that has arrived as a whole. */
interface Arrived {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/**
 * Sends a request as `fetch` does, follows no redirect, and judges the response. It takes a fraction of the work of `fetch`,
 * because nothing is streamed.
 */
export async function sendRequest(url: string, { method, headers, body }: Outgoing): Promise<Arrived> {
  const response = await send(url, {
    method: method as Dispatcher.HttpMethod,
    headers: { accept: "*/*", "user-agent": "node", ...headers },
    ...(body === undefined ? {} : { body }),
  });
  const arrived = {
    status: response.statusCode,
    headers: headersOf(response.headers),
    text: await response.body.text(),
  };
  judgeFetched(new URL(url), method, arrived, arrived.text);
  return arrived;
}

function headersOf(fields: Dispatcher.ResponseData["headers"]): Headers {
  const headers = new Headers();
  for (const [name, value = []] of Object.entries(fields)) for (const one of [value].flat()) headers.append(name, one);
  return headers;
}
