import { Webhook as StandardWebhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { makeSecret } from "../server/platform/webhook-signature.ts";
import { verify } from "./index.ts";
import { DELIVERY_ID, exampleDeliveries, SENT_AT_MS, sign } from "./testing/deliveries.ts";

// Both libraries ask the system for the time.
beforeAll(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: SENT_AT_MS });
});
afterAll(() => {
  vi.useRealTimers();
});

test("the libraries take a plain object and text or a buffer, and return what the guide says", () => {
  const [{ body, headers, secret }] = exampleDeliveries() as [ReturnType<typeof exampleDeliveries>[number]];
  const request = new Request("https://hooks.example.com", { method: "POST", headers: { ...headers }, body });
  const plain = Object.fromEntries(request.headers);
  for (const text of [body, Buffer.from(body)]) {
    expect(new StandardWebhook(secret).verify(text, plain)).toEqual(JSON.parse(body));
    expect(new SvixWebhook(secret).verify(text, plain)).toBeUndefined();
  }
  for (const Webhook of [StandardWebhook, SvixWebhook]) {
    const receiver: { verify(body: unknown, headers: unknown): unknown } = new Webhook(secret);
    expect(() => receiver.verify(body, request.headers)).toThrow("Missing required headers");
    expect(() => receiver.verify(new TextEncoder().encode(body), plain)).toThrow("string or Buffer");
  }
});

describe.each([
  ["standardwebhooks", StandardWebhook],
  ["svix", SvixWebhook],
])("the library %s", (_, Webhook) => {
  test("verifies what the service signs, and refuses changed bodies", () => {
    for (const { body, headers, secret } of exampleDeliveries()) {
      const receiver = new Webhook(secret);
      expect(() => receiver.verify(body, { ...headers })).not.toThrow();
      expect(() => receiver.verify(`${body} `, { ...headers })).toThrow();
      expect(() => new Webhook(makeSecret()).verify(body, { ...headers })).toThrow();
    }
  });

  test("verifies with either secret after a rotation", () => {
    const [current, former] = [makeSecret(), makeSecret()];
    const { body, headers } = sign("webhook.test", "{}", current, former);
    for (const secret of [current, former]) {
      expect(() => new Webhook(secret).verify(body, { ...headers })).not.toThrow();
    }
  });

  test("signs what this module verifies", async () => {
    for (const { event, body, headers, secret } of exampleDeliveries()) {
      const signature = new Webhook(secret).sign(DELIVERY_ID, new Date(SENT_AT_MS), body);
      const signed = { "webhook-id": DELIVERY_ID, "webhook-signature": signature, "X-Service-Event": event };
      const sent = { ...signed, "webhook-timestamp": headers["webhook-timestamp"] };
      expect(await verify(body, sent, secret)).toMatchObject({ id: DELIVERY_ID, event });
    }
  });
});
