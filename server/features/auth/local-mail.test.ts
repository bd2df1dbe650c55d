import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { start, until } from "../../../tests/harness.ts";
import { makeJobsDue } from "../../../tests/support/jobs.ts";
import { read, tokenIn } from "../../../tests/support/mail-server.ts";
import { createLog } from "../../platform/log.ts";

const lines: string[] = [];
const app = await start({ worker: true, log: createLog("trace", { write: (line) => void lines.push(line) }) });
const folder = join(app.services.config.dataDir, "mail");

it("without a mail server links are written to files; the log names the files, but not their content", async () => {
  const user = await app.signUp();
  await app.request("POST", "/api/auth/forgot-password", { body: { email: user.email } });
  await makeJobsDue(app.pool);
  const names = await until(async () => {
    const all = await readdir(folder).catch(() => []);
    return all.filter((name) => name.endsWith(".eml")).length === 2 && all;
  });
  const mails = await Promise.all(names.map(async (name) => read(await readFile(join(folder, name), "utf8"), "", [])));
  const [reset] = mails.filter(({ headers }) => headers.subject === "Reset your password");
  const [verify] = mails.filter(({ headers }) => headers.subject === "Confirm your e-mail address");
  if (!reset || !verify) throw new Error("a mail is missing");
  expect(reset.headers).toMatchObject({ to: user.email, from: "Estimation Service <no-reply@localhost>" });
  for (const name of names) expect(lines.some((line) => JSON.parse(line).file === join(folder, name))).toBe(true);
  for (const token of [tokenIn(reset), tokenIn(verify)]) {
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(lines.join("")).not.toContain(token);
  }
  const verified = await app.request("POST", "/api/auth/verify-email", { body: { token: tokenIn(verify) } });
  const body = { token: tokenIn(reset), password: "another fine password" };
  const done = await app.request("POST", "/api/auth/reset-password", { body });
  expect([verified.status, done.status]).toEqual([200, 200]);
  const login = { email: user.email, password: "another fine password" };
  expect((await app.request("POST", "/api/auth/login", { body: login })).status).toBe(200);
});

it("on a local instance users count as verified, and that is not stored", async () => {
  const user = await app.signUp();
  expect((await app.request("GET", "/api/users?q=a", { token: user.token })).status).toBe(200);
  const me = await app.request("GET", "/api/auth/me", { token: user.token });
  expect(me.data.user?.emailVerifiedAt).toBeNull();
});
