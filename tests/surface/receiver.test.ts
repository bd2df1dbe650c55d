import { Webhook as StandardWebhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { bodyFormats } from "../../contract/endpoints/webhooks.ts";
import { eventNames, events, subscribableEvents } from "../../contract/events.ts";
import { verify } from "../../receiver/index.ts";
import type { Delivery } from "../../receiver/testing/deliveries.ts";
import { checkModule, installPacked } from "../../receiver/testing/empty-project.ts";
import { emit } from "../../server/features/webhooks/index.ts";
import { start, until } from "../harness.ts";
import { startReceiver } from "../support/receiver.ts";

/** Every event of the catalogue in both forms of the body, as a receiver got it. */
let received: Delivery[];

beforeAll(async () => {
  const app = await start({ worker: true });
  const receiver = await startReceiver();
  receiver.trustedBy(app.services.config.dataDir);
  const { token, userId } = await app.signUp();
  const secrets = new Map<string, string>();
  for (const bodyFormat of bodyFormats) {
    const body = { url: `${receiver.url}/${bodyFormat}`, events: subscribableEvents, bodyFormat };
    const { data } = await app.request("POST", "/api/webhooks", { token, body });
    secrets.set(`/${bodyFormat}`, String(data.secret));
    await app.request("POST", `/api/webhooks/${data.webhook?.id}/test`, { token });
  }
  for (const event of subscribableEvents) {
    const emission = { event, data: events[event].example, userIds: [userId], senderId: userId, now: app.clock.now() };
    await app.services.pool.transaction((tx) => emit(tx, app.services, emission));
  }
  const expected = eventNames.length * bodyFormats.length;
  await until(async () => (receiver.requests.length === expected ? true : undefined));
  received = receiver.requests.map(({ path, body, headers }) => ({
    event: headers["x-service-event"] ?? "",
    body,
    headers,
    secret: secrets.get(path) ?? "",
    atMs: app.clock.now().getTime(),
  }));
  await receiver.close();
});
afterEach(() => {
  vi.useRealTimers();
});

test("every event in both forms is verified and typed by the receiver's module", async () => {
  expect([...new Set(received.map(({ event }) => event))].toSorted()).toEqual(eventNames.toSorted());
  for (const { event, body, headers, secret, atMs } of received) {
    const verified = await verify(body, headers, secret, { now: () => new Date(atMs) });
    const { data, createdAt } = JSON.parse(body);
    expect(verified).toEqual({
      id: headers["x-service-delivery"],
      event,
      ...(createdAt === undefined ? {} : { createdAt }),
      data: data ?? JSON.parse(body),
    });
  }
});

test("the id of the accepting user has its own name only in the envelope", async () => {
  for (const { event, body, headers, secret, atMs } of received) {
    const verified = await verify(body, headers, secret, { now: () => new Date(atMs) });
    if (verified.event !== "share.accepted") continue;
    const { accepterEmail, accepterUserId } = verified.data;
    expect(accepterUserId, event).toBe(verified.createdAt === undefined ? undefined : accepterEmail);
  }
});

test("X-Service-Signature alone is accepted only on request", async () => {
  for (const { event, body, headers, secret } of received) {
    const names = ["x-service-event", "x-service-delivery", "x-service-signature"];
    const specified = Object.fromEntries(names.map((name) => [name, headers[name]]));
    await expect(verify(body, specified, secret)).rejects.toMatchObject({ code: "missing_header" });
    expect(await verify(body, specified, secret, { acceptWithoutTimestamp: true })).toMatchObject({ event });
  }
});

test("libraries of Standard Webhooks verify them", () => {
  for (const { body, headers, secret, atMs } of received) {
    vi.useFakeTimers({ toFake: ["Date"], now: atMs });
    for (const Webhook of [StandardWebhook, SvixWebhook]) {
      expect(() => new Webhook(secret).verify(body, { ...headers })).not.toThrow();
      expect(() => new Webhook(secret).verify(body.replace("{", "{ "), { ...headers })).toThrow();
    }
  }
});

test("the package that receivers install verifies them in an empty project", async () => {
  const project = await installPacked();
  try {
    await project.write("check.js", checkModule(received));
    await project.write("main.js", 'import { check } from "./check.js";\nconsole.log(await check());\n');
    expect(await project.run(process.execPath, "main.js")).toBe(`${received.length} deliveries verified\n`);
  } finally {
    await project.remove();
  }
});
