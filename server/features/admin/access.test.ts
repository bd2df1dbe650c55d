import { expect, test } from "vitest";
import { endpointEntries } from "../../../contract/index.ts";
import { limits } from "../../../contract/limits.ts";
import { start } from "../../../tests/harness.ts";
import { createScene } from "./testing/scene.ts";

const app = await start({ config: { rateLimitAuthPerMinute: 1_000 } });
const { makeAdministrator, makeEstimations, logIn } = createScene(app);
const status = (token: string) => app.request("GET", "/api/admin/status", { token });

test("everything below /api/admin, and nothing else, is for administrators", () => {
  const admin = endpointEntries.filter(([, { path }]) => path.startsWith("/api/admin/")).map(([id]) => id);
  expect(admin.length).toBeGreaterThan(8);
  expect(endpointEntries.filter(([, { access }]) => access === "administrator").map(([id]) => id)).toEqual(admin);
});

test("a sign-in counts for 15 minutes, to the millisecond, and a renewal is none", async () => {
  const administrator = await makeAdministrator();
  await app.clock.advance(limits.recentSignInSeconds * 1_000);
  expect((await status(administrator.token)).status).toBe(200);
  await app.clock.advance(1);
  const renewed = await app.request("POST", "/api/auth/renew", { token: administrator.token });
  for (const token of [administrator.token, String(renewed.data.token)]) {
    const refused = await status(token);
    expect([refused.status, refused.body.message]).toEqual([403, "recent_sign_in_required"]);
  }
  const again = await logIn(administrator);
  expect((await status(String(again.data.token))).status).toBe(200);
});

test("to others it does not exist, however recent their sign-in, and it ends with the right (V8.2.1)", async () => {
  const user = await app.signUp();
  expect((await status(user.token)).body.message).toBe("not_found");
  await makeAdministrator(user);
  expect((await status(user.token)).status).toBe(200);
  await app.pool.query("update users set is_administrator = false where id = $1", [user.userId]);
  expect((await status(user.token)).body.message).toBe("not_found");
});

test("an administrator reads no title, description or content of estimations (V8.2.3)", async () => {
  const [administrator, user] = [await makeAdministrator(), await app.signUp()];
  const [estimation] = await makeEstimations(user, 1);
  const paths = endpointEntries.flatMap(([, { path, method }]) =>
    method === "GET" && path.startsWith("/api/admin/") ? [path.replace(":id", user.userId)] : [],
  );
  expect(paths).toHaveLength(4);
  for (const path of paths) {
    const { status: code, text } = await app.request("GET", path, { token: administrator.token });
    expect([code, text.includes("Secret plan"), text.includes(String(estimation))], path).toEqual([200, false, false]);
  }
  const { status: code } = await app.request("GET", `/api/estimations/${estimation}`, { token: administrator.token });
  expect(code).toBe(404);
});
