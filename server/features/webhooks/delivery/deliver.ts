import { blamesData, retryConflicts } from "../../../db/failures.ts";
import { coalesce } from "../../../jobs/coalesce.ts";
import { Interrupted, type JobContext, LeaseLost } from "../../../jobs/job.ts";
import { monotonicMs, pause, systemClock } from "../../../platform/clock.ts";
import type { Outbound } from "../../../platform/outbound/index.ts";
import type { Services } from "../../../services.ts";
import type { DeliverJob } from "../enqueue.ts";
import { type Attempted, createAttempt } from "./attempt.ts";
import type { Lanes, Passage, Slot } from "./lanes.ts";
import { createNoteBegun } from "./note-begun.ts";
import { type Outcome, recordOutcomes } from "./outcome-store.ts";
import type { Parking } from "./parking.ts";
import { type DueDelivery, endpointOf, type LeasedJob, loadDue } from "./store.ts";

/**
 * Pauses between tries to write an outcome when that fails: a few seconds in all, as long as a restart of the database.
 */
const RECORD_PAUSES_MS = [200, 500, 1_000, 2_000, 4_000];

/** How long data read before sending is valid; a wait for a slot is shorter. */
const FRESH_MS = 1_000;

interface Loaded {
  readonly held: boolean;
  readonly due: DueDelivery | null;
  /** When the query was sent, on the monotonic clock. */
  readonly atMs: number;
}

/**
 * Runs a delivery job: takes a slot of the endpoint, or parks the delivery if there is none; sends one attempt; writes
 * its outcome together with the job for the next attempt. Changes nothing if another run has taken the job over.
 */
export function createDeliver(services: Services, outbound: Outbound, lanes: Lanes, parking: Parking) {
  const { pool, clock, config, log } = services;
  const attempt = createAttempt(services, outbound);
  const load = coalesce(async (leasedJobs: readonly LeasedJob[]): Promise<Loaded[]> => {
    const atMs = monotonicMs();
    return (await loadDue(pool, leasedJobs)).map((one) => ({ ...one, atMs }));
  });
  const noteBegun = createNoteBegun(services);
  const record = coalesce((outcomes: readonly Outcome[]) => retryConflicts(() => recordOutcomes(pool, outcomes)));

  const outcomeOf = (leased: LeasedJob, attempted: Attempted): Outcome => {
    const { webhookRetryDelaysSeconds: delays, webhookMaxAttempts } = config;
    const { attempt: number } = leased.job;
    // As if it had taken no time: how long a name took to resolve tells whether the internal network has it.
    const now = attempted.error === "no_usable_address" ? new Date(attempted.startedAt) : clock.now();
    const end = { leased, attempt: attempted, nextAttemptAt: null, completedAt: now, delayMs: null };
    if (attempted.error === null) return { ...end, status: "delivered" };
    if (number >= webhookMaxAttempts || attempted.error === "webhook_inactive") return { ...end, status: "failed" };
    const pauseMs = (delays[Math.min(number, delays.length) - 1] ?? 0) * 1_000;
    const nextAttemptAt = new Date(now.getTime() + pauseMs);
    const delayMs = Math.max(0, nextAttemptAt.getTime() - clock.now().getTime());
    return { ...end, status: "retry_scheduled", nextAttemptAt, completedAt: null, delayMs };
  };

  /**
   * A request cannot be taken back. To avoid sending it again, the write is retried for a while, whatever the error.
   */
  const persist = async (outcome: Outcome): Promise<boolean> => {
    let written = outcome;
    for (const pauseMs of RECORD_PAUSES_MS) {
      try {
        return await record(written);
      } catch (error) {
        if (blamesData(error)) {
          // Only headers and body come from outside. Better to log without them than to send the delivery again for
          // ever.
          const { deliveryId } = outcome.leased.job;
          log.error({ err: error, deliveryId }, "an answer could not be written down; it is left out of the log");
          written = withoutAnswer(outcome);
        }
      }
      await pause(systemClock, pauseMs);
    }
    return record(written);
  };

  /**
   * Sends one attempt in a slot of its endpoint and releases the slot; null if there was nothing to send. `noted`
   * resolves when the outcome may be written.
   */
  const sendInSlot = async (
    slot: Slot,
    leased: LeasedJob,
    loading: Promise<Loaded>,
    signal: AbortSignal,
  ): Promise<{ attempted: Attempted; noted: Promise<void> } | null> => {
    let startedMs = monotonicMs();
    let attempted: Attempted | null = null;
    try {
      let loaded = await loading;
      // If the process was paused meanwhile, another run may hold the job by now.
      if (monotonicMs() - loaded.atMs > FRESH_MS) loaded = await load(leased);
      if (!loaded.held) throw new LeaseLost();
      startedMs = monotonicMs();
      if (!loaded.due) return null;
      const over = noteBegun(leased);
      attempted = await attempt({ ...leased.job, due: loaded.due, signal });
      return { attempted, noted: over() };
    } finally {
      slot.leave(passageOf(attempted, monotonicMs() - startedMs));
      parking.goOn(endpointOf(leased.job));
    }
  };

  return async (job: DeliverJob, { lease, signal }: JobContext): Promise<void> => {
    if (signal.aborted) throw new Interrupted();
    const leased = { job, lease };
    const endpoint = endpointOf(job);
    // Queues behind those already waiting, unless the endpoint is so quick that the order makes no difference.
    const mayEnter = job.released || !parking.isQueueing(job.webhookId) || lanes.isQuick(endpoint);
    const entering = mayEnter ? lanes.enter(endpoint) : null;
    if (entering === null) return parking.park(leased);
    // Read while waiting for the slot, for many deliveries at once: a slot is held only as long as the endpoint takes.
    const loading = load(leased);
    // An error is handled where the result is awaited; if the delivery is parked instead, nobody needs the result.
    loading.catch(() => {});
    const slot = await entering;
    if (slot === null) return parking.park(leased);
    const sent = await sendInSlot(slot, leased, loading, signal);
    if (sent === null) return;
    await sent.noted;
    if (!(await persist(outcomeOf(leased, sent.attempted)))) throw new LeaseLost();
  };
}

/** Returns what an attempt says about its endpoint; null if nothing was sent. */
function passageOf(attempted: Attempted | null, durationMs: number): Passage | null {
  if (!attempted || attempted.error === "webhook_inactive" || attempted.error === "internal") return null;
  return { durationMs, failed: attempted.error !== null, timedOut: attempted.error === "timeout" };
}

const withoutAnswer = (outcome: Outcome): Outcome => ({
  ...outcome,
  attempt: { ...outcome.attempt, responseHeaders: null, responseBody: null },
});
