import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { request } from "../../tests/harness.ts";
import { makeDatabase } from "../../tests/support/embedded/template.ts";
import { runService } from "../../tests/support/service-process.ts";

const newSecret = () => randomBytes(32).toString("base64url");

const cureOf = (name: string) =>
  `restore the former one, set it as ${name}_FORMER beside the new one, or accept the loss with: npx node main.js accept-secrets`;
const signedOut = `is not the one that the database has been used with, and everybody would be signed out: ${cureOf("SESSION_SECRET")}`;
const unreadable = `is not the one that the database has been used with, and what it encrypted, such as the secrets of webhooks, would be lost: ${cureOf("ENCRYPTION_KEY")}`;

async function refusal(settings: Record<string, string>): Promise<string[]> {
  const service = runService(["serve"], settings);
  expect(await service.exitCode, service.output.out).toBe(1);
  return service.faults();
}

async function whileServing<R>(settings: Record<string, string>, work: (url: string) => Promise<R>): Promise<R> {
  const service = runService(["serve"], settings);
  const result = await work(await service.url());
  service.send("SIGTERM");
  expect(await service.exitCode).toBe(0);
  return result;
}

test("another SESSION_SECRET or ENCRYPTION_KEY than before stops the start, until it is accepted", async () => {
  const before = { DATA_DIR: await makeDatabase(), SESSION_SECRET: newSecret(), ENCRYPTION_KEY: newSecret() };
  const account = { email: "ada@example.com", password: "a long enough password" };
  const { token } = (await whileServing(before, (url) => request(url, "POST", "/api/auth/register", { body: account })))
    .data;
  const after = { ...before, SESSION_SECRET: newSecret(), ENCRYPTION_KEY: newSecret() };
  expect(await refusal(after)).toEqual([`SESSION_SECRET ${signedOut}`, `ENCRYPTION_KEY ${unreadable}`]);
  expect(await refusal({ ...before, ENCRYPTION_KEY: after.ENCRYPTION_KEY })).toEqual([`ENCRYPTION_KEY ${unreadable}`]);
  const me = (settings: Record<string, string>) =>
    whileServing(settings, (url) => request(url, "GET", "/api/auth/me", { token: String(token) }));
  expect((await me(before)).status).toBe(200);

  const accepting = runService(["accept-secrets"], after);
  expect([await accepting.exitCode, accepting.output.err]).toEqual([0, ""]);
  expect((await me(after)).status).toBe(401);
  expect(await refusal(before)).toHaveLength(2);
});

test("a generated secret whose file was lost is reported by the name of the file, and not silently replaced", async () => {
  const settings = { DATA_DIR: await makeDatabase() };
  await whileServing(settings, async () => {});
  const file = path.join(settings.DATA_DIR, "encryption-key");
  await rm(file);
  expect(await refusal(settings)).toEqual([`the secret in ${file} (ENCRYPTION_KEY) ${unreadable}`]);
});
