import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { start } from "../harness.ts";
import { judgeResponse } from "../judged-fetch.ts";
import { createJudge, type Description, lookUp, published, type Received } from "../published.ts";
import { expectResponses, judgeStored } from "../second-validator.ts";

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

describe("the second validator", () => {
  const keep = async (text: string, description = published()) => {
    const folder = await mkdtemp(join(tmpdir(), "responses-"));
    const { name } = lookUp(description)(genuine) ?? {};
    await writeFile(join(folder, "1.jsonl"), `{"${name}":${genuine.text}}\n{"${name}":${text}}\n`);
    return judgeStored(folder, description);
  };

  test("accepts the service's responses", async () => expect(await keep(genuine.text)).toBe(2));

  test("refuses a response of another shape", async () => {
    await expect(keep('{"success":true,"data":{}}')).rejects.toThrow(/estimation/);
  });

  test("refuses a value that the description excludes", async () => {
    const description = published();
    Object.assign((description.components.schemas.Estimation as Schema).properties?.hourlyRate ?? {}, {
      maximum: 0.05,
    });
    await expect(keep(genuine.text, description)).rejects.toThrow(/hourlyRate/);
  });

  test("fails only if a run had responses and none was stored", async () => {
    const folder = await mkdtemp(join(tmpdir(), "responses-"));
    expect(await judgeStored(folder)).toBe(0);
    expectResponses(folder);
    await expect(judgeStored(folder)).rejects.toThrow(/No response of this run was stored/);
    await writeFile(join(folder, "1.jsonl"), "");
    await expect(judgeStored(folder)).rejects.toThrow();
  });

  test("refuses a response that no operation has", async () => {
    const folder = await mkdtemp(join(tmpdir(), "responses-"));
    await writeFile(join(folder, "1.jsonl"), '{"nothing 200":{}}\n');
    await expect(judgeStored(folder)).rejects.toThrow(/nothing 200/);
  });
});
