import type { DeliveryStatus } from "../../../../contract/endpoints/webhooks.ts";
import type { EventName } from "../../../../contract/events.ts";

/** Which deliveries of a webhook show, as the address says. */
export interface LogSearch {
  readonly status?: DeliveryStatus | undefined;
  readonly event?: EventName | undefined;
}

const STATUSES: Readonly<Record<DeliveryStatus, true>> = {
  pending: true,
  retry_scheduled: true,
  delivered: true,
  failed: true,
};

/** Reads an address; a status that does not exist is left out. Which events exist, the service knows. */
export const readLogSearch = ({ status, event }: Record<string, unknown>): LogSearch => ({
  status: typeof status === "string" && Object.hasOwn(STATUSES, status) ? (status as DeliveryStatus) : undefined,
  event: typeof event === "string" && event !== "" ? (event as EventName) : undefined,
});
