import type { Stage } from "./stage.ts";
import type { UnderWay } from "./under-way.ts";
import { until } from "./until.ts";
import { type Step, steps } from "./worker.ts";

/**
 * When a worker is killed: at one of its steps, while one of its requests waits for a response, or after it has stored that
 * requests were refused and will be repeated.
 */
export type Death = Step | "sent" | "refused";
export const deaths: readonly Death[] = ["sent", "refused", ...steps];

export const WAITING_FOR_RETRY = "select count(*) from webhook_deliveries where status = 'retry_scheduled'";

/** Workers start one after the other, with their own deliveries, and are killed; returns how many retries waited then. */
export async function dieOneByOne(
  stage: Stage,
  underWay: UnderWay,
  { deaths, perDeath }: { deaths: readonly Death[]; perDeath: number },
): Promise<number> {
  const { receipts } = stage;
  // All load at the same time, because loading takes longest.
  const victims = deaths.map((death) => {
    const isStep = death !== "sent" && death !== "refused";
    return [death, stage.worker(isStep ? death : undefined)] as const;
  });
  let scheduled = 0;
  for (const [death, victim] of victims) {
    const kill = () => victim.process.kill("SIGKILL");
    await stage.emit(perDeath);
    if (death === "sent") {
      let requests = 0;
      receipts.onRequest = () => {
        requests += 1;
        if (requests === Math.ceil(perDeath / 4)) kill();
      };
    }
    if (death === "refused") receipts.respond({ status: 500 });
    await victim.start();
    if (death === "refused") {
      await until("retries wait", async () => (await stage.count(WAITING_FOR_RETRY)) >= perDeath / 4);
      kill();
    }
    await until(`the worker dies: ${death}`, () => victim.process.signalCode === "SIGKILL");
    receipts.onRequest = null;
    receipts.respond();
    // Its last requests may still be on their way; after that nothing moves, and the counts are exact.
    await receipts.allGone();
    underWay.note(await underWay.settled());
    if (death === "refused") scheduled += await stage.count(WAITING_FOR_RETRY);
  }
  return scheduled;
}
