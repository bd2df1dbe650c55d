/** The whole service, worker included, in a process of its own; limits of attempts are out of the way. */
import { pino } from "pino";
import { startService } from "../../server/app.ts";
import { loadConfig } from "../../server/config.ts";

const ANY = "1000000000";
const service = await startService({
  config: loadConfig({
    DATA_DIR: process.argv[3],
    PORT: "0",
    RATE_LIMIT_PER_MINUTE: ANY,
    RATE_LIMIT_AUTH_PER_MINUTE: ANY,
  }),
  connection: JSON.parse(process.argv[2] ?? "{}"),
  log: pino({ level: "warn" }),
});
process.send?.({ url: service.url });
