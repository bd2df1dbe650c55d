import { describe, expect, test } from "vitest";
import { endpointRows } from "../../contract/index.ts";
import { start } from "../harness.ts";
import { callSample } from "./call.ts";
import { changedRecord, otherReadOnlyFieldsAreRefused, readOnlyFields } from "./loops/read-only-fields.ts";
import { makeWorld, sampleConfig } from "./samples.ts";

const app = await start({ config: sampleConfig });
const world = await makeWorld(app);

const { rows } = otherReadOnlyFieldsAreRefused;
const ignored = endpointRows
  .flatMap(([id, endpoint]) => readOnlyFields(endpoint, { mustMatch: false }).map((name) => [id, name] as const))
  // The last, as it removes the nodes that the others change.
  .sort(([a], [b]) => Number(a === "replaceTree") - Number(b === "replaceTree"));

test("rows that change a record compare who and what it is", () => {
  expect(rows.map(([id]) => id).sort()).toEqual(
    [
      "updateComment",
      "updateConnection",
      "updateEstimation",
      "updateMilestone",
      "updateNode",
      "updateOption",
      "updateTask",
      "updateWebhook",
    ].sort(),
  );
});

describe("a read-only field of a record that is sent back", () => {
  test.each(rows)("is taken by %s as it is, with all the others", async (id) => {
    const record = await changedRecord(app, id, world);
    const answer = await callSample(app, id, world, { body: record });
    expect([answer.status, answer.body.errors]).toEqual([200, undefined]);
  });

  test.each(ignored)("is ignored by %s: %s", async (id, name) => {
    const sample = id === "replaceTree" ? { nodes: [] } : {};
    const answer = await callSample(app, id, world, { body: { ...sample, [name]: { anything: [null] } } });
    expect([answer.status, answer.body.errors]).toEqual([200, undefined]);
  });
});
