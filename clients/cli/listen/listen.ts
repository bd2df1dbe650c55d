import { createInterface } from "node:readline";
import { Failure } from "../failure.ts";
import { green, red, styled } from "../screen/style.ts";
import { cleanLines } from "../screen/text.ts";
import { forward, targetOf } from "./forward.ts";
import { GENUINE, linesOf } from "./lines.ts";
import { type Received, type Response, startReceiver } from "./receiver.ts";
import { faultOf } from "./signature.ts";

export const DEFAULT_PORT = "4443";

/** What can be said about listening on a command line. */
export interface ListenOptions {
  readonly port: string;
  /** A port of this machine, or a URL. */
  readonly forward: string | undefined;
  /** Data directory of the service that has to trust the certificate; null: plain HTTP. */
  readonly dataDir: string | null;
  /** Secrets of webhooks that are known from the start. */
  readonly secrets: readonly string[];
  /** Ends it. */
  readonly signal: AbortSignal;
  /** Takes what comes, in place of showing it to a person; everything else then goes to the standard error output. */
  readonly take?: (taken: Taken) => void;
  /** Does something with the address while it listens, such as registering a webhook. */
  readonly meanwhile?: (url: string, learn: (secret: string) => void) => Promise<() => Promise<void>>;
}

/** A webhook request, with what is wrong with it; null if it is genuine, undefined if no secret is known. */
export interface Taken {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly fault: string | null | undefined;
}

const SECRET = /^whsec_[A-Za-z0-9+/]+=*$/;

/** Receives, verifies and shows webhooks until `signal`. Nothing of it remains then. Throws `Failure` if it cannot begin. */
export async function listen({ port: given, signal, dataDir, ...options }: ListenOptions): Promise<void> {
  const port = Number(given);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Failure(`--port ${given} is no port`, 2);
  const target = options.forward === undefined ? null : targetOf(options.forward);
  if (options.forward !== undefined && target === null)
    throw new Failure(`--forward ${options.forward} is neither a port nor a URL`, 2);
  const secrets = new Set<string>();
  const learn = (secret: string): void => {
    if (!SECRET.test(secret)) throw new Failure("That is no secret of a webhook: it begins with whsec_.", 2);
    secrets.add(secret);
  };
  for (const secret of options.secrets) learn(secret);

  const say = options.take ? console.error : console.log;
  const bold = styled("bold", options.take ? process.stderr : process.stdout);
  const respond = async (request: Received): Promise<Response> => {
    const forwarded = target === null ? null : await forward(request, target);
    const fault = faultIn(request, secrets);
    const { path, headers, body } = request;
    if (options.take) options.take({ path, headers, body: body.toString("utf8"), fault });
    else {
      const shown = linesOf(request).flatMap(cleanLines);
      console.log(`\n${[...shown, verdictOn(fault), ...(forwarded ? [forwarded.line] : [])].join("\n")}`);
    }
    return forwarded?.response ?? { status: 204 };
  };
  const stopped = new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve());
  });
  const where = dataDir === null ? { isPlain: true, dataDir: "" } : { isPlain: false, dataDir };
  const receiver = await startReceiver({ ...where, name: `listen-${port}`, port, respond });
  const input = createInterface({ input: process.stdin });
  try {
    const end = await options.meanwhile?.(receiver.url, learn);
    try {
      say(`
  Receiving webhooks at ${bold(receiver.url)}${end ? "" : `\n${HOW_TO_BEGIN}`}${target ? `\n    Forwarding to ${target}` : ""}
  Ctrl-C stops it`);
      input.on("line", (line) => {
        if (line.trim() !== "") say(takenAs(line.trim(), secrets));
      });
      await stopped;
    } finally {
      await end?.();
    }
  } finally {
    input.close();
    process.stdin.destroy();
    await receiver.close();
  }
}

const HOW_TO_BEGIN = `    Register that address, with any path, as the url of a webhook.
    Then paste the webhook's secret (whsec_…) here: without it nothing is verified.`;

function takenAs(given: string, secrets: Set<string>): string {
  if (!SECRET.test(given)) return "\nThat is no secret of a webhook: it begins with whsec_.";
  return `\nVerifying with ${secrets.add(given).size} secret${secrets.size > 1 ? "s" : ""}.`;
}

/** Judges a request by the known secrets: one that matches any of them is genuine. */
function faultIn({ body, headers }: Received, secrets: ReadonlySet<string>): string | null | undefined {
  const now = new Date();
  const faults = [...secrets].map((secret) => faultOf({ body, headers, secret, now }));
  return faults.includes(null) ? null : faults[0];
}

function verdictOn(fault: string | null | undefined): string {
  if (fault === undefined) return "Not verified: paste the webhook's secret (whsec_…) here.";
  return fault === null ? green(GENUINE) : red(`NOT genuine: ${fault}.`);
}
