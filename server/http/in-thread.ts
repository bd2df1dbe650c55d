import { isMainThread } from "node:worker_threads";
import { limits } from "../../contract/limits.ts";
import type { Parked } from "./body/parking.ts";
import type { Actor } from "./handler.ts";

/** A request as it is given to a thread: its caller is known, and its rate, scope and turn have been checked. */
export interface ThreadRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Parked | undefined;
  readonly actor: Actor;
  readonly clientAddress: string;
  /** When the request arrived, in milliseconds since 1970. */
  readonly arrivedAt: number;
}

/** The response of a thread, ready to be sent. */
export interface ThreadReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** A body so large that it is parsed in a thread. */
export class LargeBody {
  readonly parked: Parked;
  constructor(parked: Parked) {
    this.parked = parked;
  }
}

/** The request needs a thread: it works on more than `limits.inProcessBytes`. */
export class NeedsThread extends Error {}

/** The bytes of a stored tree that a request may read here. */
export const treeBytesHere = isMainThread ? limits.inProcessBytes : Number.POSITIVE_INFINITY;

/** The tasks of an estimation that a request may read here. */
export const tasksHere = isMainThread ? limits.inProcessTasks : Number.POSITIVE_INFINITY;

/**
 * Gives up here, and runs the request of a `heavy` row anew in a thread. Call it if there are more than `treeBytesHere`
 * bytes to work on, before reading them; in a thread there never are.
 */
export function leaveForThread(): never {
  throw new NeedsThread();
}
