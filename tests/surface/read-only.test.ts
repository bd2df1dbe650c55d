import { describe, expect, test } from "vitest";
import { type EndpointId, endpointRows } from "../../contract/index.ts";
import { start } from "../harness.ts";
import { changesNothing } from "../support/dump.ts";
import { callSample } from "./call.ts";
import { makeWorld, sampleConfig } from "./samples.ts";

const app = await start({ config: sampleConfig });
const world = await makeWorld(app);

interface Field {
  readonly readOnly?: boolean;
  readonly "x-must-match"?: boolean;
}

const fieldsOf = (body: unknown): [string, Field][] =>
  Object.entries((body as { properties?: Record<string, Field> } | undefined)?.properties ?? {});

const rows = endpointRows.filter(([, { body }]) => fieldsOf(body).some(([, field]) => field["x-must-match"]));
const matching = rows.flatMap(([id, { body }]) =>
  fieldsOf(body).flatMap(([name, field]) => (field["x-must-match"] ? [[id, name] as const] : [])),
);
const derived = endpointRows.flatMap(([id, { body }]) =>
  fieldsOf(body).flatMap(([name, field]) => (field.readOnly && !field["x-must-match"] ? [[id, name] as const] : [])),
);

/** The record that a change of `id` answers. */
async function recordOf(id: EndpointId): Promise<Record<string, unknown>> {
  const { data } = await callSample(app, id, world);
  return Object.values(data)[0] as unknown as Record<string, unknown>;
}

test("rows that change a record compare who and what it is", () => {
  expect(rows.map(([id]) => id).sort()).toEqual(
    ["updateEstimation", "updateNode", "updateOption", "updateTask", "updateWebhook"].sort(),
  );
});

describe("a read-only field of a record that is sent back", () => {
  test.each(rows)("is taken by %s as it is, with all the others", async (id) => {
    const record = await recordOf(id);
    const answer = await callSample(app, id, world, { body: record });
    expect([answer.status, answer.body.errors]).toEqual([200, undefined]);
  });

  test.each(matching)("is refused by %s where %s differs, and nothing is changed", async (id, name) => {
    const { [name]: value } = await recordOf(id);
    for (const other of [null, "another", { a: 1 }, ["x"], value === true ? false : 5]) {
      if (other === value) continue;
      const answer = await changesNothing(app, () => callSample(app, id, world, { body: { [name]: other } }));
      expect([answer.status, answer.body.errors?.[0]]).toEqual([
        400,
        expect.objectContaining({ path: `/${name}`, in: "body", code: "read_only" }),
      ]);
    }
  });

  test.each(derived)("is ignored by %s: %s", async (id, name) => {
    const sample = id === "replaceTree" ? { nodes: [] } : {};
    const answer = await callSample(app, id, world, { body: { ...sample, [name]: { anything: [null] } } });
    expect([answer.status, answer.body.errors]).toEqual([200, undefined]);
  });
});
