import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Delivery } from "./deliveries.ts";

const execute = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));

/** A project that holds nothing but the installed package. */
export interface EmptyProject {
  readonly folder: string;
  /** Path of the packed package. */
  readonly tarball: string;
  write(file: string, text: string): Promise<void>;
  /** `run` in the folder. */
  run(program: string, ...words: string[]): Promise<string>;
  remove(): Promise<void>;
}

/** Runs a program in a folder; what it prints, or an error with all it printed. */
export async function run(folder: string, program: string, ...words: string[]): Promise<string> {
  try {
    return (await execute(program, words, { cwd: folder })).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${program} ${words.join(" ")}\n${stdout}${stderr}`, { cause: error });
  }
}

/** Packs a package, by default the receiver's, and installs it from the file, with no registry to take anything else from. */
export async function installPacked(script = "scripts/pack-receiver.ts"): Promise<EmptyProject> {
  const folder = await mkdtemp(join(tmpdir(), "estimation-installed-"));
  await run(folder, process.execPath, join(root, script), folder);
  const name = (await readdir(folder)).find((file) => file.endsWith(".tgz")) ?? "";
  const write = (file: string, text: string) => writeFile(join(folder, file), text);
  await write("package.json", '{ "private": true, "type": "module" }');
  const quiet = ["--offline", "--no-audit", "--no-fund", "--cache", join(folder, ".npm")];
  await run(folder, "npm", "install", ...quiet, `./${name}`);
  return {
    folder,
    tarball: join(folder, name),
    write,
    run: (program, ...words) => run(folder, program, ...words),
    remove: () => rm(folder, { recursive: true }),
  };
}

/**
 * A module that any runtime can load: `check` verifies `deliveries` in several ways, signs them again, sees that changed
 * and late ones are refused, and returns how many there were. It throws if anything is wrong.
 */
export const checkModule = (deliveries: readonly Delivery[]): string => `
import { sign, verify, WebhookVerificationError } from "estimation-service/webhooks";

const deliveries = ${JSON.stringify(deliveries)};

async function refused(code, promise) {
  const error = await promise.then(() => "nothing", (error) => error);
  if (error instanceof WebhookVerificationError && error.code === code) return;
  throw new Error("not refused as " + code + ": " + error);
}

export async function check() {
  for (const { event, body, headers, secret, atMs } of deliveries) {
    const bytes = new TextEncoder().encode(body);
    const at = (seconds) => ({ now: () => new Date(atMs + seconds * 1000) });
    const ways = [
      verify(body, headers, secret, at(0)),
      verify(bytes, new Headers(headers), [secret], at(299)),
      verify(bytes.buffer, headers, secret, at(-299)),
    ];
    for (const verified of await Promise.all(ways)) {
      if (verified.event !== event) throw new Error(event + " came out as " + verified.event);
      const sent = JSON.parse(body);
      if (JSON.stringify(verified.data) !== JSON.stringify(sent.data ?? sent)) throw new Error(event + " lost its data");
    }
    const signed = await sign(body, secret, { event, id: headers["webhook-id"], ...at(0) });
    if ((await verify(body, signed, secret, at(0))).event !== event) throw new Error(event + " was not signed right");
    await refused("signature_mismatch", verify(body.replace("{", "{ "), headers, secret, at(0)));
    await refused("timestamp_too_old", verify(body, headers, secret, at(302)));
  }
  return deliveries.length + " deliveries verified";
}
`;
