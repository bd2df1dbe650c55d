import { pino } from "pino";
import { startService } from "../../server/app.ts";
import { loadConfig } from "../../server/config.ts";
import { mountEndpoints } from "./mount-endpoints.ts";
import { outsideEndpoints, outsideHandlers } from "./outside-endpoints.ts";

// A process that serves the rows which wait for a network, so that a test can kill it. It writes its address.
const { connection, dataDir, network } = JSON.parse(process.argv[2] ?? "{}");
const config = loadConfig({ DATA_DIR: dataDir, PORT: "0" });
const { services } = await startService({ config, connection, only: "api", log: pino({ level: "silent" }) });
const { url } = await mountEndpoints(services, outsideEndpoints, outsideHandlers(network));
process.stdout.write(`${url}\n`);
