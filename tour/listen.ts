/** `npm run listen`: receives, verifies and shows webhooks until Ctrl-C. Takes the service's own settings. */
import { parseArgs } from "node:util";
import { Failure } from "../clients/cli/failure.ts";
import { DEFAULT_PORT, listen } from "../clients/cli/listen/listen.ts";
import { ConfigError, loadConfig } from "../server/config.ts";
import { TourFailure } from "./failure.ts";

const usage = `Usage: npm run listen [-- options]

Receives webhooks of a service that runs on this machine, verifies and shows them until Ctrl-C. It needs the service's
DATA_DIR, if that is not the default, so that the service trusts its certificate.

  --port <port>              listens there (${DEFAULT_PORT}); 0 chooses a free port
  --forward <port or URL>    sends each webhook on to a program on this machine, and its response back to the service
  --http                     speaks plain HTTP, for a tunnel or a proxy in front: the service sends to https only`;

async function main(): Promise<void> {
  const { values } = readArguments();
  if (values.help) return console.log(usage);
  const { dataDir } = loadConfig();
  const stopping = new AbortController();
  // From now on there is something to remove at the end.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stopping.abort());
  await listen({
    port: values.port,
    forward: values.forward,
    dataDir: values.http ? null : dataDir,
    secrets: [],
    signal: stopping.signal,
  });
}

function readArguments() {
  try {
    return parseArgs({
      options: {
        help: { type: "boolean", short: "h" },
        port: { type: "string", default: DEFAULT_PORT },
        forward: { type: "string" },
        http: { type: "boolean", default: false },
      },
    });
  } catch (error) {
    throw new TourFailure(`${error instanceof Error ? error.message : error}\n\n${usage}`);
  }
}

process.stdout.on("error", () => process.exit(1));

await main().catch((error: unknown) => {
  if (!(error instanceof Failure) && !(error instanceof ConfigError)) throw error;
  console.error(`listen: ${error.message}`);
  process.exitCode = 1;
});
