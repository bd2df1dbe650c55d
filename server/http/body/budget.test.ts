import { describe, expect, test } from "vitest";
import { createBodyBudget } from "./budget.ts";

const KIB = 1024;
const bounds = {
  largeBodyBytes: 64 * KIB,
  largeBodiesPerCaller: 2,
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

  test("limits what all callers hold together; large bodies leave room for small ones", () => {
    const open = createBodyBudget(bounds);
    open(["a"]).add(500 * KIB);
    open(["b"]).add(500 * KIB);
    expect(() => open(["c"]).add(65 * KIB)).toThrow(refused("service_unavailable"));
    for (const caller of ["c", "d", "e", "f"]) open([caller]).add(60 * KIB);
    expect(() => open(["g"]).add(11 * KIB)).toThrow(refused("service_unavailable"));
    open(["g"]).add(10 * KIB);
  });

  test("is complete again when everything was released, once or twice, including refused bodies", () => {
    const open = createBodyBudget(bounds);
    for (let round = 0; round < 3; round += 1) {
      const all = ["a", "b"].map((caller) => open([caller]));
      for (const body of all) body.add(500 * KIB);
      const refusedBody = open(["c"]);
      expect(() => refusedBody.add(70 * KIB)).toThrow(refused("service_unavailable"));
      for (const body of [...all, refusedBody, ...all]) body.release();
    }
  });
});
