import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Attack } from "./attack.ts";

/** The whole service in a process of its own. */
export interface Service {
  readonly url: string;
  readonly pid: number;
  /** Resident memory in MiB, now and at its highest. */
  memory(): Promise<{ readonly now: number; readonly peak: number }>;
  /** Whether it is still running. */
  isAlive(): boolean;
  stop(): Promise<void>;
}

const entry = fileURLToPath(new URL("../../main.js", import.meta.url));
const WATCH_EVERY_MS = 100;

/** Starts the service as `npm start` does, with further arguments. It is killed when it takes more than `memoryMiB`. */
export async function startService(
  env: Readonly<Record<string, string>>,
  { memoryMiB = Number.POSITIVE_INFINITY }: Pick<Attack, "memoryMiB">,
  ...args: readonly string[]
): Promise<Service> {
  const child = spawn(process.execPath, ["--max-semi-space-size=8", entry, "serve", ...args], {
    env: { PATH: process.env.PATH, HOST: "127.0.0.1", PORT: "0", LOG_LEVEL: "fatal", ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const url = await addressOf(child.stdout as NodeJS.ReadableStream);
  let last = { now: 0, peak: 0 };
  const look = async () => {
    last = await residentMemory(child.pid as number).catch(() => last);
    return last;
  };
  const watch = setInterval(async () => {
    if ((await look()).peak > memoryMiB) child.kill("SIGKILL");
  }, WATCH_EVERY_MS);
  const gone = once(child, "exit").finally(() => clearInterval(watch));
  const isAlive = () => child.exitCode === null && child.signalCode === null;
  return {
    url,
    pid: child.pid as number,
    memory: look,
    isAlive,
    async stop() {
      child.kill("SIGTERM");
      const slow = setTimeout(() => child.kill("SIGKILL"), 15_000);
      await gone;
      clearTimeout(slow);
    },
  };
}

/** Reads the greeting. */
async function addressOf(output: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: output })) {
    const url = /API +(http:\S+)\/api/.exec(line)?.[1];
    if (url === undefined) continue;
    output.resume();
    return url;
  }
  throw new Error("the service did not start");
}

/** As Linux counts it: `VmRSS` and `VmHWM`, in MiB. */
async function residentMemory(pid: number): Promise<{ now: number; peak: number }> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  const read = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024;
  return { now: read("VmRSS"), peak: read("VmHWM") };
}
