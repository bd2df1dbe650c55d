import { retryConflicts } from "../../../db/failures.ts";
import { coalesce } from "../../../jobs/coalesce.ts";
import { LeaseLost } from "../../../jobs/job.ts";
import type { Services } from "../../../services.ts";
import type { Endpoint, Lanes } from "./lanes.ts";
import { endpointOf, findParked, type LeasedJob, parkDeliveries, releaseParked } from "./store.ts";

/**
 * Where deliveries wait whose endpoint has more to do than it gets through: in the database, without a job, so that they
 * cost nothing until it is their turn. Each time the endpoint gets through one, the oldest go on.
 */
export interface Parking {
  /** Whether deliveries to the webhook wait, so that new ones queue behind them. */
  isQueueing(webhookId: string): boolean;
  /** Lets a delivery wait. Throws `LeaseLost` where it is another run's by now. */
  park(leased: LeasedJob): Promise<void>;
  /**
   * After an attempt: lets as many go on as the endpoint can take, or as those can whose turn it is before. Never throws
   * and is not waited for.
   */
  goOn(endpoint: Endpoint): void;
  /** Looks for deliveries that wait for a worker that is gone: at those of some webhooks, of the next ones every time. */
  sweep(): Promise<void>;
}

/** Webhooks looked at in one sweep. */
const SWEPT = 1_000;

export function createParking({ pool, log }: Pick<Services, "pool" | "log">, lanes: Lanes, swept = SWEPT): Parking {
  const queueing = new Set<string>();
  /** Webhooks of which deliveries are being released, and whether another one was parked since that began. */
  const releasing = new Map<string, boolean>();
  const park = coalesce((leasedJobs: readonly LeasedJob[]) => retryConflicts(() => parkDeliveries(pool, leasedJobs)));
  /** Where the last sweep ended; empty: at the end. */
  let sweptTo = "";

  const release = async (endpoint: Endpoint): Promise<void> => {
    const { webhookId } = endpoint;
    if (!queueing.has(webhookId) || releasing.has(webhookId)) return;
    try {
      for (let again = true; again; ) {
        const most = lanes.room(endpoint);
        if (most === 0) return;
        releasing.set(webhookId, false);
        const isLast = (await releaseParked(pool, webhookId, most)) < most;
        // What was parked meanwhile may not have been seen, and nobody else lets it go on.
        again = isLast && releasing.get(webhookId) === true;
        if (isLast && !again) queueing.delete(webhookId);
      }
    } finally {
      releasing.delete(webhookId);
    }
  };

  const letGoOn = (endpoint: Endpoint): void => {
    const { webhookId } = endpoint;
    // What goes wrong here is mended by the next sweep.
    release(endpoint).catch((error) => log.warn({ err: error, webhookId }, "parked deliveries could not go on"));
  };

  return {
    isQueueing: (webhookId) => queueing.has(webhookId),
    async park(leased) {
      const { webhookId } = leased.job;
      const held = await park(leased);
      queueing.add(webhookId);
      // The last one under way may have ended before this one was parked; then nobody else would let it go on.
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
        // Also where the next one fails: it must not keep those behind it from being looked at.
        sweptTo = endpoint.webhookId;
        queueing.add(endpoint.webhookId);
        await release(endpoint);
      }
      sweptTo = last ?? "";
    },
  };
}
