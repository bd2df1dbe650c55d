import { bytesOf } from "./bytes.ts";
import type { RawBody } from "./raw-body.ts";
import { keysOf } from "./secret.ts";
import { serviceSignature, standardSignature } from "./signature.ts";

export interface SignOptions {
  /** The event that `X-Service-Event` names. */
  readonly event: string;
  /** The delivery's id, the same on every attempt; default: a new one. An envelope contains it, so give the same here. */
  readonly id?: string;
  /** When it is signed; default: the system's time. */
  readonly now?: () => Date;
}

/** The headers of a delivery. */
export interface SignedHeaders {
  readonly "content-type": string;
  readonly "x-service-event": string;
  readonly "x-service-delivery": string;
  readonly "x-service-signature": string;
  readonly "webhook-id": string;
  readonly "webhook-timestamp": string;
  readonly "webhook-signature": string;
}

/**
 * Returns the headers that the service sends with `rawBody`, signed with `secret`: for tests of a receiver, so that it can be
 * called as the service calls it. Of several secrets the first is the current one, and the others are those it replaced.
 *
 * @throws {TypeError} if it is called wrongly: without an event, with an invalid secret, or without a body.
 */
export async function sign(
  rawBody: RawBody,
  secret: string | readonly string[],
  { event, id = newId(), now = () => new Date() }: SignOptions,
): Promise<SignedHeaders & Record<string, string>> {
  if (typeof event !== "string" || event === "") throw new TypeError("sign needs the name of the event");
  const body = bytesOf(rawBody, "sign");
  const keys = keysOf(secret);
  const timestamp = String(Math.floor(now().getTime() / 1000));
  const signatures = keys.map(({ standard }) => standardSignature(body, { id, timestamp }, standard));
  return {
    "content-type": "application/json",
    "x-service-event": event,
    "x-service-delivery": id,
    "x-service-signature": await serviceSignature(body, (keys[0] as (typeof keys)[number]).service),
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": (await Promise.all(signatures)).join(" "),
  };
}

const LETTERS = "0123456789abcdefghjkmnpqrstvwxyz";

/** Returns an id in the form of the service's. */
const newId = (): string =>
  `wd_0${Array.from(crypto.getRandomValues(new Uint8Array(25)), (byte) => LETTERS[byte % LETTERS.length]).join("")}`;
