/** `npm run listen`: receives, verifies and shows webhooks until Ctrl-C. Takes the service's own settings. */
import { createInterface } from "node:readline";
import { parseArgs, styleText } from "node:util";
import { ConfigError, loadConfig } from "../server/config.ts";
import { systemClock } from "../server/platform/clock.ts";
import { TourFailure } from "./failure.ts";
import { forward, targetOf } from "./forward.ts";
import { type Received, type Response, startReceiver } from "./receiver.ts";
import { GENUINE, linesOf } from "./show.ts";
import { faultOf } from "./signature.ts";

const DEFAULT_PORT = "4443";

const usage = `Usage: npm run listen [-- options]

Receives webhooks of a service that runs on this machine, verifies and shows them until Ctrl-C. It needs the service's
DATA_DIR, if that is not the default, so that the service trusts its certificate.

  --port <port>              listens there (${DEFAULT_PORT}); 0 chooses a free port
  --forward <port or URL>    sends each webhook on to a program on this machine, and its response back to the service
  --http                     speaks plain HTTP, for a tunnel or a proxy in front: the service sends to https only`;

const SECRET = /^whsec_[A-Za-z0-9+/]+=*$/;

async function main(): Promise<void> {
  const { values } = readArguments();
  if (values.help) return console.log(usage);
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new TourFailure(`--port ${values.port} is no port`);
  const target = values.forward === undefined ? null : targetOf(values.forward);
  if (values.forward !== undefined && target === null)
    throw new TourFailure(`--forward ${values.forward} is neither a port nor a URL`);

  const secrets = new Set<string>();
  const respond = async (request: Received): Promise<Response> => {
    const forwarded = target === null ? null : await forward(request, target);
    const lines = [...linesOf(request), verdictOn(request, secrets), ...(forwarded ? [forwarded.line] : [])];
    console.log(`\n${lines.join("\n")}`);
    return forwarded?.response ?? { status: 204 };
  };
  const { dataDir } = loadConfig();
  // From now on there is something to remove at the end.
  const stopped = new Promise<unknown>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, resolve);
  });
  const receiver = await startReceiver({ dataDir, name: `listen-${port}`, port, isPlain: values.http, respond });
  console.log(`
  Receiving webhooks at ${styleText("bold", receiver.url)}
    Register that address, with any path, as the url of a webhook.
    Then paste the webhook's secret (whsec_…) here: without it nothing is verified.${target ? `\n    Forwarding to ${target}` : ""}
  Ctrl-C stops it`);
  const input = createInterface({ input: process.stdin });
  input.on("line", (line) => {
    const given = line.trim();
    if (SECRET.test(given))
      console.log(`\nVerifying with ${secrets.add(given).size} secret${secrets.size > 1 ? "s" : ""}.`);
    else if (given !== "") console.log("\nThat is no secret of a webhook: it begins with whsec_.");
  });
  await stopped;
  input.close();
  process.stdin.destroy();
  await receiver.close();
}

/** Judges a request by the known secrets: one that matches any of them is genuine. */
function verdictOn({ body, headers }: Received, secrets: ReadonlySet<string>): string {
  const now = systemClock.now();
  const faults = [...secrets].map((secret) => faultOf({ body, headers, secret, now }));
  if (faults.includes(null)) return styleText("green", GENUINE);
  const [fault] = faults;
  return fault
    ? styleText("red", `NOT genuine: ${fault}.`)
    : "Not verified: paste the webhook's secret (whsec_…) here.";
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
  if (!(error instanceof TourFailure) && !(error instanceof ConfigError)) throw error;
  console.error(`listen: ${error.message}`);
  process.exitCode = 1;
});
