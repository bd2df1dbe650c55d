import type { FastifyReply, FastifyRequest } from "fastify";
import type { Endpoint } from "../../../contract/endpoint.ts";
import type { Queryable } from "../../db/database.ts";
import type { Services } from "../../services/index.ts";
import type { Admit } from "../admission.ts";
import type { WatchCredential } from "../callers/credential-watch.ts";
import type { AccessedRecord, EstimationLookUp } from "../callers/estimation-access.ts";
import type { KnownCredentials, RateLimit } from "../callers/rate-limit.ts";
import type { RateCounters } from "../callers/shared-counts.ts";
import type { Actor, File, Redirect, WhenAdmitted } from "../handler.ts";
import type { KeyedLock } from "../keyed-lock.ts";
import type { ReaderView } from "../revisions.ts";
import type { Validation } from "../validation/validation.ts";
import type { Verifiers } from "./identify-caller.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The caller; null until it is known, and for endpoints that need no sign-in. */
    actor: Actor | null;
  }
  interface FastifyContextConfig {
    /** JSON values that a body may contain; `limits.bodyValues` by default. */
    bodyValues?: number;
    /** Its id, for metrics. */
    endpoint?: string;
  }
}

/** What mounting needs besides the endpoints and their handlers. */
export interface Mounting<R extends AccessedRecord = AccessedRecord> {
  readonly services: Services;
  readonly validation: Validation;
  /** For limits that belong to some endpoints. */
  readonly counters: RateCounters;
  readonly estimations: EstimationLookUp<R>;
  /** Ends a stream when its caller's credential is no longer valid. If absent, it is not checked. */
  readonly watchCredential?: WatchCredential;
  readonly verifiers: Verifiers;
  readonly rateLimit: RateLimit;
  readonly knownCredentials: KnownCredentials;
  /** Of records and of `Idempotency-Key`s. */
  readonly lock: KeyedLock;
  /** To work on large contents. */
  readonly admit: Admit;
  /** Counts the deliveries to a user's webhooks that wait for their turn, up to `most`. */
  countWaiting(db: Queryable, userId: string, most: number): Promise<number>;
}

/** Refuses a request by throwing a `Failure`. Needs no record. */
export type Check = (request: FastifyRequest, reply: FastifyReply) => void | Promise<void>;

/** A valid request on its way to the handler. */
export interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** The body; from `holdReadOnly` on, without read-only fields. */
  readonly body: unknown;
  /** When the request arrived. */
  readonly now: Date;
  /** The pool; from `openTransaction` on, the transaction. */
  readonly db: Queryable;
  /** For endpoints that respond with events: aborted when the stream ends. */
  readonly signal?: AbortSignal;
  /** For endpoints that wait for a network, from `workOutside` on: what their handler returned. */
  readonly finish?: (call: unknown) => Promise<HandlerResult>;
  /** The `Idempotency-Key` was taken before the transaction. */
  readonly keyIsTaken?: boolean;
  /** Set from `findEstimation` on, for endpoints that require a right. */
  readonly estimation?: AccessedRecord;
}

/** What any handler returns: data, a file, events, or the location of a redirect. */
export interface HandlerResult extends Partial<Redirect> {
  /** Completes `data` once the change is committed and nobody waits for it any more. */
  readonly afterCommit?: ((whenAdmitted: WhenAdmitted) => Promise<unknown>) | undefined;
  /** If left out, the endpoint's first success. */
  readonly status?: number;
  readonly data?: unknown;
  readonly file?: File;
  readonly stream?: AsyncIterable<unknown>;
  readonly revision?: number | null;
  /** What the entity tag contains besides the revision. */
  readonly view?: ReaderView;
}

export type Next = (exchange: Exchange) => Promise<HandlerResult>;

/** A step around the handler: calls `next`, once or again after a conflict, or responds without it. */
export type Wrap = (exchange: Exchange, next: Next) => Promise<HandlerResult>;

/** A handler without the types of its endpoint. */
export type Handle<R> = (exchange: Exchange) => Promise<R>;

/** Makes an endpoint's step when the endpoint is mounted; null if it does not need the step. */
export type Step<S> = (endpoint: Endpoint, mounting: Mounting, handle: Handle<unknown>) => S | null;

/** The steps of a request, in order. */
export interface Steps {
  /** Before the body is read. */
  readonly beforeBody: readonly Step<Check>[];
  /** After the body is read, and before any record is. */
  readonly onceRead: readonly Step<Check>[];
  /** Around the handler, outermost first. */
  readonly aroundHandler: readonly Step<Wrap>[];
}

/** The schema of a part of the request that the endpoint does not accept. */
export const nothing = { type: "object", properties: {}, additionalProperties: false } as const;
