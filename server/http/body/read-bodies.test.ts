import { once } from "node:events";
import { request } from "node:http";
import { text } from "node:stream/consumers";
import { fastify } from "fastify";
import { describe, expect, onTestFinished, test } from "vitest";
import { limits } from "../../../contract/limits.ts";
import { until } from "../../../tests/harness.ts";
import { systemClock } from "../../platform/clock.ts";
import { addressGroup } from "../client-address.ts";
import type { Failure } from "../failure.ts";
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

describe("where bodies take all memory that they may", () => {
  const [partBytes, bodies] = [300_000, 4];

  /** A server with a budget of so many bodies, whose handler waits for `answering`. */
  async function listen(answering: Promise<unknown>) {
    const app = fastify();
    app.decorateRequest("actor", null);
    app.decorateRequest("bodyBytes", 0);
    app.decorateRequest("clientAddress", {
      getter() {
        return String(this.headers["x-address"]);
      },
    });
    const pace = { graceMs: 60_000, bytesPerSecond: 1 };
    const open = createBodyBudget({ ...limits, largeBodiesTotalBytes: partBytes * bodies });
    let taken = 0;
    let completed = 0;
    const budget = (callers: readonly string[]) => {
      const held = open(callers);
      const add = (bytes: number) => {
        held.add(bytes);
        taken += bytes;
      };
      const complete = () => {
        held.complete();
        completed += 1;
      };
      return { ...held, add, complete };
    };
    readBodies(app, { budget, pace, clock: systemClock, ask: () => {} });
    app.post("/", async ({ heldBody }) => {
      await answering;
      heldBody?.release();
      return "done";
    });
    app.setErrorHandler((error: Failure, _, reply) => reply.code(503).send(error.key));
    const url = await app.listen({ port: 0 });
    onTestFinished(() => app.close());
    const begin = (at: number, announcedBytes: number) => {
      const headers = { "content-type": "application/json", "x-address": `192.0.2.${at % 2}` };
      const sent = request(url, { method: "POST", headers: { ...headers, "content-length": announcedBytes } });
      sent.on("error", () => {});
      onTestFinished(() => void sent.destroy());
      sent.write(`"${" ".repeat(partBytes - 2)}"`);
      return once(sent, "response").then(([answer]) => text(answer));
    };
    const headers = { "content-type": "application/json", "x-address": "192.0.2.9" };
    const body = JSON.stringify("x".repeat(100_000));
    return {
      hold: async (announcedBytes: number) => {
        const answers = Array.from({ length: bodies }, (_, at) => begin(at, announcedBytes));
        await until(() => taken === partBytes * bodies && (announcedBytes > partBytes || completed === bodies));
        return answers;
      },
      send: async () => (await fetch(url, { method: "POST", headers, body })).text(),
    };
  }

  test("one that is not finished is refused for that of somebody who holds less", async () => {
    const { hold, send } = await listen(Promise.resolve());
    const answers = await hold(partBytes + 1);
    expect(await send()).toBe("done");
    expect(await Promise.race(answers)).toBe("service_unavailable");
  });

  test("those that are finished keep their parts until they are answered", async () => {
    const answering = Promise.withResolvers<void>();
    const { hold, send } = await listen(answering.promise);
    const answers = await hold(partBytes);
    expect(await send()).toBe("service_unavailable");
    answering.resolve();
    expect(await Promise.all(answers)).toEqual(Array(bodies).fill("done"));
    expect(await send()).toBe("done");
  });
});
