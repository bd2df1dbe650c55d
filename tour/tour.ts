import { randomBytes } from "node:crypto";
import { startReceiver } from "../clients/cli/listen/receiver.ts";
import type { Clock } from "../server/platform/clock.ts";
import { estimate } from "./estimate.ts";
import { TourFailure } from "./failure.ts";
import { revokeKey, signUp } from "./sign-up.ts";
import { createStage, type Scene, type Stage } from "./stage.ts";
import { tellWebhook } from "./tell-webhook.ts";

export interface Tour {
  /** Where the service is, without a slash at the end. */
  readonly baseUrl: string;
  /** The service's data directory: it trusts the tour's receiver by a file that is put there. */
  readonly dataDir: string;
  readonly clock: Pick<Clock, "now">;
  readonly tell: (scene: Scene) => void;
  /** Aborting it stops the tour before its next step. */
  readonly signal?: AbortSignal;
}

/**
 * Plays the whole tour. Throws `TourFailure` as soon as something is not as expected, and `Stopped` when the signal is
 * aborted. However it ends, it removes what it made: receiver, webhook, estimation and key. Only the account stays.
 */
export async function playTour(tour: Tour): Promise<void> {
  const { baseUrl, dataDir, clock, tell, signal = new AbortController().signal } = tour;
  const email = `tour-${randomBytes(4).toString("hex")}@example.com`;
  const receiver = await startReceiver({ dataDir, name: "tour" });
  const variables = { API: `${baseUrl}/api`, EMAIL: email, HOOK: receiver.url };
  const stage = createStage({ baseUrl, tell, variables, signal });
  let token: string | null = null;
  try {
    const account = await signUp(stage, email, (given) => {
      token = given;
    });
    const plan = await estimate(stage);
    await tellWebhook(stage, { plan, receiver, clock });
    await revokeKey(stage, account, plan);
  } finally {
    await receiver.close();
    if (token !== null) await leaveNothing(stage, token);
  }
}

/** Removes what the tour made, with the session: the key may be revoked by now. */
async function leaveNothing(stage: Stage, token: string): Promise<void> {
  stage.use(token);
  const left = await stage.cleanUp();
  if (left.length > 0) throw new TourFailure(left.join("\n"));
}
