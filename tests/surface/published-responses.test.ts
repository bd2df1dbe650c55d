import { describe, expect, test } from "vitest";
import { start } from "../harness.ts";
import { judgeResponse } from "../judged-fetch.ts";
import { createJudge, type Description, published, type Received } from "../published.ts";

const app = await start();
const { token } = await app.signUp();
const made = await app.request("POST", "/api/estimations", {
  token,
  body: { title: "Shop", hourlyRate: 0.07, currency: "EUR" },
});
/** A response of the service as a client sees it. */
const genuine: Received = {
  method: "POST",
  path: "/api/estimations",
  status: made.status,
  contentType: made.headers.get("content-type"),
  text: made.text,
};

type Schema = Record<string, Record<string, Record<string, unknown>>>;

/** Ways in which the description and a response can differ, each with what is said of it. */
const breaches: readonly (readonly [string, (description: Description) => void, Partial<Received>, RegExp])[] = [
  [
    "counts decimals by dividing",
    ({ components: { schemas } }) =>
      Object.assign((schemas.Estimation as Schema).properties?.hourlyRate ?? {}, { multipleOf: 0.01 }),
    {},
    /hourlyRate must be multiple of 0.01/,
  ],
  ["lacks the status", ({ paths }) => void delete at(paths).responses[201], { status: 204 }, /204|201/],
  [
    "has other fields",
    ({ components: { schemas } }) => void delete (schemas.Estimation as Schema).properties?.access,
    {},
    /must NOT have additional properties/,
  ],
  ["knows no such body", () => {}, { contentType: "text/html" }, /content type "text\/html" is not described/],
  ["knows no such form of an instant", () => {}, { text: made.text.replace(/\.\d{3}Z/, "Z") }, /date-time/],
  ["requires what is not there", () => {}, { text: '{"success":true,"data":{}}' }, /required property 'estimation'/],
];

const at = (paths: Description["paths"]) => paths["/api/estimations"]?.post as { responses: Record<string, unknown> };

describe("a response is refused if the description", () => {
  test("is another one, and only then", () => {
    expect(createJudge(published())(genuine)).toMatchObject({ name: "createEstimation 201" });
  });

  test.each(breaches)("%s", (_, spoil, response, complaint) => {
    const description = published();
    spoil(description);
    if (response.status) delete at(description.paths).responses.default;
    expect(() => createJudge(description)({ ...genuine, ...response })).toThrow(complaint);
  });

  test("is another one, each time that it is received", () => {
    const wrong = { ...genuine, text: '{"success":true,"data":{}}' };
    for (const _ of ["once", "again"]) expect(() => judgeResponse(wrong)).toThrow("required property 'estimation'");
  });
});

test("an error may have no field and no details that the description lacks", async () => {
  const { text, status, headers } = await app.request("POST", "/api/estimations", { token, body: {} });
  const refused = { ...genuine, status, contentType: headers.get("content-type") };
  expect(createJudge(published())({ ...refused, text })).not.toBeNull();
  for (const more of [{ details: { limit: 1 } }, { stack: "" }, { errors: undefined }])
    expect(() => judgeResponse({ ...refused, text: JSON.stringify({ ...JSON.parse(text), ...more }) })).toThrow(
      "the description refuses the response",
    );
});

test("each event of a stream is judged", () => {
  const watched = {
    method: "GET",
    path: `/api/estimations/est_1/exports/exp_1/progress`,
    status: 200,
    contentType: "text/event-stream",
  };
  expect(() => judgeResponse({ ...watched, text: 'event: progress\ndata: {"status":"queued"}\n\n' })).toThrow(
    "the description refuses the response (watchExport 200 event)",
  );
});

test("every fetch to the service is checked, wherever it is called", async () => {
  const planted = await start({
    plant: ({ handlers, mounting }) => ({
      handlers,
      mounting: {
        ...mounting,
        rateLimit: {
          ...mounting.rateLimit,
          count: async (_, response) => void response.code(418).hijack().raw.end("tea"),
        },
      },
    }),
  });
  await expect(planted.request("GET", "/api/estimations")).rejects.toThrow(/listEstimations 418/);
  await expect(fetch(`${planted.url}/api/estimations`)).rejects.toThrow(/listEstimations 418/);
});

test("a field that an endpoint does not declare is not sent, whatever its handler returns (V8.2.3)", async () => {
  const leaking = await start({
    plant: ({ handlers, mounting }) => ({
      handlers: {
        ...handlers,
        async getCurrentUser(call) {
          const { data } = await handlers.getCurrentUser(call);
          return { data: { ...data, user: { ...data.user, passwordHash: "$argon2id" }, tokenVersion: 1 } };
        },
      },
      mounting,
    }),
  });
  const user = await leaking.signUp();
  const { data } = await leaking.request("GET", "/api/auth/me", { token: user.token });
  expect(data).toEqual({ user: expect.not.objectContaining({ passwordHash: expect.anything() }) });
});
