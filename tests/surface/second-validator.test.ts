import { execFile } from "node:child_process";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { errorKeys } from "../../contract/errors.ts";
import { endpointEntries } from "../../contract/index.ts";
import { start, type TestApp } from "../harness.ts";
import { type Description, lookUp, published, schemaOfResponses } from "../published.ts";
import { callSample } from "./call.ts";
import { setStage } from "./loops/stage.ts";
import { createProvocations } from "./provocations/index.ts";

const PROGRAM = fileURLToPath(new URL("../../node_modules/@sourcemeta/jsonschema/npm/cli.js", import.meta.url));

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
 * Judges responses by a validator that is written in C++ and has nothing in common with Ajv, by which every test judges.
 * Returns how many there were; throws where the description refuses one.
 */
async function judge(responses: readonly string[], description: Description = published()): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), "responses-"));
  const [schema, file] = [join(folder, "schema.json"), join(folder, "responses.jsonl")];
  await writeFile(schema, JSON.stringify(schemaOfResponses(description)));
  await writeFile(file, responses.map((line) => `${line}\n`).join(""));
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [PROGRAM, "validate", schema, file], {
    maxBuffer: 2 ** 26,
  }).catch((failed: { stdout: string; stderr: string }) => {
    throw new Error(`The description refuses a response.\n${failed.stdout}${failed.stderr}`);
  });
  return Number(/(\d+) validated/.exec(stdout + stderr)?.[1]);
}

describe("a second validator", () => {
  test("accepts a response of every endpoint", async () => {
    lines.length = 0;
    for (const [id] of endpointEntries) await stage.undoing(() => callSample(app, id, stage.world));
    expect(lines.length).toBeGreaterThan(100);
    expect(await judge(lines)).toBe(lines.length);
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
    expect(await judge(lines)).toBe(lines.length);
  });

  test("refuses a response of another shape, an excluded value, and a response of no operation", async () => {
    const { token } = stage.world.user;
    lines.length = 0;
    await app.request("POST", "/api/estimations", {
      token,
      body: { title: "Shop", hourlyRate: 0.07, currency: "EUR" },
    });
    expect(await judge(lines)).toBe(1);
    await expect(judge([...lines, '{"createEstimation 201":{"success":true,"data":{}}}'])).rejects.toThrow(
      /estimation/,
    );
    await expect(judge(['{"nothing 200":{}}'])).rejects.toThrow(/nothing 200/);
    const description = published();
    const { Estimation } = description.components.schemas as { Estimation: { properties: { hourlyRate: object } } };
    Object.assign(Estimation.properties.hourlyRate, { maximum: 0.05 });
    await expect(judge(lines, description)).rejects.toThrow(/hourlyRate/);
  });
});
