import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { onTestFinished } from "vitest";
import { until } from "../harness.ts";
import type { User } from "../support/embedded/places.ts";

export const ROOT = fileURLToPath(new URL("../../", import.meta.url));
export const run = promisify(execFile);

/**
 * Makes an archive with `command`, and moves it into `folder`; returns where it is. One at a time: the same version has the same
 * name in `dist`.
 */
export async function makeArchive(command: string, folder: string): Promise<string> {
  const script = `file=$(${command} | tail -n 1) && mv "$file" "$0" && basename "$file"`;
  const { stdout } = await run("flock", [join(ROOT, "package.json"), "bash", "-ec", script, folder], { cwd: ROOT });
  return join(folder, stdout.trim());
}

/** Returns the words of an instruction of the Dockerfile: a command in JSON, or the rest of the line. */
export function instruction(pattern: RegExp): string[] {
  const text = readFileSync(join(ROOT, "Dockerfile"), "utf8");
  const found = pattern.exec(text)?.[1];
  if (found === undefined) throw new Error(`the Dockerfile has no ${pattern}`);
  return JSON.parse(found) as string[];
}

/** Returns the mebibytes that a folder takes on a disk with blocks of 4 KiB, as an image has it. */
export async function mebibytesOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = await Promise.all(
    entries.map(async (entry) => {
      const { size } = await lstat(join(entry.parentPath, entry.name));
      return entry.isFile() ? Math.ceil(size / 4096) * 4096 : 4096;
    }),
  );
  return sizes.reduce((sum, size) => sum + size, 0) / 1024 / 1024;
}

/** Takes the right to write from everybody, and lets everybody read. */
export const makeReadOnly = (folder: string) => run("chmod", ["-R", "a-w,a+rX", folder]);

interface Started {
  readonly url: string;
  readonly pid: number;
  /** Milliseconds from the start of the process until it responds. */
  readonly tookMs: number;
  readonly output: () => string;
  stop(): Promise<number | null>;
}

/** Runs a command of an installed service in its folder as `user`, and waits until it responds. */
export async function serve(
  [program = "", ...words]: readonly string[],
  { cwd, env, user, port }: { cwd: string; env: Record<string, string>; user: User; port: number },
): Promise<Started> {
  const began = performance.now();
  const { uid, gid } = user;
  const child = spawn(program === "node" ? process.execPath : program, words, {
    cwd,
    env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", PORT: String(port), LOG_LEVEL: "warn", ...env },
    ...(uid === undefined ? {} : { uid, gid }),
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => {
      said += chunk.toString("utf8");
    });
  const ended = once(child, "close").then(([code]) => code as number | null);
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  const url = `http://127.0.0.1:${port}`;
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`it did not start:\n${said}`);
    return fetch(`${url}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
  });
  return {
    url,
    pid: child.pid ?? 0,
    tookMs: performance.now() - began,
    output: () => said,
    async stop() {
      child.kill("SIGTERM");
      return ended;
    },
  };
}
