import type { Finding } from "./finding.ts";
import { FIRST_SLOTS, SLOTS } from "./peaks.ts";
import { ENDPOINTS, OPEN, type Stage } from "./stage.ts";
import { until } from "./until.ts";

/** How long an endpoint takes to respond. */
const RESPONSE_MS = 20;
/** A slot is free again after a response, and timers may be a millisecond early. */
const MOST_PER_SECOND = SLOTS * (Math.ceil(1_000 / (RESPONSE_MS - 1)) + 1);

/**
 * Starts a worker when many deliveries are overdue, and observes how they arrive. The number of requests under way to each
 * endpoint is limited, and so is, at a slow endpoint, the number that it gets within a second.
 */
export async function startOverdue(stage: Stage, overdue: number): Promise<Finding[]> {
  const { receipts } = stage;
  await stage.fillOverdue(overdue);
  // As if nothing had been sent to them yet.
  await stage.pool.query("update webhook_health set slots = $1, last_ms = null", [FIRST_SLOTS]);
  const requests = receipts.requests();
  receipts.takePeaks();
  receipts.respond({ afterMs: RESPONSE_MS });
  await stage.worker().start();
  const ms = await until("all is delivered", async () => (await stage.count(OPEN)) === 0, receipts.requests);
  const { endpoint, all, beyondSlots, endpointPerSecond } = receipts.takePeaks();
  return [
    { what: `${overdue} overdue: most requests at once to one endpoint`, measured: endpoint, most: SLOTS },
    {
      what: `${overdue} overdue: requests at once to one endpoint beyond ${FIRST_SLOTS} and one for each of its responses`,
      measured: beyondSlots,
      exactly: 0,
    },
    { what: `${overdue} overdue: most requests at once`, measured: all, most: SLOTS * ENDPOINTS },
    {
      what: `${overdue} overdue: most requests within a second to one endpoint that responds after ${RESPONSE_MS} ms`,
      measured: endpointPerSecond,
      most: MOST_PER_SECOND,
    },
    { what: `${overdue} overdue: seconds until all are delivered`, measured: Math.round(ms / 1_000) },
    { what: `${overdue} overdue: requests`, measured: receipts.requests() - requests, exactly: overdue },
  ];
}
