import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile, cp, mkdir, readdir, readFile, symlink } from "node:fs/promises";
import http from "node:http";
import net from "node:net";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { makePlace, serverPid } from "../tests/support/embedded/places.ts";
import { makeDatabase } from "../tests/support/embedded/template.ts";
import { startEmbeddedPostgres } from "./db/embedded.ts";
import { MIGRATION_LOCK } from "./db/migrate.ts";

const entry = fileURLToPath(new URL("../main.js", import.meta.url));
/** How long `serve` waits for what is under way when it is asked to stop. */
const DRAIN_MS = 10_000;

interface Running {
  output: { out: string; err: string };
  send(signal: NodeJS.Signals): void;
  /** Resolves with the address of the service once it has printed it. */
  address(): Promise<URL>;
  exitCode: Promise<number | null>;
}

/** Runs the command line as a terminal does, in another folder than the project's. */
function run(
  args: string[],
  environment: Record<string, string> = {},
  options: { node?: string[]; entry?: string } = {},
): Running {
  const child = spawn(process.execPath, [...(options.node ?? []), options.entry ?? entry, ...args], {
    cwd: "/",
    env: { PORT: "0", LOG_LEVEL: "warn", ...environment },
  });
  const output = { out: "", err: "" };
  child.stdout.on("data", (chunk: Buffer) => (output.out += chunk.toString("utf8")));
  child.stderr.on("data", (chunk: Buffer) => (output.err += chunk.toString("utf8")));
  const exitCode = once(child, "close").then(([code]) => code);
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await exitCode;
  });
  return {
    output,
    send: (signal) => child.kill(signal),
    async address() {
      await expect.poll(() => output.out + output.err).toMatch(/API +\S+\/api\n[\s\S]*stops it/);
      return new URL(/API +(\S+)\/api/.exec(output.out)?.[1] ?? "");
    },
    exitCode,
  };
}

/** Begins a registration and waits until the service reads it; `finish` sends the rest and returns the status. */
async function beginRequest(address: URL): Promise<{ finish: () => Promise<number | undefined> }> {
  const body = JSON.stringify({ email: "someone@example.com", password: "a long enough password" });
  const agent = new http.Agent({ keepAlive: true });
  const headers = { "content-type": "application/json", "content-length": body.length, expect: "100-continue" };
  const request = http.request(new URL("/api/auth/register", address), { method: "POST", headers, agent });
  onTestFinished(() => agent.destroy());
  request.on("error", () => {});
  request.flushHeaders();
  await once(request, "continue");
  return {
    async finish() {
      request.end(body);
      const [response] = (await once(request, "response")) as [http.IncomingMessage];
      response.resume();
      return response.statusCode;
    },
  };
}

/** Waits until the service has noticed the first request to stop. */
const stopping = ({ output }: Running) => expect.poll(() => output.out).toContain("Stopping");

const errorLines = ({ output }: Running) =>
  output.err.split("\n").filter((line) => line.startsWith("estimation-service"));

test("the service prints its address and serves requests, and SIGTERM ends it and its database", async () => {
  const dataDir = path.join(await makePlace(), "data");
  const service = run(["serve"], { DATA_DIR: dataDir });
  const address = await service.address();
  expect(service.output.out).toContain(path.join(dataDir, "postgresql"));
  expect((await fetch(new URL("/readyz", address))).status).toBe(200);
  service.send("SIGTERM");
  expect(await service.exitCode).toBe(0);
  expect(await serverPid(dataDir)).toBeUndefined();
});

test("a fresh clone says at its first start what takes long, and no longer at the next start", async () => {
  const [clone, root] = [path.join(await makePlace(), "clone"), path.dirname(entry)];
  await mkdir(clone);
  const files = ["main.js", "package.json", "package-lock.json", "tsconfig.json"];
  for (const name of [...files, "contract", "domain", "server", "web"])
    await cp(path.join(root, name), path.join(clone, name), { recursive: true });
  await symlink(path.join(root, "node_modules"), path.join(clone, "node_modules"));
  const [dataDir, copied] = [path.join(clone, "data"), { entry: path.join(clone, "main.js") }];
  const first = run(["serve"], { DATA_DIR: dataDir }, copied);
  expect((await fetch(await first.address())).status).toBe(200);
  const [said = "", ready] = first.output.out.split("Estimation service is ready");
  expect(ready).toContain("Web ");
  expect(said).toContain(`Creating the database in ${path.join(dataDir, "postgresql")}, a few seconds (only once)\n`);
  expect(said).toContain("Building the web application, about 10 s (only once)\n");
  first.send("SIGTERM");
  expect(await first.exitCode).toBe(0);

  const second = run(["serve"], { DATA_DIR: dataDir }, copied);
  expect((await fetch(await second.address())).status).toBe(200);
  expect(second.output.out).not.toMatch(/Creating|Building/);
});

test("two requests to stop at the same moment, as when npm passes on a Ctrl-C, let running work end", async () => {
  const dataDir = await makeDatabase();
  const service = run(["serve"], { DATA_DIR: dataDir });
  const address = await service.address();
  const underWay = await beginRequest(address);
  // Different signals: if the same one is sent twice, the system may deliver only one.
  service.send("SIGINT");
  service.send("SIGTERM");
  await stopping(service);
  expect(await underWay.finish()).toBe(201);
  expect(await service.exitCode).toBe(0);
  expect(service.output.out).not.toContain("Stopping at once");
  expect(await serverPid(dataDir)).toBeUndefined();
});

test("a second Ctrl-C after more than a second ends it at once, and the database soon after", async () => {
  const dataDir = await makeDatabase();
  const service = run(["serve"], { DATA_DIR: dataDir });
  await beginRequest(await service.address());
  service.send("SIGINT");
  await stopping(service);
  // Counted from when this process reads the line, which may be later than it was printed, but never earlier.
  await wait(1_200);
  expect(service.output.out).not.toContain("Stopping at once");
  service.send("SIGINT");
  expect(await service.exitCode).toBe(1);
  expect(service.output.out).toContain("Stopping at once");
  await expect.poll(() => serverPid(dataDir)).toBeUndefined();
  const next = await startEmbeddedPostgres({ dataDir, log: () => {} });
  await next.stop();
});

test("after SIGKILL the next start takes over the database that was left running", async () => {
  const dataDir = await makeDatabase();
  const killed = run(["serve"], { DATA_DIR: dataDir });
  await killed.address();
  const pid = await serverPid(dataDir);
  killed.send("SIGKILL");
  await killed.exitCode;
  const next = run(["serve"], { DATA_DIR: dataDir });
  await next.address();
  expect(await serverPid(dataDir)).toBe(pid);
  next.send("SIGINT");
  expect(await next.exitCode).toBe(0);
});

test("an unexpected error ends the service, and leaves its database for the next start", async () => {
  const dataDir = await makeDatabase();
  const fault = `process.on("SIGUSR2", () => void Promise.reject(new Error("a fault for the test")))`;
  const node = ["--import", `data:text/javascript,${encodeURIComponent(fault)}`];
  const service = run(["serve"], { DATA_DIR: dataDir }, { node });
  await service.address();
  service.send("SIGUSR2");
  expect(await service.exitCode).toBe(1);
  expect(service.output.err).toContain("a fault for the test");
  const next = await startEmbeddedPostgres({ dataDir, log: () => {} });
  expect(next.adopted).toBe(true);
  await next.stop();
});

test("a second start on the same data directory ends with one line, and the first goes on", async () => {
  const dataDir = await makeDatabase();
  const first = run(["serve"], { DATA_DIR: dataDir });
  const address = await first.address();
  const second = run(["serve"], { DATA_DIR: dataDir });
  expect(await second.exitCode).toBe(1);
  expect(errorLines(second)).toEqual([expect.stringContaining(`is in use by process`)]);
  expect(errorLines(second)[0]).toContain(` at ${address.origin}, since `);
  expect(second.output.err).not.toContain("    at ");
  expect((await fetch(new URL("/readyz", address))).status).toBe(200);
});

test("for a port in use one line is printed, and no database is left running", async () => {
  const taken = net.createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  onTestFinished(() => void taken.close());
  const { port } = taken.address() as net.AddressInfo;
  const dataDir = await makeDatabase();
  const service = run(["serve"], { DATA_DIR: dataDir, PORT: String(port) });
  expect(await service.exitCode).toBe(1);
  expect(errorLines(service)).toEqual([
    expect.stringContaining(`cannot listen on 127.0.0.1, port ${port}: the address is in use`),
  ]);
  expect(await serverPid(dataDir)).toBeUndefined();
});

test("a request to stop while the database is being created stops the service without damage", async () => {
  const dataDir = path.join(await makePlace(), "data");
  const service = run(["serve"], { DATA_DIR: dataDir });
  await expect.poll(async () => (await readdir(dataDir).catch(() => [])).length, { interval: 5 }).toBeGreaterThan(0);
  service.send("SIGINT");
  const sentMs = performance.now();
  const code = await service.exitCode;
  // On a very busy machine, what is not finished within `DRAIN_MS` is given up: a database that starts later than that is
  // left to the next start.
  const inTime = performance.now() - sentMs < DRAIN_MS;
  expect(inTime ? code : 0).toBe(0);
  expect([0, 1]).toContain(code);
  expect(inTime ? await serverPid(dataDir) : undefined).toBeUndefined();
  expect(inTime ? service.output.err : "").toBe("");
});

test("migrate brings the schema up to date and leaves nothing running", async () => {
  const dataDir = await makeDatabase();
  const command = run(["migrate"], { DATA_DIR: dataDir });
  expect(await command.exitCode).toBe(0);
  expect(command.output.out).toContain("The schema is up to date");
  expect(await serverPid(dataDir)).toBeUndefined();
});

test("DATABASE_URL is used instead of a database of its own", async () => {
  const server = await startEmbeddedPostgres({ dataDir: await makeDatabase(), durable: false, log: () => {} });
  onTestFinished(() => server.stop());
  const dataDir = path.join(await makePlace(), "data");
  const secret = Buffer.alloc(32, 1).toString("base64url");
  const settings = { DATABASE_URL: server.connectionString, SESSION_SECRET: secret, ENCRYPTION_KEY: secret };
  const service = run(["serve"], { DATA_DIR: dataDir, ...settings });
  const address = await service.address();
  expect((await fetch(new URL("/readyz", address))).status).toBe(200);
  service.send("SIGTERM");
  expect(await service.exitCode).toBe(0);
  expect(await readdir(dataDir).catch(() => [])).toEqual([]);
});

test("a request to stop ends the service even while its start is blocked", async () => {
  const server = await startEmbeddedPostgres({ dataDir: await makeDatabase(), durable: false, log: () => {} });
  onTestFinished(() => server.stop());
  const other = new pg.Client(server.connection);
  await other.connect();
  onTestFinished(() => other.end());
  // Another process is migrating and does not finish.
  await other.query("select pg_advisory_lock($1)", [MIGRATION_LOCK]);
  const secret = Buffer.alloc(32, 1).toString("base64url");
  const settings = { DATABASE_URL: server.connectionString, SESSION_SECRET: secret, ENCRYPTION_KEY: secret };
  const service = run(["serve"], settings);
  const waiting = "select 1 from pg_locks where locktype = 'advisory' and not granted";
  await expect.poll(async () => (await other.query(waiting)).rowCount).toBe(1);
  service.send("SIGTERM");
  expect(await service.exitCode).toBe(1);
});

test.each([
  [["frobnicate"]],
  [["serve", "--only", "nothing"]],
  [["serve", "--quick"]],
  [["serve", "--only", "worker", "--with-pages"]],
  [["migrate", "now"]],
])("for unknown arguments %j it prints the usage and exits with code 2", async (args) => {
  const command = run(args);
  expect(await command.exitCode).toBe(2);
  expect(errorLines(command)).toHaveLength(1);
  expect(command.output.err).toContain("Usage: npm start");
});

test("help exits with code 0", async () => {
  const command = run(["help"]);
  expect(await command.exitCode).toBe(0);
  expect(command.output.out).toContain("serve --only worker");
});

test("for each unusable setting one line is printed", async () => {
  const command = run(["serve"], { PORT: "http", REGISTRATION: "maybe" });
  expect(await command.exitCode).toBe(1);
  expect(errorLines(command)).toEqual([
    expect.stringMatching(/^estimation-service: PORT must be/),
    expect.stringMatching(/^estimation-service: REGISTRATION must be/),
  ]);
});

test.each([
  [["serve"], "npm start"],
  [["user", "add", "ada@example.com"], "npx node main.js user add ada@example.com"],
])("on an old Node.js it prints one line with what to do: %j", async (words, command) => {
  const pretend = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "18.2.0" } });
    Object.defineProperty(process, "version", { value: "v18.2.0" });`;
  const given = run(words, {}, { node: ["--import", `data:text/javascript,${encodeURIComponent(pretend)}`] });
  expect(await given.exitCode).toBe(1);
  const { version } = JSON.parse(
    await readFile(path.join(path.dirname(entry), "node_modules/node/package.json"), "utf8"),
  );
  expect(given.output.err).toBe(
    `estimation-service needs Node.js 24 or newer, and this is v18.2.0; run it with npm, which brings Node.js ${version}: ${command}\n`,
  );
});

test("in a checkout without its packages it prints one line that says to install them", async () => {
  const place = await makePlace();
  const copy = path.join(place, "main.mjs");
  await copyFile(entry, copy);
  const bare = spawn(process.execPath, [copy, "serve"], { cwd: "/" });
  let err = "";
  bare.stderr.on("data", (chunk: Buffer) => (err += chunk.toString("utf8")));
  expect(await once(bare, "close")).toEqual([1, null]);
  expect(err).toBe("estimation-service is not installed yet; run: npm ci\n");
});
