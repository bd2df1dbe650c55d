import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { start } from "../harness.ts";
import { clientAt, FOR_CADDY_2_6, ownConfig, pathOf, startProxy } from "./proxy.ts";

const USER = "127.0.0.9";
const run = promisify(execFile);

test("our Caddyfile is valid", async () => {
  const caddy = pathOf("caddy", "caddy");
  const [[line, older]] = FOR_CADDY_2_6;
  const ours = await readFile(ownConfig("caddy"), "utf8");
  expect(ours).toContain(line);
  const folder = await mkdtemp(join(tmpdir(), "estimation-caddyfile-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const config = join(folder, "Caddyfile");
  await writeFile(config, ours.replace(line, older));
  const { stdout, stderr } = await run(caddy, ["validate", "--adapter", "caddyfile", "--config", config]);
  expect(stdout + stderr).toContain("Valid configuration");
});

test("Caddy with our configuration forwards requests and the client's address, and logs neither path nor credential", async () => {
  const app = await start({ config: { trustProxy: ["127.0.0.1/32"] } });
  const caddy = await startProxy("caddy", Number(new URL(app.url).port));
  const send = clientAt(caddy, USER);
  const { email, password } = await app.signUp();
  const login = await send("POST", "/api/auth/login", {
    body: JSON.stringify({ email, password }),
    headers: { "x-forwarded-for": "203.0.113.66" },
  });
  const { token } = JSON.parse(login.text).data;
  const { status, text } = await send("GET", "/api/audit-log?limit=1&secret=of-a-mailed-link", { token });
  expect([status, JSON.parse(text).message]).toEqual([400, "validation_failed"]);
  for (const path of ["/p/", "/api/links/"]) await send("GET", `${path}${"of-a-page-for-a-client".padEnd(43, "x")}`);
  const events = await send("GET", "/api/audit-log?limit=1", { token });
  expect(JSON.parse(events.text).data.events).toMatchObject([{ event: "session.created", ip: USER }]);
  const logs = await caddy.logs();
  expect(logs).toContain('"status":400');
  expect(logs).not.toMatch(new RegExp(`of-a-mailed-link|of-a-page|${token}`));
});
