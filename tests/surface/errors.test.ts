import { describe, expect, test } from "vitest";
import { type ErrorKey, errorKeys, errorRow } from "../../contract/errors.ts";
import { type EndpointId, endpointEntries } from "../../contract/index.ts";
import { fail } from "../../server/http/failure.ts";
import { start, type TestApp } from "../harness.ts";
import { createFaults, type Fault } from "./loops/faults.ts";
import { createProvocations } from "./provocations/index.ts";
import type { Provoking, Refusal } from "./provocations/provoking.ts";

const faults = createFaults();
const app = await start({ plant: faults.plant });
const owner = await app.signUp();
const estimation = await app.request("POST", "/api/estimations", { token: owner.token, body: { title: "x" } });
const asOwner: Provoking["asOwner"] = (method, url, options = {}) =>
  app.request(method, url, { token: owner.token, ...options });
let mailing: Promise<TestApp> | undefined;
const provocations = createProvocations({
  app,
  owner,
  path: `/api/estimations/${estimation.data.estimation?.id}`,
  asOwner,
  mailing() {
    mailing ??= start({ config: { smtpUrl: "smtp://mail.example" } });
    return mailing;
  },
});

/** Throws if a response is not the declared error `key` in its envelope, or reveals something internal. */
function expectDeclared(key: ErrorKey, response: Refusal): void {
  const { status, message, code } = errorRow(key);
  const body = JSON.parse(response.text);
  expect([response.status, body.success, body.message]).toEqual([status, false, message]);
  expect(body.requestId).toMatch(/\S/);
  expect(body.docUrl).toMatch(new RegExp(`/docs#error-${key}$`));
  expect(body.code).toBe(code);
  expect(body.error).toEqual(code ? { code, message } : undefined);
  const known = ["success", "message", "code", "error", "errors", "details", "hint", "docUrl", "requestId"];
  expect(Object.keys(body).filter((name) => !known.includes(name))).toEqual([]);
  expect(response.text).not.toMatch(/select |insert |estimations"|node_modules|\.ts:|at \w+ \(/);
}

describe("every declared error", () => {
  test.each(errorKeys)(
    "%s is sent as declared, in the envelope, and reveals nothing internal (V16.5.1)",
    async (key) => {
      const response = await provocations[key]();
      expectDeclared(key, response);
    },
  );
});

test.each<[string, (body: Record<string, unknown>) => object]>([
  ["another message", (body) => ({ ...body, message: "not found" })],
  ["no id of the request", (body) => ({ ...body, requestId: "" })],
  ["an undeclared field", (body) => ({ ...body, stack: "" })],
  ["a statement", (body) => ({ ...body, details: { query: "select 1" } })],
  ["a place in the code", (body) => ({ ...body, details: { at: "mount.ts:42" } })],
])("an error response with %s is found", async (_, spoil) => {
  const response = await provocations.not_found();
  expectDeclared("not_found", response);
  const text = JSON.stringify(spoil(JSON.parse(response.text)));
  expect(() => expectDeclared("not_found", { ...response, text })).toThrow();
  expect(() => expectDeclared("not_found", { ...response, status: 403 })).toThrow("403");
});
describe("every error that an endpoint declares itself", () => {
  const named = endpointEntries.flatMap(([id, { errors = [] }]) => errors.map((key) => [`${id} ${key}`, key] as const));

  const expectRunInto = async (name: string, key: ErrorKey): Promise<void> => {
    expect(provocations, `no provocation of ${name}`).toHaveProperty([name]);
    const response = await provocations[name]?.();
    expect([response?.status, JSON.parse(response?.text ?? "{}").message]).toEqual([
      errorRow(key).status,
      errorRow(key).message,
    ]);
  };

  test.each(named)("%s can be caused", expectRunInto);

  test.each<[string, EndpointId, ErrorKey, Fault, RegExp]>([
    [
      "does not refuse the request",
      "rotateApiKey",
      "api_key_revoked",
      {
        handler: async () => {
          const key = await asOwner("POST", "/api/api-keys", { body: { name: "k", scopes: [] } });
          return { data: key.data as never };
        },
      },
      /expected \[ 200, .*\[ 409,/,
    ],
    [
      "refuses with another error",
      "updateApiKey",
      "api_key_revoked",
      { handler: async () => fail("not_found") },
      /expected \[ 404, 'not_found' \] to deeply equal \[ 409,/,
    ],
    ["names an error that nothing provokes", "listTasks", "email_taken", {}, /no provocation of listTasks email_taken/],
  ])("the loop fails if an endpoint %s: %s", async (_, id, key, fault, complaint) => {
    await faults.during(id, fault, () => expect(expectRunInto(`${id} ${key}`, key)).rejects.toThrow(complaint));
  });

  test("is provoked here, and no other", () => {
    const known = new Set<string>([...errorKeys, ...named.map(([name]) => name)]);
    expect(Object.keys(provocations).filter((name) => !known.has(name))).toEqual([]);
  });
});
