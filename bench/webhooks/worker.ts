/** The service's worker in a process of its own, as it runs in production. Arguments: the data directory, the connection as JSON. */

import { startService } from "../../server/app.ts";
import { loadConfig } from "../../server/config.ts";
import { createLog } from "../../server/platform/log.ts";

const [, , dataDir, connection = "{}"] = process.argv;
const service = await startService({
  config: loadConfig({ DATA_DIR: dataDir, WEBHOOK_DELIVERIES_PER_MINUTE: "1000000000" }),
  connection: JSON.parse(connection),
  log: createLog("warn"),
  only: "worker",
});
process.on("message", () => process.send?.(process.cpuUsage()));
process.on("disconnect", () => void service.stop().then(() => process.exit()));
process.send?.({ ready: true });
