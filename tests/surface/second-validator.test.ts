import { Validator } from "@cfworker/json-schema";
import { describe, expect, test } from "vitest";
import { errorKeys } from "../../contract/errors.ts";
import { endpointEntries } from "../../contract/index.ts";
import { start, type TestApp } from "../harness.ts";
import { type Description, lookUp, published, schemaOfResponses } from "../published.ts";
import { callSample } from "./call.ts";
import { setStage } from "./loops/stage.ts";
import { createProvocations } from "./provocations/index.ts";

/** Responses as JSON, each on a line, in an object by the name of its description. */
const lines: string[] = [];
const find = lookUp(published());

/** The app, keeping what it responds. */
const kept = (app: TestApp): TestApp => ({
  ...app,
  async request(method, path, options) {
    const response = await app.request(method, path, options);
    const { status, headers, text } = response;
    const received = {
      method,
      path: path.split("?", 1)[0] ?? "",
      status,
      contentType: headers.get("content-type"),
      text,
    };
    for (const body of find(received)?.texts ?? [])
      lines.push(`{${JSON.stringify(find(received)?.name)}:${body.replace(/[\r\n]+/g, " ")}}`);
    return response;
  },
});

const stage = await setStage();
const app = kept(stage.app);

/**
 * Judges responses by a validator that interprets schemas, and so has nothing in common with Ajv, by which every test
 * judges. Returns how many there were; throws where the description refuses one.
 */
function judge(responses: readonly string[], description: Description = published()): number {
  const validator = new Validator(schemaOfResponses(description), "2020-12", false);
  for (const response of responses) {
    const { valid, errors } = validator.validate(JSON.parse(response));
    if (!valid) throw new Error(`The description refuses a response: ${response}\n${JSON.stringify(errors, null, 2)}`);
  }
  return responses.length;
}

describe("a second validator", () => {
  test("accepts a response of every endpoint", async () => {
    lines.length = 0;
    for (const [id] of endpointEntries) await stage.undoing(() => callSample(app, id, stage.world));
    expect(lines.length).toBeGreaterThan(100);
    expect(judge(lines)).toBe(lines.length);
  });

  test("accepts every error", async () => {
    lines.length = 0;
    const owner = await app.signUp();
    const { data } = await app.request("POST", "/api/estimations", { token: owner.token, body: { title: "x" } });
    let mailing: Promise<TestApp> | undefined;
    const provocations = createProvocations({
      app,
      owner,
      path: `/api/estimations/${data.estimation?.id}`,
      asOwner: (method, url, options = {}) => app.request(method, url, { token: owner.token, ...options }),
      mailing() {
        mailing ??= start({ config: { smtpUrl: "smtp://mail.example" } }).then(kept);
        return mailing;
      },
    });
    for (const key of errorKeys) await provocations[key]();
    const refused = lines.filter((line) => line.includes('"success":false'));
    expect(refused.length).toBeGreaterThan(errorKeys.length / 2);
    expect(judge(lines)).toBe(lines.length);
  });

  test("refuses a response of another shape, an excluded value, and a response of no operation", async () => {
    const { token } = stage.world.user;
    lines.length = 0;
    await app.request("POST", "/api/estimations", {
      token,
      body: { title: "Shop", hourlyRate: 0.07, currency: "EUR" },
    });
    expect(judge(lines)).toBe(1);
    expect(() => judge([...lines, '{"createEstimation 201":{"success":true,"data":{}}}'])).toThrow(/estimation/);
    expect(() => judge(['{"nothing 200":{}}'])).toThrow(/nothing 200/);
    const description = published();
    const { Estimation } = description.components.schemas as { Estimation: { properties: { hourlyRate: object } } };
    Object.assign(Estimation.properties.hourlyRate, { maximum: 0.05 });
    expect(() => judge(lines, description)).toThrow(/hourlyRate/);
  });
});
