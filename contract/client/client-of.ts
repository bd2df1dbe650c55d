import type { Static } from "typebox";
import type {
  DataResponse,
  Endpoint,
  FileResponse,
  FirstSuccess,
  FoundSuccess,
  Input,
  RedirectResponse,
  StreamResponse,
} from "../endpoint.ts";
import type { Contract } from "../index.ts";
import type { ErrorBody } from "../values/error-body.ts";
import { eventsOf, fileNameOf } from "./client-bodies.ts";
import { NotModified, read } from "./client-responses.ts";
import { urlOf } from "./client-url.ts";

export { ForeignResponse, NotModified } from "./client-responses.ts";

/** The parts of a request to endpoint `E`. Parts that the endpoint does not declare cannot be given. */
export type RequestOf<E extends Endpoint> = Pick<
  Input<E>,
  (unknown extends Input<E>["params"] ? never : "params") | (undefined extends Input<E>["body"] ? never : "body")
> &
  Partial<Pick<Input<E>, "query" | "body">> & {
    readonly headers?: Readonly<Record<string, string>>;
    /** Aborts the request; the call then throws the signal's reason. */
    readonly signal?: AbortSignal;
  };

/** A success response of endpoint `E`. If an endpoint declares two, comparing `status` narrows it. */
export type SuccessResponse<E extends Endpoint> = { readonly headers: Headers } & (E["response"] extends DataResponse
  ? FirstSuccess<E> | FoundSuccess<E>
  : E["response"] extends FileResponse
    ? FileDownload
    : E["response"] extends StreamResponse
      ? StreamResult<Static<E["response"]["stream"]>>
      : never);

interface FileDownload {
  readonly status: number;
  /** The file name to save it under. */
  readonly fileName: string;
  readonly file: Blob;
}

interface StreamResult<Value> {
  readonly status: number;
  /** The data of the events as they arrive; can be read only once. Leaving the loop closes the connection. */
  readonly stream: AsyncIterable<Value>;
}

type Call<E extends Endpoint> =
  Record<string, never> extends Omit<RequestOf<E>, "headers" | "signal">
    ? (request?: RequestOf<E>) => Promise<SuccessResponse<E>>
    : (request: RequestOf<E>) => Promise<SuccessResponse<E>>;

/** A function for every endpoint of table `T`, by endpoint id, except those that redirect a browser. */
export type ClientOf<T extends Record<string, Endpoint>> = {
  readonly [K in keyof T as T[K]["response"] extends RedirectResponse ? never : K]: Call<T[K]>;
};

export type Client = ClientOf<Contract>;

/** An error response. Match on its `message`. */
export class ApiError extends Error {
  readonly status: number;
  readonly headers: Headers;
  /** The whole error envelope. Comparing `message` narrows it to the details and rows of that error. */
  readonly body: ErrorBody;

  constructor(status: number, headers: Headers, body: ApiError["body"]) {
    super(body.message);
    this.status = status;
    this.headers = headers;
    this.body = body;
  }
}

/** What a call needs to know about its endpoint. This table has no schemas, so it is small enough for a browser. */
export interface CallableEndpoint {
  readonly method: string;
  readonly path: string;
  /** Has the key `file`, `lines` or `stream` if the response is not `data`. */
  readonly response?: object;
  /** It honours `Idempotency-Key`. */
  readonly takesKey?: true;
  /** Its response contains a secret, which the response to a repeated request leaves out. */
  readonly hasSecret?: true;
}

/**
 * A client of the service at `baseUrl`, typed by table `T` of endpoints. `credential` returns the session token or API key
 * to send, or null for none. Its calls throw `ApiError` for every error response of the service, `ForeignResponse` for an
 * response that does not come from the service, and `NotModified` for a 304, which only a request with `If-None-Match`
 * can get.
 */
export function clientOf<T extends Record<string, Endpoint>>(
  table: T | { readonly [K in keyof ClientOf<T>]: CallableEndpoint },
  baseUrl: string,
  credential: () => string | null,
  send: typeof fetch = fetch,
): ClientOf<T> {
  const call = async (endpoint: CallableEndpoint, request: AnyRequest = {}) => {
    const token = credential();
    const response = await send(baseUrl + urlOf(endpoint.path, request), {
      method: endpoint.method,
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(request.body === undefined ? {} : { "content-type": "application/json" }),
        ...request.headers,
      },
      ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
      ...(request.signal && { signal: request.signal }),
    });
    const { status, headers } = response;
    if (status === 304) throw new NotModified(headers);
    if (!response.ok) throw new ApiError(status, headers, (await read(response, "message")) as ApiError["body"]);
    const { response: kind = {} } = endpoint;
    if ("file" in kind) return { status, headers, fileName: fileNameOf(headers), file: await response.blob() };
    if ("stream" in kind) return { status, headers, stream: eventsOf(response) };
    return { status, headers, data: (await read(response, "data")).data };
  };
  const callable = Object.entries<CallableEndpoint>(table).filter(([, { response = {} }]) => !("location" in response));
  const calls = callable.map(([id, endpoint]) => [id, (request?: AnyRequest) => call(endpoint, request)]);
  return Object.fromEntries(calls) as unknown as ClientOf<T>;
}

interface AnyRequest {
  readonly params?: unknown;
  readonly query?: unknown;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}
