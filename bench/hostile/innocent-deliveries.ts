/**
 * An innocent user with a webhook, whose receiver is in this process: deliveries are asked for at fixed times, each timed
 * from when it was due until it was received.
 */
import { createClient } from "../../contract/client/client.ts";
import { startReceiver } from "../../tests/support/receiver.ts";
import { doSteadily, type Ending, serve, TIMEOUT_MS } from "./fared.ts";

const EVERY_MS = 100;

const [, , url = "", dataDir = ""] = process.argv;
const expected = new Map<string, () => void>();
/** Deliveries that came before the response that names them. */
const early = new Set<string>();
const receiver = await startReceiver(({ headers }, response) => {
  const id = headers["x-service-delivery"] ?? "";
  const received = expected.get(id);
  if (received) received();
  else early.add(id);
  response.end();
});
receiver.trustedBy(dataDir);

let token: string | null = null;
const client = createClient(url, () => token);
const registered = await client.registerUser({
  body: { email: "subscriber@example.com", password: "correct horse battery" },
});
token = registered.data.token;
const { data } = await client.createWebhook({ body: { url: `${receiver.url}/hook`, events: [] } });

async function deliver(): Promise<Ending> {
  const { promise, resolve } = Promise.withResolvers<Ending>();
  const late = setTimeout(resolve, TIMEOUT_MS, "failed");
  try {
    const asked = await client.testWebhook({ params: { id: data.webhook.id } });
    const { id } = asked.data.delivery;
    expected.set(id, () => resolve("done"));
    if (early.delete(id)) resolve("done");
    return await promise;
  } catch {
    return "failed";
  } finally {
    clearTimeout(late);
  }
}

serve((seconds) => doSteadily(EVERY_MS, seconds, deliver));
