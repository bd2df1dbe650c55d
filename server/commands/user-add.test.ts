import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { request, until } from "../../tests/harness.ts";
import { serverPid } from "../../tests/support/embedded/places.ts";
import { makeDatabase } from "../../tests/support/embedded/template.ts";

const entry = fileURLToPath(new URL("../../main.js", import.meta.url));

function run(args: string[], environment: Record<string, string>) {
  const child = spawn(process.execPath, [entry, ...args], {
    cwd: "/",
    env: { PORT: "0", LOG_LEVEL: "warn", ...environment },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

/** Runs `user add` with `input` piped in, and returns its exit code and output. */
async function addUser(dataDir: string, args: string[], input: string | null = "") {
  const child = run(["user", "add", ...args], { DATA_DIR: dataDir });
  if (input !== null) child.stdin.end(input);
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { code, out, err };
}

/** Runs the service until `work` has ended. */
async function whileServing<R>(dataDir: string, work: (url: string) => Promise<R>): Promise<R> {
  const child = run(["serve"], { DATA_DIR: dataDir, REGISTRATION: "closed" });
  let out = "";
  child.stdout.on("data", (chunk) => {
    out += chunk;
  });
  const url = await until(() => /API +(\S+)\/api/.exec(out)?.[1]);
  const response = await work(url);
  child.kill("SIGTERM");
  await once(child, "close");
  return response;
}

const logIn = (url: string, email: string, password: string) =>
  request(url, "POST", "/api/auth/login", { body: { email, password } });

test("creates an account while the service runs, even if registration is closed, with the password piped in", async () => {
  const dataDir = await makeDatabase();
  await whileServing(dataDir, async (url) => {
    const made = await addUser(dataDir, [" Ada@Example.com", "--name", "Ada M."], "correct horse battery\n");
    expect([made.code, made.err]).toEqual([0, ""]);
    expect(made.out).toMatch(/^Made the account ada@example\.com \(usr_[0-9a-z]{26}\)$/m);
    expect(made.out).not.toContain("correct horse");
    const { status, data } = await logIn(url, "ada@example.com", "correct horse battery");
    expect(status).toBe(200);
    expect(data.user).toMatchObject({ email: "ada@example.com", name: "Ada M.", emailVerifiedAt: null });
    const log = await request(url, "GET", "/api/audit-log", { token: String(data.token) });
    expect(log.data.events?.[1]).toMatchObject({ event: "user.registered", ip: null, userAgent: null });
    // The running service sends the mail to confirm the address.
    await until(async () =>
      (await readdir(join(dataDir, "mail")).catch(() => [])).some((name) => name.endsWith(".eml")),
    );
  });
});

test("creates an account while the service is stopped, with a generated password, and stops the database again", async () => {
  const dataDir = await makeDatabase();
  const made = await addUser(dataDir, ["noor@example.com", "--verified"]);
  expect(made.code, made.err).toBe(0);
  const password = /^Password: ([\w-]{20})$/m.exec(made.out)?.[1] ?? "";
  expect(await serverPid(dataDir)).toBeUndefined();
  await whileServing(dataDir, async (url) => {
    const { status, data } = await logIn(url, "noor@example.com", password);
    expect([status, data.user?.name]).toEqual([200, "noor"]);
    expect(data.user?.emailVerifiedAt).not.toBeNull();
  });
});

test("each mistake is reported in one line, and no account is created", async () => {
  const dataDir = await makeDatabase();
  const fine = "correct horse battery";
  const refusals: [string[], string, string][] = [
    [["TAKEN@example.com"], fine, "there is an account of taken@example.com already"],
    [["nobody"], fine, "nobody is not an e-mail address"],
    [
      ["ada@example.com"],
      "Password1",
      "the password is one of the most common passwords, which are tried first; choose another",
    ],
    [["ada@example.com"], "a".repeat(129), "the password must have at most 128 characters"],
    [["ada@example.com", "--name", " "], fine, "the name must have 1 to 200 characters"],
  ];
  // The database keeps running meanwhile, so that no call has to start and stop it.
  await whileServing(dataDir, async (url) => {
    expect((await addUser(dataDir, ["taken@example.com"], fine)).code).toBe(0);
    for (const [args, input, reason] of refusals) {
      const refused = await addUser(dataDir, args, input);
      expect([refused.code, refused.err]).toEqual([1, `estimation-service: ${reason}\n`]);
    }
    expect((await logIn(url, "ada@example.com", fine)).status).toBe(401);
  });
});

test.each([[[]], [["a@example.com", "b@example.com"]], [["a@example.com", "--admin"]]])(
  "user add with invalid arguments %j prints the usage",
  async (args) => {
    const misused = await addUser("/nowhere", args);
    expect([misused.code, misused.err]).toEqual([2, expect.stringContaining("Usage:")]);
  },
);
