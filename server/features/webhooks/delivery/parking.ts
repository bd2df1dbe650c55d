import { retryConflicts } from "../../../db/failures.ts";
import { coalesce } from "../../../jobs/coalesce.ts";
import { LeaseLost } from "../../../jobs/job.ts";
import type { Services } from "../../../services.ts";
import type { Endpoint, Lanes } from "./lanes.ts";
import { endpointOf, findParked, type LeasedJob, type Parked, parkDeliveries, releaseParked } from "./store.ts";

/**
 * Parks deliveries whose endpoint has more to do than it can handle: they wait in the database without a job, so that
 * they cost nothing until their turn. Each time the endpoint finishes one, the oldest parked ones go on.
 */
export interface Parking {
  /** Returns whether deliveries to the webhook are parked, so that new ones queue behind them. */
  isQueueing(webhookId: string): boolean;
  /** Parks a delivery. Throws `LeaseLost` if another run holds it by now. */
  park(leased: LeasedJob): Promise<void>;
  /**
   * After an attempt: releases as many deliveries as the endpoint can take, or those of endpoints whose turn comes
   * first. Never throws; callers do not wait for it.
   */
  goOn(endpoint: Endpoint): void;
  /** Releases deliveries parked by a worker that is gone. Each call looks at the next few webhooks. */
  sweep(): Promise<void>;
}

/** Webhooks checked in one sweep. */
const SWEPT = 1_000;

interface ParkingOptions {
  readonly swept?: number;
  /** Aborted when the worker stops: parked deliveries then wait for the sweep of the next one. */
  readonly stopping?: AbortSignal;
}

export function createParking(
  { pool, log }: Pick<Services, "pool" | "log">,
  lanes: Lanes,
  { swept = SWEPT, stopping }: ParkingOptions = {},
): Parking {
  const queueing = new Set<string>();
  /** Webhooks whose deliveries are being released, and whether another one was parked since that started. */
  const releasing = new Map<string, boolean>();
  const park = coalesce((leasedJobs: readonly LeasedJob[]) => retryConflicts(() => parkDeliveries(pool, leasedJobs)));
  // One statement at a time for all webhooks: each on its own would take a connection that requests need.
  const releaseSome = coalesce((wanted: readonly Parked[]) => releaseParked(pool, wanted));
  /** Where the last sweep ended; empty if it reached the end. */
  let sweptTo = "";

  const release = async (endpoint: Endpoint): Promise<void> => {
    const { webhookId } = endpoint;
    if (!queueing.has(webhookId) || releasing.has(webhookId)) return;
    try {
      for (let again = true; again; ) {
        const most = lanes.room(endpoint);
        if (most === 0) return;
        releasing.set(webhookId, false);
        const isLast = (await releaseSome({ webhookId, most })) < most;
        // A delivery parked meanwhile may have been missed, and nothing else would release it.
        again = isLast && releasing.get(webhookId) === true;
        if (isLast && !again) queueing.delete(webhookId);
      }
    } finally {
      releasing.delete(webhookId);
    }
  };

  const letGoOn = (endpoint: Endpoint): void => {
    if (stopping?.aborted) return;
    const { webhookId } = endpoint;
    // The next sweep repairs what fails here.
    release(endpoint).catch((error) => log.warn({ err: error, webhookId }, "parked deliveries could not go on"));
  };

  lanes.onMoment((endpoint) => {
    letGoOn(endpoint);
    return !stopping?.aborted && queueing.has(endpoint.webhookId);
  });

  return {
    isQueueing: (webhookId) => queueing.has(webhookId),
    async park(leased) {
      const { webhookId } = leased.job;
      const held = await park(leased);
      queueing.add(webhookId);
      // The last one under way may have ended before this one was parked; then nothing else would release it.
      if (releasing.has(webhookId)) releasing.set(webhookId, true);
      else letGoOn(endpointOf(leased.job));
      if (!held) throw new LeaseLost();
    },
    goOn(endpoint) {
      for (const next of lanes.turnsAfter(endpoint, (other) => queueing.has(other.webhookId))) letGoOn(next);
    },
    async sweep() {
      const { endpoints, last } = await findParked(pool, sweptTo, swept);
      for (const endpoint of endpoints) {
        // Advance even if the next one fails, so that it does not block those behind it.
        sweptTo = endpoint.webhookId;
        queueing.add(endpoint.webhookId);
        await release(endpoint);
      }
      sweptTo = last ?? "";
    },
  };
}
