import { spawn } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { request, until } from "../../tests/harness.ts";
import { makeDatabase } from "../../tests/support/embedded/template.ts";
import { runService } from "../../tests/support/service-process.ts";

const entry = fileURLToPath(new URL("../../main.js", import.meta.url));

async function run(settings: Record<string, string>, ...args: string[]) {
  const command = runService(args, settings);
  return { code: await command.exitCode, out: command.output.out, faults: command.faults() };
}

/** The lines that a command says when all is well. */
async function said(settings: Record<string, string>, ...args: string[]): Promise<string> {
  const { code, out, faults } = await run(settings, ...args);
  expect([code, faults]).toEqual([0, []]);
  return out;
}

const signIn = async (url: string, email: string, password: string) => {
  const { status, data } = await request(url, "POST", "/api/auth/login", { body: { email, password } });
  return { status, token: String(data.token) };
};

test("a demo is made once for an address while the service runs, is exported, handed over and erased", async () => {
  const settings = { DATA_DIR: await makeDatabase() };
  const service = runService(["serve"], { ...settings, REGISTRATION: "closed" });
  const url = await service.url();
  const made = await said(settings, "demo");
  const password = /^Password: ([\w-]{20})$/m.exec(made)?.[1] ?? "";
  expect(await run(settings, "demo", "Demo@example.com")).toMatchObject({
    code: 1,
    faults: ["there is an account of demo@example.com already"],
  });
  const other = await said(settings, "demo", "ada@example.com");
  expect(other).toContain("Made the account ada@example.com (usr_");
  expect(other).not.toContain(password);
  const { token } = await signIn(url, "demo@example.com", password);
  const titles = async () => {
    const { data } = await request(url, "GET", "/api/estimations", { token });
    return (data.estimations as unknown as { title: string }[]).map(({ title }) => title);
  };
  const three = await titles();
  expect(three).toHaveLength(3);

  const document = JSON.parse(await said(settings, "user", "export", "ada@example.com"));
  expect(document).toMatchObject({ email: "ada@example.com", tables: { estimations: [{}, {}, {}] } });
  const command = ["user", "erase", "ada@example.com", "--to", "demo@example.com"];
  const before = await said(settings, ...command);
  expect(before).toContain("Nothing was changed. To do it, add --yes");
  expect(await titles()).toEqual(three);
  const after = await said(settings, ...command, "--yes");
  expect(after).toContain("  Estimations handed over to demo@example.com: 3\n");
  expect((await titles()).sort()).toEqual([...three, ...three].sort());
  const gone = ["there is no account of ada@example.com"];
  expect(await run(settings, ...command, "--yes")).toMatchObject({ code: 1, faults: gone });
  expect(await run(settings, "user", "export", "ada@example.com")).toEqual({ code: 1, out: "", faults: gone });
  await said(settings, "user", "erase", "demo@example.com", "--yes");
  expect((await signIn(url, "demo@example.com", password)).status).toBe(401);
});

test("a user is made an administrator while the service runs, and an ordinary user again, both recorded and mailed once", async () => {
  const settings = { DATA_DIR: await makeDatabase() };
  const service = runService(["serve"], settings);
  const url = await service.url();
  const body = { email: "ada@example.com", password: "correct horse battery" };
  const { data } = await request(url, "POST", "/api/auth/register", { body });
  const token = String(data.token);
  const status = async () => (await request(url, "GET", "/api/admin/status", { token })).status;
  expect(await status()).toBe(404);
  const id = String(data.user?.id);
  const appoint = ["user", "admin", " Ada@example.com"];
  expect(await said(settings, ...appoint)).toContain(`ada@example.com (${id}) is now an administrator\n`);
  expect(await said(settings, ...appoint)).toContain(`ada@example.com (${id}) is already an administrator\n`);
  expect(await status()).toBe(200);
  expect(await said(settings, ...appoint, "--remove")).toContain(
    `ada@example.com (${id}) is now no administrator\nNobody is an administrator now\n`,
  );
  expect(await status()).toBe(404);
  const log = await request(url, "GET", "/api/audit-log", { token });
  const events = (log.data.events as unknown as { event: string }[]).map(({ event }) => event);
  expect(events.filter((event) => event.startsWith("administrator."))).toEqual([
    "administrator.revoked",
    "administrator.granted",
  ]);
  const folder = path.join(settings.DATA_DIR, "mail");
  const subjects = async () => {
    const mails = await Promise.all((await readdir(folder)).map((name) => readFile(path.join(folder, name), "utf8")));
    return mails.flatMap((mail) => /^Subject: (.*administrator.*?)\r?$/m.exec(mail)?.[1] ?? []).toSorted();
  };
  await until(async () => (await subjects().catch(() => [])).length >= 2);
  expect(await subjects()).toEqual(["You are an administrator now", "You are no administrator any more"]);
  expect(await run(settings, "user", "admin", "nobody@example.com")).toMatchObject({
    code: 1,
    faults: ["there is no account of nobody@example.com"],
  });
});

test.each([
  ["demo a@b.c d@e.f"],
  ["user erase"],
  ["user admin"],
  ["user admin a@b.c --add"],
  ["user export"],
  ["user export a@b.c --yes"],
  ["user rename a@b.c"],
])("%s prints the usage", async (line) => {
  const child = spawn(process.execPath, [entry, ...line.split(" ")], { env: { DATA_DIR: "/nowhere" } });
  let err = "";
  child.stderr.on("data", (chunk) => {
    err += chunk;
  });
  const code = await new Promise((resolve) => child.on("close", resolve));
  expect([code, err]).toEqual([2, expect.stringContaining("Usage:")]);
});
