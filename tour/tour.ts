import type { Clock } from "../server/platform/clock.ts";
import { estimate } from "./estimate.ts";
import { startReceiver } from "./receiver.ts";
import { revokeKey, signUp } from "./sign-up.ts";
import { createStage, type Scene } from "./stage.ts";
import { tellWebhook } from "./tell-webhook.ts";

export interface Tour {
  /** Where the service is, without a slash at the end. */
  readonly baseUrl: string;
  /** The service's data directory: it trusts the tour's receiver by a file that is put there. */
  readonly dataDir: string;
  readonly clock: Pick<Clock, "now">;
  readonly tell: (scene: Scene) => void;
}

/** Plays the whole tour. Throws `TourFailure` as soon as something is not as it should be. */
export async function playTour({ baseUrl, dataDir, clock, tell }: Tour): Promise<void> {
  const stage = createStage(baseUrl, tell);
  const receiver = await startReceiver(dataDir);
  try {
    const account = await signUp(stage);
    const plan = await estimate(stage);
    await tellWebhook(stage, { plan, receiver, clock });
    await revokeKey(stage, account, plan);
  } finally {
    await receiver.close();
  }
}
