/**
 * The reference that the service is measured against: a loop around undici's `request` over the same TLS to the same
 * receiver, posting what a delivery posts. A message with the number of requests and of loops gets as a reply how long
 * they took.
 */
import { Pool } from "undici";

const [, , url = "", certificate = "", body = "{}"] = process.argv;
const headers = {
  "Content-Type": "application/json",
  "User-Agent": "Service-Webhooks/1.0",
  "X-Service-Event": "estimation.tasks_generated",
  "X-Service-Delivery": "wd_01k6z0c9v3e8rbt5w2yq4nmhxd",
  "X-Service-Signature": `sha256=${"0".repeat(64)}`,
  "webhook-id": "wd_01k6z0c9v3e8rbt5w2yq4nmhxd",
  "webhook-timestamp": "1790000000",
  "webhook-signature": `v1,${"A".repeat(43)}=`,
};
const pool = new Pool(url, { connect: { ca: certificate }, pipelining: 1 });

async function send(amount: number, loops: number): Promise<{ ms: number; cpuMs: number }> {
  let left = amount;
  const cpu = process.cpuUsage();
  const begin = performance.now();
  const loop = async () => {
    while (left-- > 0) {
      const response = await pool.request({ path: "/bare", method: "POST", headers, body });
      if (response.statusCode !== 200) throw new Error(`the receiver returned ${response.statusCode}`);
      await response.body.dump();
    }
  };
  await Promise.all(Array.from({ length: loops }, loop));
  const { user, system } = process.cpuUsage(cpu);
  return { ms: performance.now() - begin, cpuMs: (user + system) / 1_000 };
}

process.on("message", ({ amount, loops }: { amount: number; loops: number }) => {
  void send(amount, loops).then((took) => process.send?.(took));
});
process.on("disconnect", () => process.exit());
process.send?.({ ready: true });
