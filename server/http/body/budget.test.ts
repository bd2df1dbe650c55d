import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createBodyBudget, type HeldBody } from "./budget.ts";

const KIB = 1024;
const bounds = {
  largeBodyBytes: 64 * KIB,
  largeBodiesPerCaller: 2,
  largeBodiesPerCallerBytes: 700 * KIB,
  largeBodiesTotalBytes: 1_000 * KIB,
  smallBodiesPerCallerBytes: 100 * KIB,
  smallBodiesTotalBytes: 250 * KIB,
};
const refused = (key: string) => expect.objectContaining({ key });

describe("the budget of bodies", () => {
  test("limits the total bytes of a caller's small bodies, whichever of its keys it shares", () => {
    const open = createBodyBudget(bounds);
    open(["address", "user"]).add(60 * KIB);
    const second = open(["address", "other user"]);
    second.add(40 * KIB);
    expect(() => open(["address"]).add(1)).toThrow(refused("rate_limited"));
    expect(() => open(["other address", "user"]).add(41 * KIB)).toThrow(refused("rate_limited"));
    second.release();
    open(["address"]).add(40 * KIB);
  });

  test("limits the number of a caller's large bodies, each counted from the byte that makes it large", () => {
    const open = createBodyBudget(bounds);
    const bodies = [open(["a"]), open(["a"]), open(["a"])];
    for (const body of bodies) for (const part of [20, 10]) body.add(part * KIB);
    bodies[0]?.add(300 * KIB);
    bodies[1]?.add(300 * KIB);
    expect(() => bodies[2]?.add(35 * KIB)).toThrow(refused("rate_limited"));
    bodies[0]?.release();
    bodies[2]?.add(35 * KIB);
  });

  test("a body is large from its first byte beyond the size of a small one", () => {
    const open = createBodyBudget({ ...bounds, smallBodiesPerCallerBytes: 1_000 * KIB });
    for (const _ of [1, 2]) open(["a"]).add(300 * KIB);
    const third = open(["a"]);
    third.add(64 * KIB);
    expect(() => third.add(1)).toThrow(refused("rate_limited"));
  });

  test("limits the total bytes of a caller's large bodies", () => {
    const open = createBodyBudget(bounds);
    open(["address", "user"]).add(500 * KIB);
    const second = open(["address", "other user"]);
    second.add(200 * KIB);
    expect(() => second.add(1)).toThrow(refused("rate_limited"));
    expect(() => open(["other address", "user"]).add(201 * KIB)).toThrow(refused("rate_limited"));
    open(["other address", "other user"]).add(300 * KIB);
  });

  test("limits what all callers hold together; large bodies leave room for small ones", () => {
    const open = createBodyBudget(bounds);
    const hold = (caller: string, kib: number) => {
      const body = open([caller]);
      body.add(kib * KIB);
      body.complete();
    };
    for (const caller of ["a", "b"]) hold(caller, 500);
    expect(() => hold("c", 65)).toThrow(refused("service_unavailable"));
    for (const caller of ["c", "d", "e", "f"]) hold(caller, 60);
    expect(() => hold("g", 11)).toThrow(refused("service_unavailable"));
    hold("g", 10);
  });

  test("gives up what arrives for whoever holds most, where there is no room for others who hold less", () => {
    const open = createBodyBudget(bounds);
    const hold = (callers: readonly string[], kib: number) => {
      const body = open(callers);
      try {
        body.add(kib * KIB);
        return body;
      } catch (error) {
        body.release();
        throw error;
      }
    };
    const isGivenUp = ({ givenUp }: { readonly givenUp: AbortSignal }) => givenUp.aborted;
    const [most, alsoMost] = [hold(["a"], 200), hold(["a"], 300)];
    const [less, complete] = [hold(["b", "address"], 400), hold(["c"], 100)];
    complete.complete();
    const small = hold(["a"], 1);
    // The larger one of the caller who holds most.
    hold(["d"], 65);
    expect([most, alsoMost, less, small, complete].map(isGivenUp)).toEqual([false, true, false, false, false]);
    expect(alsoMost.givenUp.reason).toEqual(refused("service_unavailable"));
    // What was given up holds nothing any more, however often it is released.
    alsoMost.release();
    hold(["e"], 235);
    expect(isGivenUp(less)).toBe(false);
    // Who would hold as much as the one who holds most makes no room, with another address neither.
    expect(() => hold(["f", "address"], 65)).toThrow(refused("service_unavailable"));
    expect(() => hold(["f"], 400)).toThrow(refused("service_unavailable"));
    hold(["f"], 399);
    expect([most, less, small, complete].map(isGivenUp)).toEqual([false, true, false, false]);
  });

  test("does not give up a body of which nothing has arrived: that makes no room", () => {
    const open = createBodyBudget(bounds);
    for (const kib of [60, 35]) {
      const complete = open(["a"]);
      complete.add(kib * KIB);
      complete.complete();
    }
    const empty = open(["a"]);
    const [larger, smaller] = [open(["b"]), open(["b"])];
    larger.add(60 * KIB);
    smaller.add(30 * KIB);
    open(["c"]).add(64 * KIB);
    open(["d"]).add(2 * KIB);
    expect([empty, larger, smaller].map(({ givenUp }) => givenUp.aborted)).toEqual([false, true, false]);
  });

  test("refuses for lack of room only who would hold more than an equal part, while nothing is complete", () => {
    const callers = ["a", "b", "c", "d", "e"];
    const parts = fc.array(fc.record({ caller: fc.constantFrom(...callers), kib: fc.integer({ min: 1, max: 60 }) }));
    fc.assert(
      fc.property(parts, (all) => {
        const open = createBodyBudget(bounds);
        const held = new Map<string, { readonly body: HeldBody; readonly kib: number }[]>();
        const heldBy = (caller: string) => (held.get(caller) ?? []).filter(({ body }) => !body.givenUp.aborted);
        const kibOf = (caller: string) => heldBy(caller).reduce((sum, { kib }) => sum + kib, 0);
        for (const { caller, kib } of all) {
          const body = open([caller]);
          const wanted = kibOf(caller) + kib;
          try {
            body.add(kib * KIB);
            held.set(caller, [...heldBy(caller), { body, kib }]);
          } catch (error) {
            body.release();
            const isTooMuch = wanted > bounds.smallBodiesPerCallerBytes / KIB;
            expect(error).toEqual(refused(isTooMuch ? "rate_limited" : "service_unavailable"));
            expect(wanted).toBeGreaterThan(bounds.smallBodiesTotalBytes / KIB / callers.length);
          }
          expect(callers.reduce((sum, name) => sum + kibOf(name), 0)).toBeLessThanOrEqual(250);
        }
      }),
    );
  });

  test("is complete again when everything was released, once or twice, including refused bodies", () => {
    const open = createBodyBudget(bounds);
    for (let round = 0; round < 3; round += 1) {
      const all = ["a", "b"].map((caller) => open([caller]));
      for (const body of all) body.add(500 * KIB);
      for (const body of all) body.complete();
      const refusedBody = open(["c"]);
      expect(() => refusedBody.add(70 * KIB)).toThrow(refused("service_unavailable"));
      for (const body of [...all, refusedBody, ...all]) body.release();
    }
  });
});
