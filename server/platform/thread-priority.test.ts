import { execFile } from "node:child_process";
import { getPriority } from "node:os";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const file = new URL("./thread-priority.ts", import.meta.url).href;

/** Prints the names of the process's threads with their priorities, after one of them has yielded. */
const script = `
  import { readdirSync, readFileSync } from "node:fs";
  import { getPriority } from "node:os";
  import { Worker } from "node:worker_threads";
  const { port1, port2 } = new MessageChannel();
  const source = \`
    import { workerData } from "node:worker_threads";
    import { yieldProcessors } from ${JSON.stringify(file)};
    yieldProcessors();
    // Keeps the thread alive until it was looked at.
    workerData.on("message", () => {});
    workerData.postMessage("done");
  \`;
  new Worker(new URL("data:text/javascript," + encodeURIComponent(source)), { workerData: port2, transferList: [port2] });
  port1.once("message", () => {
    const threads = process.platform === "linux" ? readdirSync("/proc/self/task") : [];
    const nameOf = (id) => readFileSync("/proc/self/task/" + id + "/comm", "utf8").trim();
    console.log(JSON.stringify(threads.map((id) => [nameOf(id), getPriority(Number(id))])));
    process.exit();
  });
`;

test("a thread that yields, and the helpers that collect its garbage, go after all others", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script]);
  const threads = JSON.parse(stdout) as [string, number][];
  const prioritiesOf = (name: string) => new Set(threads.filter(([of]) => of === name).map(([, priority]) => priority));
  if (process.platform === "linux") {
    const usual = getPriority();
    const low = new Set([Math.max(usual, 10)]);
    expect([prioritiesOf("MainThread"), prioritiesOf("WorkerThread"), prioritiesOf("V8Worker")]).toEqual([
      new Set([usual]),
      low,
      low,
    ]);
  } else expect(threads).toEqual([]);
});
