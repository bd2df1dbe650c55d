/** The service in a process of its own, as it runs in production but for the worker. */
import { pino } from "pino";
import { startService } from "../../server/app.ts";
import { loadConfig } from "../../server/config.ts";

const service = await startService({
  config: loadConfig({ DATA_DIR: process.argv[3], PORT: "0", RATE_LIMIT_PER_MINUTE: "1000000000" }),
  connection: JSON.parse(process.argv[2] ?? "{}"),
  log: pino({ level: "warn" }),
  only: "api",
});
process.on("SIGINT", () => process.exit(0));
process.on("message", () => {
  globalThis.gc?.();
  process.send?.({ heapUsed: process.memoryUsage().heapUsed, rss: process.memoryUsage().rss });
});
process.send?.({ url: service.url });
