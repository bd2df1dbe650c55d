import { describe, expect, test } from "vitest";
import { needsSession } from "../../contract/endpoint.ts";
import { endpointEntries } from "../../contract/index.ts";
import { scopeNames } from "../../contract/scopes.ts";
import { createLog } from "../../server/platform/log.ts";
import { start } from "../harness.ts";
import { makeWorld, sampleConfig } from "./samples.ts";

const lines: string[] = [];
const log = createLog("trace", { write: (line) => void lines.push(line) });
const app = await start({ config: sampleConfig, log });
const world = await makeWorld(app);
const key = await app.makeKey(world.user, scopeNames);

describe("an API key in the address", () => {
  test("leaves no trace in the log", async () => {
    await app.pool.query("alter table estimations rename to gone");
    await app.request("GET", "/api/estimations", { token: key });
    await app.request("GET", `/api/estimations/${key}`, { token: key });
    await app.request("GET", `/nowhere/${key}?key=${key}`, { token: key });
    expect(lines.some((line) => line.includes("internal_error"))).toBe(true);
    expect(lines.join("")).not.toContain(key.slice(9));
    await app.pool.query("alter table gone rename to estimations");
  });
});

test("a failure is logged with its statement and cause, and without the values of the request", async () => {
  await app.pool.query("alter table api_keys rename to gone");
  const body = { name: "unmistakable", scopes: [] };
  const response = await app.request("POST", "/api/api-keys", { token: world.user.token, body });
  await app.pool.query("alter table gone rename to api_keys");
  expect(response.status).toBe(500);
  const line = lines.findLast((text) => text.includes(String(response.body.requestId))) ?? "";
  expect(JSON.parse(line)).toMatchObject({
    path: "/api/api-keys",
    err: { message: "a query failed", cause: { code: "42P01" } },
  });
  expect(lines.join("")).not.toContain("unmistakable");
});

test("no endpoint that manages credentials is open to a key", () => {
  const managing = endpointEntries.filter(([, { path }]) =>
    /^\/api\/(auth|admin|api-keys|connections|audit-log|users)\b/.test(path),
  );
  expect(managing.length).toBeGreaterThan(10);
  const open = managing.filter(([, { access }]) => !needsSession(access) && access !== "anyone").map(([id]) => id);
  expect(open).toEqual(["getCurrentUser"]);
});
