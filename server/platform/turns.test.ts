import { describe, expect, it } from "vitest";
import { createTurns, Overloaded } from "./turns.ts";

/** Works that run until they are told to end. */
function controlled() {
  const log: string[] = [];
  const ends = new Map<string, { resolve: () => void; reject: (error: Error) => void }>();
  const work = (name: string) => () => {
    log.push(name);
    return new Promise<void>((resolve, reject) => ends.set(name, { resolve, reject }));
  };
  const end = async (name: string, error?: Error) => {
    const { resolve, reject } = ends.get(name) ?? expect.unreachable(`${name} does not run`);
    if (error) reject(error);
    else resolve();
    await new Promise((settled) => setImmediate(settled));
  };
  return { log, work, end };
}

describe("createTurns", () => {
  it("runs no more at once than allowed, and the others in the order of their calls", async () => {
    const { log, work, end } = controlled();
    const takeTurn = createTurns({ atOnce: 2, waitingMax: 10 });
    const all = ["a", "b", "c", "d", "e"].map((name) => takeTurn(work(name)));
    expect(log).toEqual(["a", "b"]);
    await end("b");
    expect(log).toEqual(["a", "b", "c"]);
    await end("a");
    await end("c");
    expect(log).toEqual(["a", "b", "c", "d", "e"]);
    await end("d");
    await end("e");
    await Promise.all(all);
  });

  it("refuses work at once, without running it, if the queue is full", async () => {
    const { log, work, end } = controlled();
    const takeTurn = createTurns({ atOnce: 1, waitingMax: 1 });
    const first = takeTurn(work("a"));
    const second = takeTurn(work("b"));
    await expect(takeTurn(work("c"))).rejects.toThrow(Overloaded);
    await end("a");
    const third = takeTurn(work("d"));
    await end("b");
    await end("d");
    await Promise.all([first, second, third]);
    expect(log).toEqual(["a", "b", "d"]);
  });

  it("lets yielding work take half of the queue and no more", async () => {
    const { log, work, end } = controlled();
    const takeTurn = createTurns({ atOnce: 1, waitingMax: 4 });
    const all = [takeTurn(work("a")), takeTurn(work("b"), "yielding"), takeTurn(work("c"), "yielding")];
    await expect(takeTurn(work("d"), "yielding")).rejects.toThrow(Overloaded);
    all.push(takeTurn(work("e")), takeTurn(work("f")));
    await expect(takeTurn(work("g"))).rejects.toThrow(Overloaded);
    await end("a");
    all.push(takeTurn(work("h")));
    await end("b");
    all.push(takeTurn(work("i"), "yielding"));
    for (const name of ["c", "e", "f", "h", "i"]) await end(name);
    await Promise.all(all);
    expect(log).toEqual(["a", "b", "c", "e", "f", "h", "i"]);
  });

  it("continues with the next if one fails, and returns the error to its caller", async () => {
    const { log, work, end } = controlled();
    const takeTurn = createTurns({ atOnce: 1, waitingMax: 5 });
    const failing = expect(takeTurn(work("a"))).rejects.toThrow("broken");
    const next = takeTurn(work("b"));
    await end("a", new Error("broken"));
    await failing;
    expect(log).toEqual(["a", "b"]);
    await end("b");
    await next;
    await expect(
      takeTurn(() => {
        throw new Error("before it began");
      }),
    ).rejects.toThrow("before it began");
    await expect(takeTurn(async () => "free again")).resolves.toBe("free again");
  });
});
