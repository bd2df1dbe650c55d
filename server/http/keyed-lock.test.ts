import { describe, expect, it } from "vitest";
import { createFakeClock } from "../../tests/fake-clock.ts";
import { createKeyedLock } from "./keyed-lock.ts";

/** Work that runs until it is told to end. */
function open(log: string[], name: string) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const work = () => {
    log.push(name);
    return promise;
  };
  return { work, end: resolve };
}

describe("a keyed lock", () => {
  it("runs work under one key one by one in order of arrival, and work under different keys at the same time", async () => {
    const lock = createKeyedLock(createFakeClock());
    const log: string[] = [];
    const works = ["a1", "a2", "a3", "b1"].map((name) => open(log, name));
    const done = works.map(({ work }, n) => lock(n < 3 ? "a" : "b", "ada", work));
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

  it("continues after a failure, which its caller gets", async () => {
    const lock = createKeyedLock(createFakeClock());
    const failing = lock("a", "ada", () => Promise.reject(new Error("broken")));
    const next = lock("a", "ada", async () => "next");
    await expect(failing).rejects.toThrow("broken");
    expect(await next).toBe("next");
    expect(await lock("a", "ada", async () => "afresh")).toBe("afresh");
  });

  it("alternates between users who wait, each with their writes in order of arrival", async () => {
    const lock = createKeyedLock(createFakeClock());
    const log: string[] = [];
    const first = open(log, "first");
    const sent = ["ada", "ada", "ada", "ada", "bob", "bob", "eve"].map((user, n) =>
      lock("a", user, n === 0 ? first.work : async () => void log.push(`${user} ${n}`)),
    );
    first.end();
    await Promise.all(sent);
    expect(log).toEqual(["first", "bob 4", "ada 1", "bob 5", "ada 2", "eve 6", "ada 3"]);
  });

  it("refuses requests that wait longer than five seconds with 503, and runs the others", async () => {
    const clock = createFakeClock();
    const lock = createKeyedLock(clock);
    const log: string[] = [];
    const first = open(log, "first");
    const held = lock("a", "ada", first.work);
    const late = expect(lock("a", "bob", async () => log.push("late"))).rejects.toMatchObject({
      key: "service_unavailable",
    });
    await clock.advance(4_999);
    const later = lock("a", "eve", async () => log.push("later"));
    await clock.advance(1);
    await late;
    first.end();
    await Promise.all([held, later]);
    await clock.advance(10_000);
    expect(log).toEqual(["first", "later"]);
    expect(await lock("a", "bob", async () => "free")).toBe("free");
  });
});
