import { describe, expect, test } from "vitest";
import { endpointEntries } from "../../contract/index.ts";
import { start } from "../harness.ts";
import { makeWorld, sampleConfig } from "./samples.ts";

const app = await start({ config: sampleConfig });
const world = await makeWorld(app);
const { token } = world.user;

describe("PATCH", () => {
  const pathOf = {
    updateEstimation: { below: "", field: "title", changed: "By patch", refused: "" },
    updateTask: { below: `/tasks/${world.task}`, field: "title", changed: "By patch", refused: "" },
    updateTimeline: { below: "/timeline", field: "timeZone", changed: "America/Santiago", refused: "Nowhere" },
  };

  test("is accepted by every endpoint that declares it", () => {
    const rows = endpointEntries.filter(([, { alsoPatch }]) => alsoPatch).map(([id]) => id);
    expect(rows.sort()).toEqual(Object.keys(pathOf).sort());
  });

  test.each(Object.entries(pathOf))("does what PUT does: %s", async (_, { below, field, changed, refused }) => {
    const path = `/api/estimations/${world.estimation}${below}`;
    const patch = (value: string, headers = {}) =>
      app.request("PATCH", path, { token, body: { [field]: value }, headers });
    const done = await patch(changed);
    expect([done.status, Object.values(done.data)[0]]).toMatchObject([200, { [field]: changed }]);
    const bad = await patch(refused);
    expect([bad.status, bad.body.errors?.[0]?.path]).toEqual([400, `/${field}`]);
    expect((await patch(changed, { "if-match": '"0"' })).status).toBe(412);
    expect((await app.request("PATCH", path, { body: { [field]: changed } })).status).toBe(401);
  });
});
