/** `npm run tour [address]`: plays the tour of docs/tour.md against a running service. Takes the service's own settings. */
import { parseArgs, styleText } from "node:util";
import { Failure } from "../clients/cli/failure.ts";
import { ConfigError, loadConfig } from "../server/config.ts";
import { systemClock } from "../server/platform/clock.ts";
import { Stopped, TourFailure } from "./failure.ts";
import { writeTour } from "./page.ts";
import { describe, type Scene } from "./stage.ts";
import { playTour } from "./tour.ts";

const usage = `Usage: npm run tour [-- address]

Plays the tour of docs/tour.md against a service that runs on this machine, by default where PORT or BASE_URL say. It
needs the service's DATA_DIR, if that is not the default, so that the service trusts the receiver that it starts.`;

const stopping = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    // A second request to stop means not to wait until everything is removed.
    if (stopping.signal.aborted) process.exit(1);
    stopping.abort();
  });
}
// Nobody reads on, as after `npm run tour | head`.
process.stdout.on("error", () => stopping.abort());

async function main(): Promise<number> {
  const { values, positionals } = readArguments();
  if (values.help) {
    console.log(usage);
    return 0;
  }
  const { baseUrl, dataDir } = loadConfig();
  const address = (positionals[0] ?? baseUrl).replace(/\/+$/, "");
  await checkReady(address);
  const scenes: Scene[] = [];
  const tell = (scene: Scene) => {
    scenes.push(scene);
    print(scene, scenes.length);
  };
  await playTour({ baseUrl: address, dataDir, clock: systemClock, tell, signal: stopping.signal });
  if (values.write) writeTour(scenes);
  console.log(`\n${styleText("bold", "All of it as it should be.")} The reference: ${address}/docs`);
  return 0;
}

function readArguments() {
  try {
    return parseArgs({
      options: { help: { type: "boolean", short: "h" }, write: { type: "boolean" } },
      allowPositionals: true,
    });
  } catch (error) {
    throw new TourFailure(`${error instanceof Error ? error.message : error}\n\n${usage}`);
  }
}

function print({ title, says, commands, response, received }: Scene, number: number): void {
  console.log(`\n${styleText("bold", `${number}. ${title}`)}\n${styleText("dim", says)}`);
  for (const lines of [commands, response, received]) if (lines.length > 0) console.log(`\n${lines.join("\n")}`);
}

/** Throws `TourFailure` unless the service is there, with its database. */
async function checkReady(address: string): Promise<void> {
  if (!/^https?:/.test(address) || !URL.canParse(address)) throw new TourFailure(`${address} is no address`);
  const status = await fetch(`${address}/readyz`).then(
    ({ status }) => status,
    (error: unknown) => {
      throw new TourFailure(`${describe(error, address)}; start the service in another terminal first: npm start`);
    },
  );
  if (status !== 200) throw new TourFailure(`what responds at ${address} is not ready (${status} from /readyz)`);
}

process.exitCode = await main().catch((error: unknown) => {
  if (error instanceof Stopped) {
    console.error("tour: stopped; what it made is removed");
    return 1;
  }
  if (!(error instanceof Failure) && !(error instanceof ConfigError)) throw error;
  console.error(`tour: ${error.message}`);
  return 1;
});
