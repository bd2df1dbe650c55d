import type { Static, TSchema } from "typebox";
import type { ErrorKey } from "./errors.ts";
import type { EventName } from "./events.ts";
import { limits } from "./limits.ts";
import type { Right } from "./rights.ts";
import { type Scope, satisfies } from "./scopes.ts";
import type { ActivityKind } from "./values/activity-kinds.ts";

/**
 * Who may call: `anyone` (no credential is read), `credential` (a session token or any API key), `session` (a session
 * token only), `administrator` (the session of an administrator who signed in a short time ago), a scope, one of several scopes, or several together. A session token has every scope.
 */
export type Access =
  | "anyone"
  | "credential"
  | "session"
  | "administrator"
  | Scope
  | { readonly anyOf: readonly Scope[] }
  | { readonly allOf: readonly Scope[] };

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** A response with `data` in the envelope. */
export interface DataResponse {
  readonly status: 200 | 201 | 202;
  /**
   * Path of the new record, for the `Location` of a 201. Its id is the parameter that the path of the request does not
   * have.
   */
  readonly created?: string;
  readonly data: TSchema;
  /** A second success, for a request whose record already exists. */
  readonly found?: FoundResponse;
}

/** The success of a request that finds what it would make. */
export interface FoundResponse {
  readonly status: 200;
  /** When it is sent, for the documentation. */
  readonly when: string;
  readonly data: TSchema;
}

/** A file to save; its name is in `Content-Disposition`. Only for GET. */
export interface FileResponse {
  readonly status: 200;
  /** Its possible media types. */
  readonly file: readonly `${string}/${string}`[];
}

/**
 * Server-sent events (`text/event-stream`): the values of `stream` as they are produced, each in an event named
 * `progress`. A comment every 15 seconds shows that the connection is alive. It ends when there are no more values, or
 * when the caller's credential or access ends. Only for GET.
 */
export interface StreamResponse {
  readonly status: 200;
  /** The schema of the data of each event. */
  readonly stream: TSchema;
}

/** Redirects a browser, without a body. */
export interface RedirectResponse {
  readonly status: 302;
  /** The target, for the documentation. */
  readonly location: string;
}

/** Makes an endpoint a tool of `/mcp` for language models: its name, description and schema follow from the endpoint. */
export interface Tool {
  /** What every call sends, whatever the model asks for, and what the tool therefore does. */
  readonly only?: { readonly send: Readonly<Record<string, string | boolean>>; readonly description: string };
  /** It deletes something, or sends something out of the instance: programs ask their user first. */
  readonly destructive?: true;
}

/** One endpoint. Route, validation, access, OpenAPI, the typed client and the access tests derive from it. */
export interface Endpoint {
  readonly method: Method;
  /** With `:name` for parameters; starts with `/api/`. */
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  /** PATCH is accepted too: for a PUT that changes only the given fields. */
  readonly alsoPatch?: true;
  readonly access: Access;
  /** What parameters of the path mean, if they are not ids of the records that the segment before them lists. */
  readonly params?: Readonly<Record<string, string>>;
  /** The parameter of the path that is a secret, and not the id of a record. */
  readonly secretParam?: string;
  /**
   * The right that the caller needs on the estimation of the path. Every endpoint below `/api/estimations/:id` names one. Its
   * handler is given the estimation: locked, unless the right is only to read it.
   */
  readonly right?: Right;
  /** The handler is given the estimation with its decision tree, both as of one moment. Only with the right to read. */
  readonly withTree?: true;
  /**
   * Requests per minute in addition to the general limit: of one user, or, where anybody may call, of one address to the same
   * path.
   */
  readonly perMinute?: number;
  readonly query?: TSchema;
  readonly body?: TSchema;
  /** The body may be absent, which is the same as an empty object. */
  readonly bodyOptional?: true;
  /** The largest body in bytes, if not the general limit (`bodyBytesOf`). */
  readonly bodyLimitBytes?: number;
  /** JSON values allowed in a body, if not the general limit. */
  readonly bodyValues?: number;
  readonly response: DataResponse | FileResponse | StreamResponse | RedirectResponse;
  /** Errors of its own, beyond those that access, body, parameters and headers imply (`errorsOf`). */
  readonly errors?: readonly ErrorKey[];
  readonly events?: readonly EventName[];
  /** Causes deliveries to the caller's own webhooks in addition to those of its `events`. */
  readonly delivers?: true;
  /** The response carries an `ETag`: the revision of the record that it shows. */
  readonly etag?: true;
  /** Compares `If-Match` with the estimation's revision (412). Every write below an estimation sets it. */
  readonly ifMatch?: true;
  /** What its call does with an estimation, as its handler records it in the activity of the estimation. */
  readonly activity?: ActivityKind | readonly ActivityKind[];
  /** Changes the content of an estimation, which is locked outside the state `draft` (409 `estimation_locked`). */
  readonly changesContent?: true;
  /**
   * A write runs in one transaction with its idempotency record unless this is false: for endpoints that hash passwords, so
   * as not to hold a connection while hashing, and for a POST that only reads.
   */
  readonly transaction?: false;
  /** Its work ends when the client closes the connection: for long computations that change nothing. */
  readonly endsWithClient?: true;
  /**
   * The handler waits for a network. It runs outside of any transaction, and returns a function that stores the result
   * and responds, which runs in one. With an `Idempotency-Key` the handler runs at most once.
   */
  readonly outside?: true;
  /** Language models may call it, at `/mcp`. */
  readonly tool?: Tool;
  /** Secret fields of `data`: shown once, left out of a replay, never stored. */
  readonly secrets?: readonly string[];
}

/** An endpoint that makes another estimation of the one in its path, which it only reads. */
type Copies = { readonly response: { readonly created: "/api/estimations/:copyId" } };

/**
 * What an endpoint must declare about rights. Endpoints below an estimation name one; a write compares revisions, and does not name
 * the right to read unless it only copies. Other endpoints declare none of this.
 */
export type Guarded<E> = E extends { readonly path: `/api/estimations/:id${string}` }
  ? E extends { readonly method: "GET" } | { readonly transaction: false }
    ? { readonly right: Right; readonly ifMatch?: never }
    : { readonly right: E extends Copies ? Right : Exclude<Right, "read">; readonly ifMatch: true }
  : { readonly right?: never; readonly withTree?: never; readonly ifMatch?: never };

/** Files and streams are not stored for a replay. */
type ResponsesGet<E> = E extends { readonly response: FileResponse | StreamResponse }
  ? { readonly method: "GET" }
  : unknown;

/** Checks a table of endpoints without widening it. */
export const endpoints = <const T extends Record<string, Endpoint>>(
  table: T & { readonly [K in keyof T]: Guarded<T[K]> & ResponsesGet<T[K]> },
): T => table;

type ParamsOf<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? { [K in Name | keyof ParamsOf<`/${Rest}`>]: string }
  : Path extends `${string}:${infer Name}`
    ? { [K in Name]: string }
    : unknown;

/** The validated parts of the request that a handler of endpoint `E` receives. */
export interface Input<E extends Endpoint> {
  readonly params: ParamsOf<E["path"]>;
  readonly query: E["query"] extends TSchema ? Static<E["query"]> : unknown;
  readonly body: E["body"] extends TSchema ? Static<E["body"]> : undefined;
}

type SuccessOf<R> = R extends { readonly status: infer Status extends number; readonly data: infer D extends TSchema }
  ? { readonly status: Status; readonly data: Static<D> }
  : never;

/** The success that endpoint `E` usually responds with: its status and `data`. A redirect has none. */
export type FirstSuccess<E extends Endpoint> = SuccessOf<E["response"]>;

/** The success of a request whose record already exists; `never` for endpoints that do not declare it. */
export type FoundSuccess<E extends Endpoint> = E["response"] extends { readonly found: infer Found }
  ? SuccessOf<Found>
  : never;

/** Whether an endpoint refuses every API key. */
export const needsSession = (access: Access): access is "session" | "administrator" =>
  access === "session" || access === "administrator";

/** The scopes that an endpoint names; empty if it needs none. A key must hold one of them, or all where `needsAll`. */
export function scopesOf(access: Access): readonly Scope[] {
  if (access === "anyone" || access === "credential" || needsSession(access)) return [];
  if (typeof access === "string") return [access];
  return "allOf" in access ? access.allOf : access.anyOf;
}

/** Whether a key must hold all scopes of an endpoint. */
export const needsAll = (access: Access): boolean => typeof access === "object" && "allOf" in access;

/**
 * What a key with the scopes `held` lacks for an endpoint: a scope, or a list of scopes any one of which is enough; null:
 * nothing.
 */
export function lackingScope(access: Access, held: readonly string[]): Scope | readonly Scope[] | null {
  const wanted = scopesOf(access);
  const lacking = wanted.filter((scope) => !satisfies(held, scope));
  const isEnough = needsAll(access) ? lacking.length === 0 : lacking.length < wanted.length || wanted.length === 0;
  if (isEnough) return null;
  return needsAll(access) || wanted.length === 1 ? (lacking[0] as Scope) : wanted;
}

/** The successes with data that an endpoint responds with: one, or two with different statuses. */
export const successesOf = ({ found, ...first }: DataResponse): readonly (DataResponse | FoundResponse)[] =>
  found ? [first, found] : [first];

/** The HTTP methods of an endpoint. */
export const methodsOf = ({ method, alsoPatch }: Endpoint): readonly Method[] =>
  alsoPatch ? [method, "PATCH"] : [method];

/** The names of the path's parameters, in order. */
export function paramsOf(path: string): string[] {
  return [...path.matchAll(/:([A-Za-z]+)/g)].map((match) => match[1] as string);
}

/** The largest body, in bytes, of a request to an endpoint. */
export const bodyBytesOf = ({ bodyLimitBytes, path }: Endpoint): number =>
  bodyLimitBytes ?? (path.startsWith("/api/auth/") ? limits.authBodyBytes : limits.bodyBytes);

/** JSON values allowed in a body of an endpoint, counted by its commas and opening brackets. */
export const bodyValuesOf = ({ bodyValues }: Endpoint): number => bodyValues ?? limits.bodyValues;

/**
 * Whether the endpoint honours `Idempotency-Key`: POSTs, except those under `/api/auth/`, whose responses are credentials, those that
 * only read, and those of anybody, because keys belong to users.
 */
export const isRepeatable = ({ method, path, transaction, access }: Endpoint): boolean =>
  method === "POST" && transaction !== false && access !== "anyone" && !path.startsWith("/api/auth/");

/** Every error that an endpoint can respond with, including those implied by its parts. */
export function errorsOf(endpoint: Endpoint): ErrorKey[] {
  const keys = new Set<ErrorKey>(["rate_limited", "validation_failed", "service_unavailable"]);
  if (endpoint.access !== "anyone") {
    for (const key of ["authorization_missing", "api_key_invalid", "token_invalid", "token_revoked"] as const)
      keys.add(key);
  }
  if (needsSession(endpoint.access)) keys.add("session_token_required");
  if (endpoint.access === "administrator")
    for (const key of ["not_found", "recent_sign_in_required"] as const) keys.add(key);
  if (scopesOf(endpoint.access).length > 0) keys.add("api_key_insufficient_scope");
  if (endpoint.method !== "GET") {
    const ofBodies = ["invalid_json", "request_timeout", "payload_too_large", "unsupported_media_type"] as const;
    for (const key of ofBodies) keys.add(key);
  }
  if (paramsOf(endpoint.path).length > 0) keys.add("not_found");
  if (endpoint.right !== undefined && endpoint.right !== "read") keys.add("forbidden");
  if (endpoint.ifMatch) keys.add("revision_mismatch");
  if (endpoint.changesContent) keys.add("estimation_locked");
  if (isRepeatable(endpoint)) {
    for (const key of ["idempotency_key_reused", "response_not_stored"] as const) keys.add(key);
    if (endpoint.outside) for (const key of ["request_under_way", "outcome_unknown"] as const) keys.add(key);
  }
  for (const key of endpoint.errors ?? []) keys.add(key);
  return [...keys];
}
