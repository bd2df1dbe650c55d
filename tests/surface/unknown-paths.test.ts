import { expect, test } from "vitest";
import { start } from "../harness.ts";

const app = await start();
const { token } = await app.signUp();

test("an unknown path is reported as such, before the credential is checked", async () => {
  for (const path of ["/api/estimation", "/api/estimations/", "/api/estimations//tree", "/nothing", "/api"]) {
    const response = await app.request("GET", path);
    expect([response.status, response.body.message, response.body.details], path).toEqual([
      404,
      "not_found",
      { reason: "unknown_path" },
    ]);
  }
});

test("a missing record and another user's record get the same response, which differs from that for an unknown path", async () => {
  const other = await app.signUp();
  const { data } = await app.request("POST", "/api/estimations", { token: other.token, body: { title: "Theirs" } });
  const theirs = await app.request("GET", `/api/estimations/${data.estimation?.id}`, { token });
  const none = await app.request("GET", `/api/estimations/est_${"0".repeat(26)}`, { token });
  expect(theirs.status).toBe(404);
  expect({ ...theirs.body, requestId: "" }).toEqual({ ...none.body, requestId: "" });
  expect(theirs.body.details).toBeUndefined();
});
