import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createFakeClock, type FakeClock } from "../../tests/fake-clock.ts";
import { createTurnsByRecord } from "./turns-by-record.ts";

/** Work that runs until it is told to end. */
function open(log: string[], name: string) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const work = () => {
    log.push(name);
    return promise;
  };
  return { work, end: resolve };
}

/** Expects a refusal after the second that it says to wait, and not before. */
async function expectHeldBack(clock: FakeClock, refusing: Promise<unknown>, key: string): Promise<void> {
  let refused = false;
  const done = () => {
    refused = true;
  };
  refusing.then(done, done);
  await clock.advance(999);
  await nextTurn();
  expect(refused).toBe(false);
  await clock.advance(1);
  await expect(refusing).rejects.toMatchObject({ key, headers: { "retry-after": "1" } });
}

describe("turns by record", () => {
  it("run the writes to one record one by one in order of arrival, and those to another at the same time", async () => {
    const takeTurn = createTurnsByRecord();
    const log: string[] = [];
    const works = ["a1", "a2", "a3", "b1"].map((name) => open(log, name));
    const done = works.map(({ work }, n) => takeTurn(n < 3 ? "a" : "b", "ada", work));
    expect(log).toEqual(["a1", "b1"]);
    works[0]?.end();
    await done[0];
    works[1]?.end();
    await done[1];
    works[2]?.end();
    works[3]?.end();
    await Promise.all(done);
    expect(log).toEqual(["a1", "b1", "a2", "a3"]);
  });

  it("go on after a failure, which is returned to its caller", async () => {
    const takeTurn = createTurnsByRecord();
    const failing = takeTurn("a", "ada", () => Promise.reject(new Error("broken")));
    const next = takeTurn("a", "ada", async () => "next");
    await expect(failing).rejects.toThrow("broken");
    expect(await next).toBe("next");
    expect(await takeTurn("a", "ada", async () => "afresh")).toBe("afresh");
  });

  it("let users who wait take turns, each with the writes in the order in which they came", async () => {
    const takeTurn = createTurnsByRecord();
    const log: string[] = [];
    const first = open(log, "first");
    const sent = ["ada", "ada", "ada", "bob", "bob", "eve"].map((user, n) =>
      takeTurn("a", user, async () => void log.push(`${user} ${n}`)),
    );
    first.end();
    await Promise.all([...sent, takeTurn("a", "eve", async () => void log.push("eve 6"))]);
    expect(log).toEqual(["ada 0", "ada 1", "bob 3", "eve 5", "ada 2", "bob 4", "eve 6"]);
  });

  it("refuse with 429 a write behind too many of the same user, after the second that it is told to wait, and nobody else", async () => {
    const clock = createFakeClock();
    const takeTurn = createTurnsByRecord(clock);
    const log: string[] = [];
    const { work, end } = open(log, "ada");
    const waiting = Array.from({ length: 51 }, () => takeTurn("a", "ada", work));
    await expectHeldBack(clock, takeTurn("a", "ada", work), "rate_limited");
    expect(await takeTurn("b", "ada", async () => "free")).toBe("free");
    const other = takeTurn("a", "bob", async () => log.length);
    end();
    // One of Ada's had begun, and one came before Bob.
    expect(await other).toBe(2);
    await Promise.all(waiting);
    expect(log).toHaveLength(51);
    expect(await takeTurn("a", "ada", async () => "free again")).toBe("free again");
  });

  it("refuse with 503 a write behind too many of all users, after a second, unless its user has none waiting", async () => {
    const clock = createFakeClock();
    const takeTurn = createTurnsByRecord(clock);
    const log: string[] = [];
    const { work, end } = open(log, "work");
    const waiting = Array.from({ length: 200 }, (_, n) => takeTurn("a", `user ${n % 10}`, work));
    // 199 wait.
    waiting.push(takeTurn("a", "user 0", work));
    await expectHeldBack(clock, takeTurn("a", "user 0", work), "service_unavailable");
    waiting.push(takeTurn("a", "ada", work));
    await expectHeldBack(clock, takeTurn("a", "ada", work), "service_unavailable");
    end();
    await Promise.all(waiting);
    expect(log).toHaveLength(202);
  });
});
