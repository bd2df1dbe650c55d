import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { setImmediate } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { until } from "../../tests/harness.ts";
import { makeDisk, mayMount } from "../../tests/support/disk.ts";
import { makeDatabase } from "../../tests/support/embedded/template.ts";
import { createLogStream } from "./log-stream.ts";

const parse = (log: string) =>
  log
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));

/** A line of a multiple of seven bytes: neither before nor after its line break can it end at a page of the disk. */
function lineOf(fields: object): string {
  const bytes = JSON.stringify({ ...fields, filler: "" }).length + 1;
  return `${JSON.stringify({ ...fields, filler: "x".repeat(112 - bytes) })}\n`;
}

test.runIf(mayMount)(
  "lines that a full disk has no room for are dropped, counted, and followed by the next ones",
  async () => {
    const disk = await makeDisk(64);
    const [file, filling] = [path.join(disk, "log"), path.join(disk, "filling")];
    const fd = openSync(file, "a");
    onTestFinished(() => closeSync(fd));
    let isFull = false;
    const stream = createLogStream(fd, (lines, reason) => {
      isFull = true;
      return lineOf({ lines, reason });
    });
    let sent = 0;
    const log = () => stream.write(lineOf({ n: sent++ }));
    const numbersIn = (records: readonly { n?: number }[]) => records.flatMap(({ n }) => n ?? []);
    /** Returns the records of the log, and how many lines of it are none. */
    const read = () => {
      const lines = readFileSync(file, "utf8").split("\n");
      const whole = lines.filter((line) => line.endsWith("}"));
      return { whole: parse(whole.join("\n")), torn: lines.filter((line) => line !== "").length - whole.length };
    };

    await writeFile(filling, Buffer.alloc(48 << 10));
    for (let n = 0; n < 500; n += 1) {
      log();
      if (n % 10 === 0) await setImmediate();
    }
    await until(() => {
      log();
      return isFull;
    });
    await rm(filling);
    const firstAfter = sent;
    await until(() => {
      log();
      return numbersIn(read().whole).some((n) => n >= firstAfter);
    });

    // A line that was being written when the disk became full is cut; every other line is complete.
    const { whole, torn } = read();
    const numbers = numbersIn(whole);
    // The file system may refuse a write and have room for a later one, so lines can be dropped more than once.
    const losses = whole.filter(({ reason }) => reason);
    expect(torn).toBeGreaterThan(0);
    expect(torn).toBeLessThanOrEqual(losses.length);
    expect(numbers[0]).toBe(0);
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
    expect(new Set(losses.map(({ reason }) => reason))).toEqual(new Set(["ENOSPC"]));
    const logged = Number(numbers.at(-1)) + 1;
    expect(losses.reduce((sum, loss) => sum + loss.lines, 0)).toBe(logged - numbers.length);
  },
);

/**
 * A process that logs 20,000 lines of 1 KB at once, and goes on with one line every 20 ms until SIGTERM. It reports when it
 * has tried several times to write to a pipe that is full.
 */
const flood = `
  import { createLog } from ${JSON.stringify(new URL("./log.ts", import.meta.url).href)};
  const log = createLog("info");
  const filler = "x".repeat(1_000);
  for (let n = 0; n < 20_000; n += 1) log.info({ n, filler }, "a line");
  process.on("SIGTERM", () => process.exit(0));
  let more = 0;
  setInterval(() => {
    log.info("and on");
    more += 1;
    if (more === 10) console.log("logged");
  }, 20);`;

const ended = async (child: ChildProcess) => {
  child.kill("SIGTERM");
  return (await once(child, "close"))[0];
};

function startFlood() {
  const child = spawn(process.execPath, ["--input-type=module", "-e", flood], { stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

test("a log that nobody reads prevents the process neither from working nor from ending", async () => {
  const child = startFlood();
  await once(child.stdout, "data");
  expect(await ended(child)).toBe(0);
});

test("a reader that returns late finds whole lines, and how many were dropped meanwhile", async () => {
  const child = startFlood();
  await once(child.stdout, "data");
  let seen = "";
  child.stderr.on("data", (chunk) => {
    seen += chunk;
  });
  await until(() => seen.includes("droppedLines") && seen.includes("and on"));
  expect(await ended(child)).toBe(0);
  const lines = parse(seen);
  const numbered = lines.filter(({ n }) => n !== undefined);
  const { droppedLines, reason } = lines.find(({ msg }) => /dropped/.test(msg));
  expect(numbered.length).toBeGreaterThan(900);
  expect(numbered.map(({ n }) => n)).toEqual([...numbered.keys()]);
  expect([numbered.length + droppedLines, reason]).toEqual([20_000, "too slow"]);
});

test("the service works and stops normally with its log on a full disk", async () => {
  const full = openSync("/dev/full", "w");
  onTestFinished(() => closeSync(full));
  const child = spawn(process.execPath, [fileURLToPath(new URL("../../main.js", import.meta.url)), "serve"], {
    cwd: "/",
    env: { PORT: "0", LOG_LEVEL: "trace", DATA_DIR: await makeDatabase() },
    stdio: ["ignore", "pipe", full],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let out = "";
  child.stdout?.on("data", (chunk) => {
    out += chunk;
  });
  const url = await until(() => /API +(\S+)\/api/.exec(out)?.[1]);
  for (let n = 0; n < 20; n += 1) expect((await fetch(`${url}/readyz`)).status).toBe(200);
  expect(await ended(child)).toBe(0);
});
