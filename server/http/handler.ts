import type { Static } from "typebox";
import type {
  Endpoint,
  FileResponse,
  FirstSuccess,
  FoundSuccess,
  Input,
  RedirectResponse,
  StreamResponse,
} from "../../contract/endpoint.ts";
import type { Right, UnlockedRight } from "../../contract/rights.ts";
import type { Tree } from "../../contract/values/tree.ts";
import type { Queryable } from "../db/database.ts";
import type { AccessedRecord, Locked } from "./callers/estimation-access.ts";

/** The caller: a user, with a session or one of the user's API keys. */
export interface Actor {
  readonly userId: string;
  readonly credential: "session" | "key";
  readonly apiKeyId: string | null;
  /** Scopes of the key; a session has every scope and lists none. */
  readonly scopes: readonly string[];
  /** The version of the user's tokens for which the session's token was issued; null for a key. */
  readonly tokenVersion: number | null;
  /** Null for a key. */
  readonly session: ActorSession | null;
}

/** The session of a caller. */
export interface ActorSession {
  readonly id: string;
  readonly signedInAt: Date;
  /** Whether the caller runs the instance. */
  readonly isAdministrator: boolean;
}

/** The caller of endpoint `E`; null where anybody may call, because no credential is read. */
export type ActorOf<E extends Endpoint> = E["access"] extends "anyone" ? null : Actor;

/** One call of endpoint `E`: the validated request and its context. `R` is what the feature knows about an estimation. */
export type Call<E extends Endpoint, R extends AccessedRecord = AccessedRecord> = AnyCall<E> &
  (E["response"] extends RedirectResponse ? FromBrowser : unknown) &
  (E["response"] extends StreamResponse ? OfStream : unknown) &
  (E extends { readonly right: Right } ? OfEstimation<E, R> : unknown);

/** Only for calls that need a right on an estimation. */
interface OfEstimation<E extends Endpoint, R extends AccessedRecord> {
  /** The estimation in the path, on which the caller has the endpoint's right. */
  readonly estimation: R &
    (E["withTree"] extends true ? { readonly tree: Tree } : unknown) &
    (E extends { readonly method: "GET" } | { readonly right: UnlockedRight } ? unknown : Locked);
}

/** Only for calls that redirect a browser. */
interface FromBrowser {
  /** The `Cookie` header. It never identifies the caller: use `actor`. */
  readonly cookie: string | null;
}

/** Only for calls that respond with events. */
interface OfStream {
  /** Aborted when the stream ends: its reader is gone, its time is over, or the service stops. */
  readonly signal: AbortSignal;
}

interface AnyCall<E extends Endpoint> extends Input<E> {
  readonly actor: ActorOf<E>;
  /** For writes, the transaction of the whole call (unless the endpoint says `transaction: false`); for reads, the pool. */
  readonly db: Queryable;
  /** When the request arrived. */
  readonly now: Date;
  readonly requestId: string;
  readonly ip: string;
  readonly userAgent: string | null;
}

/** Where a browser is redirected. */
export interface Redirect {
  readonly location: string;
  /** Value of the `Set-Cookie` header. */
  readonly setCookie?: string;
}

/** A file to save: a text in UTF-8, or bytes. */
export type File<Type extends string = string> = { readonly name: string; readonly type: Type } & (
  | { readonly text: string }
  | { readonly bytes: Uint8Array }
);

/** A response whose `data` may take longer than its change should keep others waiting. */
type Completed<A> = A & {
  /**
   * Returns the complete `data` once the change is committed; it must not fail any more. What works on large contents runs as
   * `work` of `whenAdmitted`, which rejects with `Overloaded` if too much is waiting.
   */
  readonly afterCommit?: A extends { readonly data: infer D } ? (whenAdmitted: WhenAdmitted) => Promise<D> : never;
};

/** Runs `work`, anew once the request is admitted if it turns out to work on large contents. */
export type WhenAdmitted = <R>(work: () => Promise<R>) => Promise<R>;

/**
 * What a handler returns: `data` of the envelope, a file, events or a redirect; and for endpoints with `etag` the revision.
 * It names the status only if the record already existed.
 */
export type Response<E extends Endpoint> = (E["etag"] extends true ? { readonly revision: number } : unknown) &
  (E["response"] extends RedirectResponse
    ? Redirect
    : E["response"] extends FileResponse
      ? { readonly file: File<E["response"]["file"][number]> }
      : E["response"] extends StreamResponse
        ? { readonly stream: AsyncIterable<Static<E["response"]["stream"]>> }
        : Completed<Omit<FirstSuccess<E>, "status">> | FoundSuccess<E>);

/** A call of an endpoint that waits for a network, outside of any transaction; `db` is the pool. */
export type OutsideCall<E extends Endpoint, R extends AccessedRecord = AccessedRecord> = AnyCall<E> &
  (E extends { readonly right: Right } ? { readonly estimation: R } : unknown);

/** Stores what a handler got from the network, and responds. Runs again after a conflict in the database. */
type Finish<E extends Endpoint, R extends AccessedRecord> = (call: Call<E, R>) => Promise<Response<E>>;

export type Handler<E extends Endpoint, R extends AccessedRecord = AccessedRecord> = E extends {
  readonly outside: true;
}
  ? (call: OutsideCall<E, R>) => Promise<Finish<E, R>>
  : (call: Call<E, R>) => Promise<Response<E>>;

/** A handler for every endpoint of table `T`: a missing one does not compile. */
export type Handlers<T extends Record<string, Endpoint>, R extends AccessedRecord = AccessedRecord> = {
  readonly [K in keyof T]: Handler<T[K], R>;
};
