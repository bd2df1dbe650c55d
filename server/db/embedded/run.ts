import { spawn } from "node:child_process";
import type { Account } from "./account.ts";
import { DISK_FULL, StartFailure } from "./start-failure.ts";

/** The output of a program and how it ended. */
export interface Outcome {
  code: number | null;
  output: string;
}

/**
 * Nothing of this process's environment is passed to PostgreSQL: PGDATA, PGPORT, LC_ALL and others would change its
 * behaviour.
 */
export const environment = { LC_ALL: "C", TZ: "UTC", PATH: "/usr/bin:/bin" };

/**
 * Runs a program to its end, as `account`, with `input` on its standard input.
 * @throws StartFailure if it cannot be started.
 */
export async function run(
  program: string,
  args: string[],
  options: { account?: Account | undefined; input?: string } = {},
): Promise<Outcome> {
  const { account, input = "" } = options;
  return await new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: "/", env: environment, ...ids(account) });
    let output = "";
    const collect = (chunk: Buffer) => {
      output += chunk.toString("utf8");
    };
    child.stdout.on("data", collect);
    child.stderr.on("data", collect);
    child.stdin.on("error", () => {});
    child.stdin.end(input);
    child.on("error", (error) => reject(explainSpawnError(error, program, account)));
    child.on("close", (code) => resolve({ code, output }));
  });
}

/** The options of `spawn` that change the user. */
export function ids(account: Account | undefined): { uid?: number; gid?: number } {
  return account === undefined ? {} : { uid: account.uid, gid: account.gid };
}

/** Explains why an existing program could not be started. */
export function explainSpawnError(error: Error, program: string, account: Account | undefined): Error {
  const code = "code" in error ? String(error.code) : "";
  if (account !== undefined && (code === "EPERM" || code === "EINVAL")) {
    return new StartFailure(
      `PostgreSQL refuses to run as root, and root may not act as ${account.name} here (${code}): start the service as an ordinary user, or set DATABASE_URL`,
      { cause: error },
    );
  }
  if (code === "ENOENT" || code === "ENOEXEC") {
    return new StartFailure(
      `PostgreSQL's programs from npm cannot run on this system (${program}: ${code}; they need glibc): set DATABASE_URL to a PostgreSQL server`,
      { cause: error },
    );
  }
  return new StartFailure(`cannot run ${program}: ${error.message}`, { cause: error });
}

/**
 * Whether a line of a program's output says that a file had no room. PostgreSQL uses the same words where the system has no more
 * semaphores or shared memory, and goes on after some faults that it only notes (LOG).
 */
const saysNoRoom = (line: string): boolean =>
  /No space left on device|disk quota exceeded/i.test(line) && !/LOG: |shared memory|semaphore/.test(line);

/** Returns the line of a program's output that says what went wrong. */
export function complaint(output: string): string {
  const lines = output.split("\n").filter((line) => line.trim() !== "");
  if (lines.some(saysNoRoom)) return DISK_FULL;
  const told = lines.findLast((line) => /(FATAL|PANIC|ERROR): |error: /.test(line));
  return (told ?? lines.at(-1) ?? "it said nothing").replace(/^.*?(FATAL|PANIC|ERROR): +/, "").trim();
}
