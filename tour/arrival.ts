import { GENUINE, linesOf } from "../clients/cli/listen/lines.ts";
import type { Receiver } from "../clients/cli/listen/receiver.ts";
import { faultOf } from "../clients/cli/listen/signature.ts";
import type { Delivery } from "../contract/endpoints/webhooks.ts";
import type { AttemptError } from "../contract/values/attempt-errors.ts";
import { type Clock, monotonicMs, sleep } from "../server/platform/clock.ts";
import { TourFailure } from "./failure.ts";

export interface Expectation {
  readonly event: string;
  readonly receiver: Receiver;
  readonly secret: string;
  readonly clock: Pick<Clock, "now">;
  /** The webhook's latest delivery, if there is one. */
  readonly latest: () => Promise<Delivery | undefined>;
  /** Throws if waiting is no longer useful. */
  readonly goOn: () => void;
}

const PATIENCE_MS = 15_000;

/** What to do about an attempt that failed. */
const ADVICE: Partial<Record<AttemptError, string>> = {
  certificate: "the service does not trust the receiver: give the tour the same DATA_DIR as the service",
  no_usable_address: "the service may not connect to this machine: start it with WEBHOOK_ALLOWED_NETWORKS=127.0.0.0/8",
  connection_refused:
    "the service runs on another machine or in a container; the tour's receiver listens on this one only",
};

/**
 * Waits until the receiver has got `event` and the service knows it, and returns the request as lines to show. Throws
 * `TourFailure` where it does not come, or is not signed as it should be.
 */
export async function expectEvent(expectation: Expectation): Promise<readonly string[]> {
  const { event, receiver, secret, clock } = expectation;
  await delivered(expectation);
  const request = receiver.received.find(({ headers }) => headers["x-service-event"] === event);
  if (!request) throw new TourFailure(`${event} counts as delivered, but the receiver never got it`);
  const fault = faultOf({ ...request, secret, now: clock.now() });
  if (fault !== null) throw new TourFailure(`${event} arrived, but ${fault}`);
  return [...linesOf(request), GENUINE];
}

async function delivered({ event, latest, goOn }: Expectation): Promise<void> {
  const endMs = monotonicMs() + PATIENCE_MS;
  while (monotonicMs() < endMs) {
    goOn();
    const delivery = await latest();
    if (delivery?.event === event && delivery.status === "delivered") return;
    const error = delivery?.attempts.at(-1)?.error ?? null;
    if (error !== null) throw new TourFailure(`${event} could not be delivered (${error})${adviceFor(error)}`);
    await sleep(50);
  }
  throw new TourFailure(`${event} was not delivered within ${PATIENCE_MS / 1_000} s: does a worker run?`);
}

const adviceFor = (error: AttemptError): string => (ADVICE[error] ? `: ${ADVICE[error]}` : "");
