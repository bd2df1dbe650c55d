import { Webhook as StandardWebhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { makeSecret } from "../server/platform/webhook-signature.ts";
import { sign, verify } from "./index.ts";
import { refusal } from "./testing/checks.ts";
import { DELIVERY_ID, exampleDeliveries, SENT_AT_MS } from "./testing/deliveries.ts";

const now = () => new Date(SENT_AT_MS);
const secret = makeSecret();

describe("sign", () => {
  test("makes the same headers as the service, byte for byte", async () => {
    for (const { event, body, headers, secret } of exampleDeliveries()) {
      const sent = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
      const expected = Object.fromEntries(sent.filter(([name]) => name !== "user-agent"));
      expect(await sign(body, secret, { event, id: DELIVERY_ID, now })).toEqual(expected);
    }
  });

  test("makes what verify accepts, and refuses after any change", async () => {
    const body = '{"estimationId":"est_ä","taskCount":3}';
    for (const raw of [body, new TextEncoder().encode(body), new TextEncoder().encode(body).buffer]) {
      const headers = await sign(raw, secret, { event: "estimation.tasks_generated" });
      const verified = await verify(body, headers, secret);
      expect(verified).toEqual({
        id: headers["webhook-id"],
        event: "estimation.tasks_generated",
        data: { estimationId: "est_ä", taskCount: 3 },
      });
      expect(await verify(raw, new Headers(headers), secret)).toEqual(verified);
      expect(await refusal(verify(`${body} `, headers, secret))).toBe("signature_mismatch");
      expect(await refusal(verify(body, headers, makeSecret()))).toBe("signature_mismatch");
      expect(await refusal(verify(body, { ...headers, "webhook-id": "wd_1" }, secret))).toBe("signature_mismatch");
    }
  });

  test("makes what the library of Standard Webhooks accepts, with each of several secrets", async () => {
    const [current, former] = [makeSecret(), makeSecret()];
    const headers = await sign("{}", [current, former], { event: "webhook.test" });
    for (const secret of [current, former]) expect(new StandardWebhook(secret).verify("{}", headers)).toEqual({});
    expect(() => new StandardWebhook(current).verify("{ }", headers)).toThrow();
    expect(() => new StandardWebhook(makeSecret()).verify("{}", headers)).toThrow();
  });

  test("gives each delivery an id of its own, in the form of the service's", async () => {
    const ids = await Promise.all(
      Array.from({ length: 50 }, async () => (await sign("{}", secret, { event: "webhook.test" }))["webhook-id"]),
    );
    expect(new Set(ids).size).toBe(50);
    for (const id of ids) expect(id).toMatch(/^wd_[0-9a-z]{26}$/);
  });

  test("can be used to test that old and early deliveries are refused", async () => {
    const at = (seconds: number) => ({ event: "webhook.test", now: () => new Date(Date.now() + seconds * 1_000) });
    expect(await refusal(verify("{}", await sign("{}", secret, at(-302)), secret))).toBe("timestamp_too_old");
    expect(await refusal(verify("{}", await sign("{}", secret, at(302)), secret))).toBe("timestamp_too_new");
  });

  test("refuses wrong arguments", async () => {
    const event = "webhook.test";
    for (const [body, key, options] of [
      [{ parsed: true }, secret, { event }],
      ["{}", "no secret", { event }],
      ["{}", [], { event }],
      ["{}", undefined, { event }],
      ["{}", secret, {}],
    ] as unknown as Parameters<typeof sign>[]) {
      expect(await refusal(sign(body, key, options))).toBeInstanceOf(TypeError);
    }
  });
});
