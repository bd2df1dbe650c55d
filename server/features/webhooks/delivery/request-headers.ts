import type { DeliveryHeader } from "../../../../contract/values/delivery-headers.ts";
import { type Signed, signatureHeaders } from "../../../platform/webhook-signature.ts";

interface Request extends Signed {
  /** Name of the event. */
  readonly event: string;
}

/** Returns the headers with which a delivery is sent. */
export const requestHeaders = ({ event, ...signed }: Request) =>
  ({
    "Content-Type": "application/json",
    "User-Agent": "Service-Webhooks/1.0",
    "X-Service-Event": event,
    "X-Service-Delivery": signed.deliveryId,
    ...signatureHeaders(signed),
  }) satisfies Record<DeliveryHeader | "Content-Type" | "User-Agent", string>;
