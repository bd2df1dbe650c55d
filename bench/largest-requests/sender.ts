/**
 * The process of the user who sends the largest requests, so that what others see is measured without its work. It makes an
 * estimation over the service that it is started with, and sends to the one that it is told.
 */
import { makeRequests, signUp } from "./requests.ts";

const AT_ONCE = 8;
const AFTER_REFUSAL_MS = 250;

let [, , url = ""] = process.argv;
const requests = Object.values(await makeRequests(await signUp(() => url, "largest@example.com")));

process.on("message", async (message: { url: string; ms: number }) => {
  url = message.url;
  const end = performance.now() + message.ms;
  const statuses: Record<number, number> = {};
  await Promise.all(
    Array.from({ length: AT_ONCE }, async (_, client) => {
      for (let at = client * 3; performance.now() < end; at += 1) {
        const { status } = (await requests[at % requests.length]?.()) ?? { status: 0 };
        statuses[status] = (statuses[status] ?? 0) + 1;
        if (status >= 400 || status === 0) await new Promise((resolve) => setTimeout(resolve, AFTER_REFUSAL_MS));
      }
    }),
  );
  process.send?.(statuses);
});
process.on("disconnect", () => process.exit(0));
process.send?.("ready");
