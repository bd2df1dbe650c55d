import { isDatabaseUnavailable } from "../../db/failures.ts";
import { coalesce } from "../../jobs/coalesce.ts";
import { Interrupted, type JobContext, LeaseLost } from "../../jobs/task.ts";
import { monotonicMs, pause, systemClock } from "../../platform/clock.ts";
import type { Outbound } from "../../platform/outbound/index.ts";
import type { Services } from "../../services.ts";
import { type Attempted, createAttempt } from "./attempt.ts";
import { type Claim, loadDue, type Outcome, recordOutcomes } from "./delivery-store.ts";
import type { DeliverJob } from "./enqueue.ts";
import type { Lanes } from "./lanes.ts";
import type { Parking } from "./parking.ts";

/** Pauses between tries to write an outcome down while the database is away; a few seconds, as a restart takes. */
const RECORD_PAUSES_MS = [200, 500, 1_000, 2_000, 4_000];

/**
 * Runs a delivery job: takes a place of the endpoint, or parks the delivery where there is none; sends one attempt; writes
 * down what came of it together with the job of the next attempt. What another run has taken over is left alone.
 */
export function createDeliver(services: Services, outbound: Outbound, lanes: Lanes, parking: Parking) {
  const { db, clock, config } = services;
  const attempt = createAttempt(services, outbound);
  const load = coalesce((claims: readonly Claim[]) => loadDue(db, claims));
  const record = coalesce((outcomes: readonly Outcome[]) => recordOutcomes(db, outcomes));

  const outcomeOf = (claim: Claim, attempted: Attempted): Outcome => {
    const { webhookRetryDelaysSeconds: delays, webhookMaxAttempts } = config;
    const { attempt: number } = claim.job;
    const now = clock.now();
    const end = { claim, attempt: attempted, nextAttemptAt: null, completedAt: now, delayMs: null };
    if (attempted.error === null) return { ...end, status: "delivered" };
    if (number >= webhookMaxAttempts || attempted.error === "webhook_inactive") return { ...end, status: "failed" };
    const delayMs = (delays[Math.min(number, delays.length) - 1] ?? 0) * 1_000;
    const nextAttemptAt = new Date(now.getTime() + delayMs);
    return { ...end, status: "retry_scheduled", nextAttemptAt, completedAt: null, delayMs };
  };

  /** What was sent cannot be taken back: not to send it again, the database is given some time to come back. */
  const persist = async (outcome: Outcome): Promise<boolean> => {
    for (const pauseMs of RECORD_PAUSES_MS) {
      try {
        return await record(outcome);
      } catch (error) {
        if (!isDatabaseUnavailable(error)) throw error;
        await pause(systemClock, pauseMs);
      }
    }
    return record(outcome);
  };

  /** One attempt in a place of its endpoint; answers whether the endpoint let it time out. */
  const run = async (claim: Claim, signal: AbortSignal): Promise<boolean> => {
    const { held, due } = await load(claim);
    if (!held) throw new LeaseLost();
    if (!due) return false;
    const attempted = await attempt({ ...claim.job, due, signal });
    if (!(await persist(outcomeOf(claim, attempted)))) throw new LeaseLost();
    return attempted.error === "timeout";
  };

  return async (job: DeliverJob, { lease, signal }: JobContext): Promise<void> => {
    if (signal.aborted) throw new Interrupted();
    const claim = { job, lease };
    const { webhookId } = job;
    const mayEnter = job.released || !parking.isQueueing(webhookId);
    if (!mayEnter || !(await lanes.enter(webhookId))) return parking.park(claim);
    const startedMs = monotonicMs();
    let timedOut = false;
    try {
      timedOut = await run(claim, signal);
    } finally {
      lanes.leave(webhookId, monotonicMs() - startedMs, timedOut);
      parking.goOn(webhookId);
    }
  };
}
