import type { FastifyInstance, FastifyRequest } from "fastify";
import { COMPUTING_PER_USER, COMPUTING_WAITING, NeedsAdmission } from "../platform/compute.ts";
import { currentDeadline } from "../platform/deadline.ts";
import { createFairQueue } from "../platform/fair-queue.ts";
import type { Step, Wrap } from "./steps/step.ts";

/** Lets a request that turns out to work on large contents wait until it is admitted, without a lock of a record or a connection. */
export const admitLarge: Step<Wrap> =
  (_, { admit }) =>
  (exchange, next) =>
    whenAdmitted(admit, exchange.request, () => next(exchange));

declare module "fastify" {
  interface FastifyRequest {
    /** Lets others be admitted in its place; null until it was admitted. */
    leave: (() => void) | null;
  }
}

/** Requests that work on large contents at the same time, one of each user: each may hold a connection and some 50 MiB. */
export const ADMITTED = 3;

/** Waits until the request of the current deadline may work on large contents; it may until its response is sent. */
export type Admit = (request: FastifyRequest) => Promise<void>;

/**
 * Admits few requests at a time to work on large contents, so that those that wait for their turn hold no database
 * connection and no content. Users take turns. Refuses as the queue does, and those that were not admitted at their deadline.
 */
export function createAdmission(app: FastifyInstance): Admit {
  const queue = createFairQueue({ atOnce: ADMITTED, perCaller: COMPUTING_PER_USER, waiting: COMPUTING_WAITING });
  app.decorateRequest("leave", null);
  // Every request comes here, whatever it ends with, also where its client is gone.
  app.addHook("onSend", (request, _response, payload, done) => {
    request.leave?.();
    done(null, payload);
  });
  return (request) =>
    new Promise((resolve, reject) => {
      const deadline = currentDeadline();
      const stay = async () => {
        // Its response is sent already, so it would never leave.
        if (!deadline || deadline.isOver) return;
        await new Promise<void>((leave) => {
          request.leave = leave;
          deadline.leave = leave;
          resolve();
        });
      };
      queue(stay).catch(reject);
    });
}

/**
 * Runs `work`, which finds out whether the content is large before it loads it. If it is, `work` begins anew when the request is
 * admitted; what it did before is rolled back.
 */
export async function whenAdmitted<R>(admit: Admit, request: FastifyRequest, work: () => Promise<R>): Promise<R> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof NeedsAdmission)) throw error;
    await admit(request);
    return await work();
  }
}
