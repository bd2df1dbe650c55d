import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { endpointEntries } from "../../contract/index.ts";
import { EXAMPLES } from "../../server/http/openapi/examples.ts";
import { type Response, start } from "../harness.ts";
import { saveRows } from "../support/saved-rows.ts";
import { callSample, sampleOf } from "./call.ts";
import { MOMENT, steadyStatus, steadyTexts } from "./examples/steady-texts.ts";
import { makeWorld, sampleConfig } from "./samples.ts";

/** Rows of a list that an example shows; the first are enough to see what they look like. */
const SHOWN = 2;

const app = await start({ config: { ...sampleConfig, rateLimitAuthPerMinute: 1_000_000 }, at: MOMENT });
const ada = await app.signUp("ada@example.com");
await app.request("PATCH", "/api/auth/me", { token: ada.token, body: { name: "Ada Moreau" } });
const world = await makeWorld(app, ada);
// So that schedules and forecasts have something to show.
await app.request("PUT", `/api/estimations/${world.estimation}/timeline`, {
  token: world.user.token,
  body: { startDate: "2026-02-02" },
});
const { restore } = await saveRows(app.pool);

const shortened = (data: object): object =>
  Object.fromEntries(
    Object.entries(data).map(([name, value]) => [name, Array.isArray(value) ? value.slice(0, SHOWN) : value]),
  );

/** A file by its media type. */
function saved({ headers, text, body }: Response): object {
  const type = headers.get("content-type")?.split(";")[0] ?? "";
  return { [type]: type === "application/json" ? body : text };
}

test("the examples of the description are the service's responses to its samples: npm run generate", async () => {
  const { url } = app;
  const steady = steadyTexts({ url, world });
  const examples: Record<string, unknown> = {};
  for (const [id, { response }] of endpointEntries) {
    const { params, query, body } = sampleOf(id, world);
    const given = [await callSample(app, id, world)];
    // The same request again finds what the first one made.
    if ("data" in response && response.found) given.push(await callSample(app, id, world));
    await restore();
    const steadied = id === "getInstanceStatus" ? steadyStatus : (data: object) => data;
    const shown = "data" in response ? ({ data }: Response) => shortened(steadied(data)) : saved;
    const responses = given
      .filter(() => "data" in response || "file" in response)
      .map((one) => [one.status, shown(one)]);
    examples[id] = steady({ params, query, body, responses: Object.fromEntries(responses) });
  }
  await expect(`${JSON.stringify(examples, null, 2)}\n`).toMatchFileSnapshot(fileURLToPath(EXAMPLES));
});
