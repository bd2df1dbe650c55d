import type { DataReply, Endpoint, FirstSuccess, FoundSuccess, Input } from "./endpoint.ts";
import type { ErrorBody } from "./error-body.ts";
import { type Contract, contract } from "./index.ts";

/** The parts of a request to row `E`. Parts that the row does not declare cannot be given. */
export type RequestOf<E extends Endpoint> = Pick<
  Input<E>,
  (unknown extends Input<E>["params"] ? never : "params") | (undefined extends Input<E>["body"] ? never : "body")
> &
  Partial<Pick<Input<E>, "query" | "body">> & { readonly headers?: Readonly<Record<string, string>> };

/** A success answer of row `E`. Where a row declares two, comparing `status` narrows it. */
export type ReplyOf<E extends Endpoint> = (FirstSuccess<E> | FoundSuccess<E>) & { readonly headers: Headers };

type Call<E extends Endpoint> =
  Record<string, never> extends Omit<RequestOf<E>, "headers">
    ? (request?: RequestOf<E>) => Promise<ReplyOf<E>>
    : (request: RequestOf<E>) => Promise<ReplyOf<E>>;

/**
 * A function for every endpoint of table `T` that answers with data, by endpoint id. The others redirect a browser, which
 * a call cannot follow.
 */
export type ClientOf<T extends Record<string, Endpoint>> = {
  readonly [K in keyof T as T[K]["reply"] extends DataReply ? K : never]: Call<T[K]>;
};

export type Client = ClientOf<Contract>;

/** An error answer. Match on its `message`. */
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

/**
 * A client of the service at `baseUrl`, typed by the contract. `credential` returns the session token or API key to
 * send, or null for none. Its calls throw `ApiError` for every answer that is not a success.
 */
export const createClient = (
  baseUrl: string,
  credential: () => string | null = () => null,
  send: typeof fetch = fetch,
): Client => clientOf(contract, baseUrl, credential, send);

/** The same, typed by any table of rows. */
export function clientOf<T extends Record<string, Endpoint>>(
  table: T,
  baseUrl: string,
  credential: () => string | null,
  send: typeof fetch = fetch,
): ClientOf<T> {
  const call = async (endpoint: Endpoint, request: AnyRequest = {}) => {
    const token = credential();
    const response = await send(baseUrl + pathOf(endpoint.path, request), {
      method: endpoint.method,
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(request.body === undefined ? {} : { "content-type": "application/json" }),
        ...request.headers,
      },
      ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
    });
    const body: unknown = await response.json();
    if (!response.ok) throw new ApiError(response.status, response.headers, body as ApiError["body"]);
    return { status: response.status, headers: response.headers, data: (body as { data: unknown }).data };
  };
  const callable = Object.entries(table).filter(([, { reply }]) => "data" in reply);
  const calls = callable.map(([id, endpoint]) => [id, (request?: AnyRequest) => call(endpoint, request)]);
  return Object.fromEntries(calls) as unknown as ClientOf<T>;
}

interface AnyRequest {
  readonly params?: unknown;
  readonly query?: unknown;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

function pathOf(pattern: string, { params, query }: AnyRequest): string {
  const values = (params ?? {}) as Record<string, string>;
  const path = pattern.replace(/:([A-Za-z]+)/g, (_, name: string) => encodeURIComponent(values[name] ?? ""));
  const given = Object.entries((query ?? {}) as object).filter(([, value]) => value !== undefined);
  const search = given.map(([name, value]) => `${name}=${[value].flat().map(encodeURIComponent).join(",")}`);
  return search.length === 0 ? path : `${path}?${search.join("&")}`;
}
