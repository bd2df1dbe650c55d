import { expect, test } from "vitest";
import { limits } from "../../../contract/limits.ts";
import { start } from "../../../tests/harness.ts";
import { changesNothing } from "../../../tests/support/dump.ts";

const app = await start();

test("a user generates tasks so often in a minute, in all estimations, since each time tells all webhooks", async () => {
  const { token } = await app.signUp();
  const paths: string[] = [];
  for (const title of ["One", "Other"]) {
    const { data } = await app.request("POST", "/api/estimations", { token, body: { title } });
    paths.push(`/api/estimations/${data.estimation?.id}/tasks/generate`);
  }
  const [one = "", other = ""] = paths;
  for (let n = 0; n < limits.generationsPerMinute; n += 1)
    expect((await app.request("POST", one, { token })).status).toBe(200);
  for (const path of paths) {
    const refused = await changesNothing(app, () => app.request("POST", path, { token }));
    expect([refused.status, refused.body.message]).toEqual([429, "rate_limited"]);
    expect(refused.headers.get("ratelimit-policy")).toBe(`"endpoint";q=${limits.generationsPerMinute};w=60`);
  }
  await app.clock.advance(60_000);
  expect((await app.request("POST", other, { token })).status).toBe(200);
});
