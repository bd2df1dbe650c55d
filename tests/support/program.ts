import { spawn } from "node:child_process";
import { once } from "node:events";
import { onTestFinished } from "vitest";

/** A program in a process of its own. */
export interface Program {
  /** What it has printed so far. */
  readonly printed: { out: string; err: string };
  write(text: string): void;
  send(signal: NodeJS.Signals): void;
  /** Waits until it has printed what `pattern` finds, and returns that. Throws if it ends before. */
  shows(pattern: RegExp): Promise<RegExpExecArray>;
  /** Resolves with its exit code; null after a signal. */
  readonly ended: Promise<number | null>;
}

/** Runs a program; if it still runs after the test it is killed. */
export function runProgram(
  [program, ...words]: readonly [string, ...string[]],
  { env = {}, cwd }: { env?: Record<string, string>; cwd?: string } = {},
): Program {
  const child = spawn(program, words, { env: { PATH: process.env.PATH ?? "", ...env }, ...(cwd ? { cwd } : {}) });
  const printed = { out: "", err: "" };
  child.stdout.on("data", (chunk: Buffer) => {
    printed.out += chunk.toString("utf8");
  });
  child.stderr.on("data", (chunk: Buffer) => {
    printed.err += chunk.toString("utf8");
  });
  child.stdin.on("error", () => {});
  const ended = once(child, "close").then(([code]) => code as number | null);
  let over = false;
  void ended.then(() => {
    over = true;
  });
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  return {
    printed,
    ended,
    write: (text) => void child.stdin.write(text),
    send: (signal) => void child.kill(signal),
    async shows(pattern) {
      // At once, and not a moment later as by `until`: a test may want to stop the program just then.
      for (;;) {
        const found = pattern.exec(printed.out);
        if (found) return found;
        if (over) throw new Error(`it ended without ${pattern}:\n${printed.out}\n${printed.err}`);
        await Promise.race([once(child.stdout, "data"), ended]);
      }
    },
  };
}
