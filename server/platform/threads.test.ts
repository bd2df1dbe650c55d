import { describe, expect, test } from "vitest";
import { createFakeClock } from "../../tests/fake-clock.ts";
import { systemClock } from "./clock.ts";
import { withinDeadline } from "./deadline.ts";
import { createThreads, ThreadLost, type ThreadSettings, ThreadsBusy } from "./threads.ts";

/** A thread that does as each question says, and answers how many it has begun. */
const thread = `
  const { parentPort } = require("node:worker_threads");
  let begun = 0;
  const held = new Map();
  parentPort.on("message", (message) => {
    if (message === "close") process.exit();
    const { id, question } = message;
    begun += 1;
    const answer = { id, answer: { begun, question } };
    if (question.do === "die") process.exit(1);
    if (question.do === "hang") for (;;);
    if (question.do === "fill") for (let list; ; ) list = { list };
    if (question.do === "release") for (const late of held.values()) parentPort.postMessage(late);
    if (question.do === "hold") held.set(id, answer);
    else parentPort.postMessage(answer);
  });`;
const file = new URL(
  `data:text/javascript,import{createRequire}from"node:module";const require=createRequire("file:///");${encodeURIComponent(thread)}`,
);

const never = new AbortController().signal;

function start(given: Partial<ThreadSettings> = {}) {
  const threads = createThreads({
    file,
    data: null,
    threadsMax: 1,
    atOnce: 8,
    waitingMax: 8,
    heapMb: 256,
    timeoutMs: 60_000,
    clock: systemClock,
    onLine: () => {},
    ...given,
  });
  const ask = (caller: string, what: string, signal = never) =>
    threads.run<{ begun: number }>({ caller, question: { do: what } }, signal);
  return { threads, ask };
}

describe("work in threads", () => {
  test("of one caller runs one after the other, and another caller's before it", async () => {
    const { ask, threads } = start();
    const first = ask("a", "hold");
    const second = ask("a", "go");
    const others = await ask("b", "release");
    expect([others.begun, (await first).begun, (await second).begun]).toEqual([2, 1, 3]);
    await threads.close();
  });

  test("ends when its thread does, and the next begins in a new thread", async () => {
    const { ask, threads } = start();
    const hold = ask("a", "hold");
    const fatal = ask("b", "die");
    const next = ask("b", "go");
    await expect(hold).rejects.toThrow(ThreadLost);
    await expect(fatal).rejects.toThrow(ThreadLost);
    expect((await next).begun).toBe(1);
    await threads.close();
  });

  test("that takes too long is ended with its thread", async () => {
    const clock = createFakeClock();
    const { ask, threads } = start({ clock, timeoutMs: 500 });
    const hanging = ask("a", "hang");
    await clock.advance(500);
    await expect(hanging).rejects.toThrow(ThreadLost);
    expect((await ask("a", "go")).begun).toBe(1);
    await threads.close();
  });

  test("that takes too much memory is ended with its thread", async () => {
    const { ask, threads } = start({ heapMb: 16 });
    await expect(ask("a", "fill")).rejects.toThrow(/memory limit/);
    expect((await ask("a", "go")).begun).toBe(1);
    await threads.close();
  });

  test("is refused if too much is waiting", async () => {
    const { ask, threads } = start({ waitingMax: 2 });
    const held = ask("a", "hold");
    const waiting = [ask("a", "go"), ask("a", "go")];
    await expect(ask("b", "go")).rejects.toThrow(ThreadsBusy);
    await threads.close();
    await expect(held).rejects.toThrow(ThreadLost);
    await Promise.all(waiting);
    await threads.close();
  });

  test("that has not begun is dropped when its caller gives up", async () => {
    const { ask, threads } = start();
    const held = ask("a", "hold");
    const gone = new AbortController();
    const abandoned = ask("a", "go", gone.signal);
    gone.abort();
    await expect(abandoned).rejects.toThrow(ThreadLost);
    await expect(ask("a", "go", gone.signal)).rejects.toThrow(ThreadLost);
    await expect(withinDeadline(systemClock, 1, () => ask("a", "go"))).rejects.toThrow();
    const after = ask("a", "go");
    await ask("b", "release");
    await held;
    expect((await after).begun).toBe(3);
    await threads.close();
  });
});
