import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { onTestFailed, onTestFinished } from "vitest";
import { until } from "../harness.ts";

const entry = fileURLToPath(new URL("../../main.js", import.meta.url));

/** The service in a separate process. */
export interface ServiceProcess {
  readonly pid: number;
  /** What it has written so far. */
  readonly output: { out: string; err: string };
  /** Whether it still runs. */
  isRunning(): boolean;
  /** Resolves with its address once it has printed all that it says when it is ready; rejects with its output if it ends instead. */
  url(): Promise<string>;
  send(signal: NodeJS.Signals): void;
  /** Resolves with the exit code when it has ended; null after a signal. */
  readonly exitCode: Promise<number | null>;
  /** The lines on the standard error output that explain a failed start, without the name in front. */
  faults(): string[];
}

const SHOWN_CHARACTERS = 3_000;
const lastOf = (text: string): string => text.slice(-SHOWN_CHARACTERS);

/**
 * Runs `main.js` with these arguments as a terminal does, in another folder than the project's, with the settings
 * `environment`, a free port and quiet logs. `wrap` is a program with arguments that runs it. A process that still runs
 * after the test is killed.
 */
export function runService(
  args: string[],
  environment: Record<string, string> = {},
  { stderr = "pipe", wrap = [] }: { stderr?: "pipe" | number; wrap?: readonly string[] } = {},
): ServiceProcess {
  const [program = process.execPath, ...rest] = [...wrap, process.execPath, entry, ...args];
  const child = spawn(program, rest, {
    cwd: "/",
    env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", PORT: "0", LOG_LEVEL: "warn", ...environment },
    stdio: ["ignore", "pipe", stderr],
  });
  const output = { out: "", err: "" };
  child.stdout?.on("data", (chunk: Buffer) => {
    output.out += chunk.toString("utf8");
  });
  child.stderr?.on("data", (chunk: Buffer) => {
    output.err += chunk.toString("utf8");
  });
  const exitCode = once(child, "close").then(([code]) => code as number | null);
  // What it did is seldom what the test expected it to do.
  onTestFailed(() =>
    console.log(`the last that ${args.join(" ")} wrote:\n${lastOf(output.out)}\n${lastOf(output.err)}`),
  );
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await exitCode;
  });
  return {
    pid: child.pid ?? 0,
    output,
    isRunning,
    async url() {
      const found = await until(
        () => /API +(\S+)\/api\n[\s\S]*stops it\n/.exec(output.out)?.[1] ?? (!isRunning() && ""),
      );
      if (found === "") throw new Error(`the service did not start:\n${output.out}\n${output.err}`);
      return found;
    },
    send: (signal) => void child.kill(signal),
    exitCode,
    faults: () => [...output.err.matchAll(/^estimation-service: (.*)$/gm)].map(([, line]) => line ?? ""),
  };
}
