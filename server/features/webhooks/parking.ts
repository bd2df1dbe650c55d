import { coalesce } from "../../jobs/coalesce.ts";
import { LeaseLost } from "../../jobs/task.ts";
import type { Services } from "../../services.ts";
import { type Claim, findParked, parkDeliveries, releaseParked } from "./delivery-store.ts";
import type { Lanes } from "./lanes.ts";

/**
 * Where deliveries wait whose endpoint has more to do than it gets through: in the database, without a job, so that they
 * cost nothing until it is their turn. Each time the endpoint gets through one, the oldest go on.
 */
export interface Parking {
  /** Whether deliveries to the webhook wait, so that new ones queue behind them. */
  isQueueing(webhookId: string): boolean;
  /** Lets a delivery wait. Throws `LeaseLost` where it is another run's by now. */
  park(claim: Claim): Promise<void>;
  /** Lets as many go on as the endpoint can take; never throws and is not waited for. */
  goOn(webhookId: string): void;
  /** Looks for deliveries that wait for a worker that is gone. */
  sweep(): Promise<void>;
}

/** Webhooks looked at in one sweep. */
const SWEPT = 1_000;

export function createParking({ db, log }: Pick<Services, "db" | "log">, lanes: Lanes): Parking {
  const queueing = new Set<string>();
  const releasing = new Set<string>();
  const park = coalesce((claims: readonly Claim[]) => parkDeliveries(db, claims));

  const release = async (webhookId: string): Promise<void> => {
    const most = lanes.room(webhookId);
    if (most === 0 || !queueing.has(webhookId) || releasing.has(webhookId)) return;
    releasing.add(webhookId);
    try {
      if ((await releaseParked(db, webhookId, most)) < most) queueing.delete(webhookId);
    } finally {
      releasing.delete(webhookId);
    }
  };

  const goOn = (webhookId: string): void => {
    // What goes wrong here is mended by the next sweep.
    release(webhookId).catch((error) => log.warn({ err: error, webhookId }, "parked deliveries could not go on"));
  };

  return {
    isQueueing: (webhookId) => queueing.has(webhookId),
    async park(claim) {
      const { webhookId } = claim.job;
      const held = await park(claim);
      queueing.add(webhookId);
      // The last one under way may have ended before this one was parked; then nobody else would let it go on.
      goOn(webhookId);
      if (!held) throw new LeaseLost();
    },
    goOn,
    async sweep() {
      for (const webhookId of await findParked(db, SWEPT)) {
        queueing.add(webhookId);
        await release(webhookId);
      }
    },
  };
}
