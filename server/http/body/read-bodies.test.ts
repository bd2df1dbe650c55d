import { once } from "node:events";
import { fastify } from "fastify";
import { expect, test } from "vitest";
import { limits } from "../../../contract/limits.ts";
import { systemClock } from "../../platform/clock.ts";
import { addressGroup } from "../client-address.ts";
import { LargeBody } from "../in-thread.ts";
import { createBodyBudget } from "./budget.ts";
import { readBodies } from "./read-bodies.ts";

test("a large body that no thread got is freed with its part of the budget", async () => {
  const app = fastify();
  app.decorateRequest("actor", null);
  app.decorateRequest("bodyBytes", 0);
  app.decorateRequest("clientAddress", "192.0.2.1");
  const pace = { graceMs: 60_000, bytesPerSecond: 1 };
  readBodies(app, { budget: createBodyBudget(), pace, clock: systemClock, ask: () => {} });
  app.post("/", { config: { leavesLargeBodies: true } }, async ({ body, heldBody }) => {
    const { port } = (body as LargeBody).parked;
    const closed = once(port, "close");
    heldBody?.release();
    await closed;
    return body instanceof LargeBody;
  });
  const payload = JSON.stringify({ text: "x".repeat(limits.inProcessBytes) });
  const { body } = await app.inject({
    method: "POST",
    url: "/",
    headers: { "content-type": "application/json" },
    payload,
  });
  expect(body).toBe("true");
  await app.close();
});

test("a body counts for its address, for all addresses of an IPv6 network together, and for its user", async () => {
  const callers: (readonly string[])[] = [];
  const budget = createBodyBudget();
  for (const [address, userId] of [
    ["192.0.2.1", null],
    ["2001:db8:0:1::7", "usr_ada"],
  ] as const) {
    const app = fastify();
    app.decorateRequest("actor", { getter: () => (userId === null ? null : { userId }) } as never);
    app.decorateRequest("bodyBytes", 0);
    app.decorateRequest("clientAddress", address);
    const pace = { graceMs: 60_000, bytesPerSecond: 1 };
    const noting = (given: readonly string[]) => {
      callers.push(given);
      return budget(given);
    };
    readBodies(app, { budget: noting, pace, clock: systemClock, ask: () => {} });
    app.post("/", async () => "");
    await app.inject({ method: "POST", url: "/", headers: { "content-type": "application/json" }, payload: "{}" });
    await app.close();
  }
  expect(callers).toEqual([["192.0.2.1"], [addressGroup("2001:db8:0:1::"), "usr_ada"]]);
});
