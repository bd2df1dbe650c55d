import { describe, expect, it } from "vitest";
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

describe("turns by record", () => {
  it("run the writes to one record one by one as they came, and those to another meanwhile", async () => {
    const takeTurn = createTurnsByRecord();
    const log: string[] = [];
    const works = ["a1", "a2", "a3", "b1"].map((name) => open(log, name));
    const done = works.map(({ work }, n) => takeTurn(n < 3 ? "a" : "b", work));
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
    const failing = takeTurn("a", () => Promise.reject(new Error("broken")));
    const next = takeTurn("a", async () => "next");
    await expect(failing).rejects.toThrow("broken");
    expect(await next).toBe("next");
    expect(await takeTurn("a", async () => "afresh")).toBe("afresh");
  });

  it("refuse with 503 what would wait behind too many others", async () => {
    const takeTurn = createTurnsByRecord();
    const log: string[] = [];
    const { work, end } = open(log, "first");
    const waiting = Array.from({ length: 201 }, () => takeTurn("a", work));
    await expect(takeTurn("a", work)).rejects.toMatchObject({ key: "service_unavailable" });
    expect(await takeTurn("b", async () => "free")).toBe("free");
    end();
    await Promise.all(waiting);
    expect(log).toHaveLength(201);
  });
});
