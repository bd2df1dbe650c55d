import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { makeSecret } from "../server/platform/webhook-signature.ts";
import { type RawBody, verify, type WebhookHeaders } from "./index.ts";
import { at, check, envelope, generated, refusal, secret, timeless, withHeaders } from "./testing/checks.ts";
import { DELIVERY_ID, exampleDeliveries, sign } from "./testing/deliveries.ts";

describe("a delivery", () => {
  test("with a bare body is returned with the event of its header and the id that is signed", async () => {
    expect(await check(generated())).toEqual({
      id: DELIVERY_ID,
      event: "estimation.tasks_generated",
      data: { estimationId: "est_1", taskCount: 3 },
    });
  });

  test("with an envelope is returned with the envelope's fields, whichever of the other specified headers are missing", async () => {
    const expected = {
      id: DELIVERY_ID,
      event: "estimation.tasks_generated",
      createdAt: "2026-01-31T09:29:59.000Z",
      data: { estimationId: "est_1", taskCount: 3 },
    };
    expect(await check(envelope())).toEqual(expected);
    const bare = withHeaders(envelope(), { "X-Service-Event": undefined, "X-Service-Delivery": undefined });
    expect(await check(bare)).toEqual(expected);
  });

  test.each(exampleDeliveries().map((delivery) => [delivery.event, delivery]))("of %s is read", async (event, sent) => {
    expect(await check(sent)).toMatchObject({ id: DELIVERY_ID, event });
  });

  test("of an event that is not known yet is verified, and has its name", async () => {
    for (const name of ["estimation.archived", "__proto__", "toString"]) {
      const sent = sign(name, '{"estimationId":"est_1","by":["usr_1"]}', secret);
      expect(await check(sent)).toEqual({
        id: DELIVERY_ID,
        event: "unknown",
        name,
        data: { estimationId: "est_1", by: ["usr_1"] },
      });
      expect(await refusal(check({ ...sent, body: sent.body.replace("usr_1", "usr_2") }))).toBe("signature_mismatch");
    }
  });

  test("may carry more fields than are known here", async () => {
    const sent = sign("estimation.tasks_generated", '{"estimationId":"est_1","taskCount":3,"more":{"x":1}}', secret);
    expect((await check(sent)).data).toEqual({ estimationId: "est_1", taskCount: 3, more: { x: 1 } });
  });
});

describe("the body", () => {
  test("is accepted as text, bytes, a part of a buffer, and a buffer", async () => {
    const { body, headers } = generated();
    const bytes = new TextEncoder().encode(body);
    const padded = Buffer.concat([Buffer.from("before"), bytes, Buffer.from("after")]);
    const bodies: RawBody[] = [body, bytes, Buffer.from(body), padded.subarray(6, 6 + bytes.length), bytes.buffer];
    for (const raw of bodies) expect((await verify(raw, headers, secret, at(0))).id).toBe(DELIVERY_ID);
  });

  test("that was parsed is refused with a message that says what is needed", async () => {
    const { body, headers } = generated();
    for (const parsed of [JSON.parse(body), undefined, null, 7, [1]]) {
      const failure = await refusal(verify(parsed, headers, secret, at(0)));
      expect(failure).toBeInstanceOf(TypeError);
      expect(String(failure)).toContain("needs the raw bytes of the body");
    }
  });

  test("that changes while it is verified is read as it was verified", async () => {
    const { body, headers } = generated();
    const bytes = Buffer.from(body);
    const verified = verify(bytes, headers, secret, at(0));
    bytes.write("9", body.indexOf("3"));
    expect((await verified).data).toEqual({ estimationId: "est_1", taskCount: 3 });
  });

  test("that is signed but not a JSON object is refused", async () => {
    for (const body of ["", "{", "[]", "null", '"text"', "3", "\ufeff{}"]) {
      expect(await refusal(check(sign("webhook.test", body, secret)))).toBe("invalid_body");
    }
  });

  test("that lacks fields of its event is refused: the header that names the event is not signed", async () => {
    const renamed = withHeaders(generated(), { "X-Service-Event": "estimation.approved" });
    expect(await refusal(check(renamed))).toBe("data_mismatch");
    const mistyped = sign("estimation.tasks_generated", '{"estimationId":"est_1","taskCount":"3"}', secret);
    expect(await refusal(check(mistyped))).toBe("data_mismatch");
  });
});

describe("headers", () => {
  test("are accepted as Headers and as objects, in any case, with values in lists", async () => {
    const { body, headers } = generated();
    const pairs = Object.entries(headers);
    const forms: WebhookHeaders[] = [
      new Headers(headers),
      Object.fromEntries(pairs.map(([name, value]) => [name.toLowerCase(), value])),
      Object.fromEntries(pairs.map(([name, value]) => [name.toUpperCase(), [value]])),
      { ...headers, cookie: undefined },
    ];
    for (const form of forms) expect((await verify(body, form, secret, at(0))).id).toBe(DELIVERY_ID);
  });

  test("that occur twice are used with neither value", async () => {
    const { body, headers } = generated();
    for (const name of ["webhook-id", "webhook-timestamp", "webhook-signature", "X-Service-Delivery"]) {
      const right = headers[name] as string;
      const forms: object[] = [{ [name]: [right, "other"] }, { [name.toUpperCase()]: "other" }];
      if (name !== "webhook-signature") forms.push({ [name]: ["other", right] });
      for (const twice of forms) {
        const code = await refusal(verify(body, { ...headers, ...twice } as WebhookHeaders, secret, at(0)));
        expect(code, name).toMatch(/^(signature_mismatch|invalid_timestamp|id_mismatch)$/);
      }
    }
    const named = { ...headers, "x-service-event": "estimation.approved" };
    expect(await verify(body, named, secret, at(0))).toMatchObject({ event: "unknown" });
  });

  test("with several signatures must have a valid one, in any place", async () => {
    const { body, headers } = generated();
    const right = headers["webhook-signature"] as string;
    const twice = (...values: string[]) => ({ ...headers, "webhook-signature": values });
    expect((await verify(body, twice("v1,other", right), secret, at(0))).id).toBe(DELIVERY_ID);
    expect(await refusal(verify(body, twice(right, "v1,other"), secret, at(0)))).toBe("signature_mismatch");
    const changed = body.replace("3", "4");
    expect(await refusal(verify(changed, twice("v1,other", right), secret, at(0)))).toBe("signature_mismatch");
  });

  test.each(["webhook-id", "webhook-timestamp", "webhook-signature", "X-Service-Event"])(
    "lack %s: refused",
    async (name) => {
      const without = withHeaders(generated(), { [name]: undefined });
      expect(await refusal(check(without))).toBe("missing_header");
      expect(await refusal(check(without, { ...at(0), acceptWithoutTimestamp: true }))).toBe("missing_header");
    },
  );

  test("that name another delivery or event than what is signed are refused", async () => {
    const other = { "X-Service-Delivery": `${DELIVERY_ID.slice(0, -1)}0` };
    expect(await refusal(check(withHeaders(generated(), other)))).toBe("id_mismatch");
    expect(await refusal(check(withHeaders(envelope(), other)))).toBe("id_mismatch");
    const approved = withHeaders(envelope(), { "X-Service-Event": "estimation.approved" });
    expect(await refusal(check(approved))).toBe("event_mismatch");
    const renamed = sign("estimation.tasks_generated", envelope().body.replace(DELIVERY_ID, "wd_other"), secret);
    expect(await refusal(check(renamed))).toBe("id_mismatch");
  });

  test("that are invalid are refused as a mistake of the caller", async () => {
    for (const none of [undefined, null, "x"]) {
      const failure = await refusal(verify("{}", none as unknown as WebhookHeaders, secret));
      expect(failure).toBeInstanceOf(TypeError);
    }
  });
});

describe("the time of signing", () => {
  test("may differ by 300 s in both directions, and no more", async () => {
    expect(await check(generated(), at(300))).toBeDefined();
    expect(await refusal(check(generated(), at(301)))).toBe("timestamp_too_old");
    expect(await check(generated(), at(-300))).toBeDefined();
    expect(await refusal(check(generated(), at(-301)))).toBe("timestamp_too_new");
  });

  test("may differ by as much as the tolerance allows, to the second", async () => {
    const tolerance = fc.integer({ min: 0, max: 100_000 });
    const property = fc.asyncProperty(tolerance, fc.constantFrom(1, -1), async (toleranceSeconds, side) => {
      const [inside, outside] = [at(side * toleranceSeconds), at(side * (toleranceSeconds + 1))];
      expect(await check(generated(), { ...inside, toleranceSeconds })).toBeDefined();
      const code = side === 1 ? "timestamp_too_old" : "timestamp_too_new";
      expect(await refusal(check(generated(), { ...outside, toleranceSeconds }))).toBe(code);
    });
    await fc.assert(property, { numRuns: 50 });
  });

  test("is compared with the system's clock by default", async () => {
    expect(await refusal(check(generated(), {}))).toMatch(/^timestamp_too_(old|new)$/);
  });

  test("is a plain number of seconds", async () => {
    for (const timestamp of ["", " 1769851800", "1769851800.0", "1.8e9", "0x1", "-1", "NaN", "1769851800 "]) {
      const changed = withHeaders(generated(), { "webhook-timestamp": timestamp });
      expect(await refusal(check(changed)), timestamp).toBe("invalid_timestamp");
    }
  });

  test("is never accepted because of an invalid tolerance or clock", async () => {
    for (const options of [{ toleranceSeconds: Number.NaN }, { toleranceSeconds: -1 }, { now: () => new Date("x") }]) {
      expect(await refusal(check(generated(), { ...at(0), ...options }))).toBeInstanceOf(TypeError);
    }
  });
});

describe("X-Service-Signature alone", () => {
  test("is refused, because whoever saw it once could send it again for ever", async () => {
    expect(await refusal(check(timeless(generated())))).toBe("missing_header");
  });

  test("is accepted where the caller says so, at any time", async () => {
    const options = { ...at(1_000_000), acceptWithoutTimestamp: true };
    expect(await check(timeless(generated()), options)).toMatchObject({ id: DELIVERY_ID, data: { taskCount: 3 } });
    expect(await check(timeless(envelope()), options)).toMatchObject({ createdAt: "2026-01-31T09:29:59.000Z" });
    const changed = { ...timeless(generated()), body: generated().body.replace("3", "4") };
    expect(await refusal(check(changed, options))).toBe("signature_mismatch");
  });

  test("does not save a request whose other headers are wrong", async () => {
    const options = { ...at(301), acceptWithoutTimestamp: true };
    expect(await refusal(check(generated(), options))).toBe("timestamp_too_old");
  });
});

describe("secrets", () => {
  test("several are accepted alike, and only those", async () => {
    const { body, headers } = generated();
    const [other, another] = [makeSecret(), makeSecret()];
    expect(await verify(body, headers, [other, secret], at(0))).toBeDefined();
    expect(await verify(body, headers, [secret, other], at(0))).toBeDefined();
    expect(await refusal(verify(body, headers, [other, another], at(0)))).toBe("signature_mismatch");
  });

  test("a delivery signed with two, as after a rotation, is accepted by a receiver that knows either", async () => {
    const former = makeSecret();
    const sent = sign("estimation.tasks_generated", generated().body, secret, former);
    for (const known of [secret, former]) expect(await check({ ...sent, secret: known })).toBeDefined();
    expect(await refusal(check({ ...sent, secret: makeSecret() }))).toBe("signature_mismatch");
    const switched = { ...timeless(sent), secret: former };
    expect(await refusal(check(switched, { acceptWithoutTimestamp: true }))).toBe("signature_mismatch");
  });

  test("signatures of other versions are passed over", async () => {
    const signature = generated().headers["webhook-signature"];
    const sent = withHeaders(generated(), { "webhook-signature": `v1a,bm90IGtub3du v2 ${signature} v1,` });
    expect(await check(sent)).toBeDefined();
    for (const none of ["", "v1,", "v1", signature?.replace("v1", "v2"), signature?.slice(0, -1)]) {
      expect(await refusal(check(withHeaders(sent, { "webhook-signature": none ?? "" })))).toBe("signature_mismatch");
    }
  });

  test("an impossible one is a mistake of the caller, and is not repeated in the message", async () => {
    const { body, headers } = generated();
    const bare = secret.slice("whsec_".length);
    const short = `whsec_${Buffer.alloc(23).toString("base64")}`;
    for (const none of [undefined, null, "", "whsec_", [], [""], [secret, undefined], bare, `${secret}\n`, short]) {
      const failure = await refusal(verify(body, headers, none as string, at(0)));
      expect(failure).toBeInstanceOf(TypeError);
      expect(String(failure)).not.toContain(bare);
    }
  });
});
