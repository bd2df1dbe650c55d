import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { WorkerOrder } from "./worker.ts";

const quickImports = new URL("../../server/platform/quick-imports.ts", import.meta.url).href;

/** A worker process that has loaded and waits to be told to start. */
export interface WorkerProcess {
  readonly process: ChildProcess;
  /** Starts it; resolves when it takes jobs, or has ended. */
  start(): Promise<void>;
  /** Resolves when it has ended. */
  readonly gone: Promise<unknown>;
  stop(): Promise<void>;
}

export function forkWorker(order: WorkerOrder): WorkerProcess {
  const child = fork(fileURLToPath(new URL("./worker.ts", import.meta.url)), [JSON.stringify(order)], {
    execArgv: ["--import", quickImports],
  });
  const gone = once(child, "exit");
  return {
    process: child,
    gone,
    async start() {
      const ready = once(child, "message");
      child.send("start");
      await Promise.race([ready, gone]);
    },
    async stop() {
      if (child.exitCode === null && child.signalCode === null) child.send("stop");
      await gone;
    },
  };
}
