import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type RawBody, verify } from "./index.ts";
import { at, check, refusal, secret, timeless, withHeaders } from "./testing/checks.ts";
import { type Delivery, sign } from "./testing/deliveries.ts";

describe("one bit changed", () => {
  const flip = (bytes: Uint8Array, bit: number): Uint8Array => {
    const changed = Uint8Array.from(bytes);
    const place = bit % (changed.length * 8);
    changed[place >> 3] = (changed[place >> 3] ?? 0) ^ (1 << (place & 7));
    return changed;
  };
  const flipText = (text: string, bit: number) =>
    Buffer.from(flip(Buffer.from(text, "latin1"), bit)).toString("latin1");
  const delivery = fc
    .record({ title: fc.string({ unit: "grapheme" }), taskCount: fc.nat() })
    .map((data) => sign("estimation.tasks_generated", JSON.stringify({ estimationId: "est_1", ...data }), secret));
  const refusedAfter = async (change: (sent: Delivery, bit: number) => [RawBody, Delivery]) => {
    const property = fc.asyncProperty(delivery, fc.nat(), async (sent, bit) => {
      const options = { ...at(0), toleranceSeconds: Number.POSITIVE_INFINITY, acceptWithoutTimestamp: true };
      expect((await check(sent, options)).data).toEqual(JSON.parse(sent.body));
      const [body, { headers, secret: key }] = change(sent, bit);
      expect(await refusal(verify(body, headers, key, options))).toMatch(/^(signature_mismatch|invalid_timestamp)$/);
    });
    await fc.assert(property, { numRuns: 300 });
  };
  const inHeader =
    (name: string) =>
    (sent: Delivery, bit: number): [RawBody, Delivery] => [
      sent.body,
      withHeaders(sent, { [name]: flipText(sent.headers[name] ?? "", bit) }),
    ];
  const inSecret = (sent: Delivery, bit: number): [RawBody, Delivery] => {
    const key = flip(Buffer.from(sent.secret.slice("whsec_".length), "base64"), bit);
    return [sent.body, { ...sent, secret: `whsec_${Buffer.from(key).toString("base64")}` }];
  };

  test("in the body is noticed", () => refusedAfter((sent, bit) => [flip(Buffer.from(sent.body), bit), sent]));
  test("in the id is noticed", () => refusedAfter(inHeader("webhook-id")));
  test("in the time is noticed", () => refusedAfter(inHeader("webhook-timestamp")));
  test("in the signature is noticed", () => refusedAfter(inHeader("webhook-signature")));
  test("in the secret is noticed", () => refusedAfter(inSecret));
  test("in X-Service-Signature alone is noticed", () =>
    refusedAfter((sent, bit) => inHeader("X-Service-Signature")(timeless(sent), bit)));
  test("in the body under X-Service-Signature alone is noticed", () =>
    refusedAfter((sent, bit) => [flip(Buffer.from(sent.body), bit), timeless(sent)]));
  test("in the secret under X-Service-Signature alone is noticed", () =>
    refusedAfter((sent, bit) => inSecret(timeless(sent), bit)));
});
