/** The service in a process of its own, as it runs in production but for the worker; once for each of the given settings. */
import { pino } from "pino";
import { startService } from "../../server/app.ts";
import { loadConfig } from "../../server/config.ts";

const [connection = "{}", dataDir, settings = "[{}]"] = process.argv.slice(2);
const urls: string[] = [];
for (const more of JSON.parse(settings) as Record<string, string>[]) {
  const service = await startService({
    config: loadConfig({ DATA_DIR: dataDir, PORT: "0", RATE_LIMIT_PER_MINUTE: "1000000000", ...more }),
    connection: JSON.parse(connection),
    log: pino({ level: "warn" }),
    only: "api",
  });
  urls.push(service.url);
}
process.on("SIGINT", () => process.exit(0));
process.on("message", () => {
  globalThis.gc?.();
  process.send?.({ heapUsed: process.memoryUsage().heapUsed, rss: process.memoryUsage().rss });
});
process.send?.({ url: urls[0], urls });
