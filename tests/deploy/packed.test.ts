import { randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { request } from "../harness.ts";
import { giveTo, makePlace, ordinaryUser } from "../support/embedded/places.ts";
import { startHolder, success } from "../support/embedded/process.ts";
import { makeDatabase } from "../support/embedded/template.ts";
import { freePort } from "../support/free-port.ts";
import { instruction, makeArchive, makeReadOnly, mebibytesOf, ROOT, run, serve } from "./install.ts";

/** An image may have 250 MiB, of which `node:24-alpine` has some 165. */
const IMAGE_MEBIBYTES = 250 - 165;

/** Opens the application, registers, and makes a forecast, which a worker thread computes. */
const shows = async (url: string) => {
  const page = await request(url, "GET", "/", { headers: { accept: "text/html" } });
  const [, asset = ""] = /src="(\/assets\/[^"]+\.js)"/.exec(page.text) ?? [];
  expect([page.status, (await request(url, "GET", asset)).status]).toEqual([200, 200]);
  const body = { email: `${randomBytes(6).toString("hex")}@example.com`, password: "correct horse battery" };
  const { status, data } = await request(url, "POST", "/api/auth/register", { body });
  expect(status).toBe(201);
  const call = async (method: string, path: string, sent: object) => {
    const response = await request(url, method, `/api/estimations${path}`, { token: String(data.token), body: sent });
    expect(response.status, response.text).toBeLessThan(300);
    return response.data;
  };
  // They are files beside the sources.
  expect((await call("POST", "/examples", {})).estimations).toHaveLength(3);
  const { estimation } = await call("POST", "", { title: "Shop" });
  const options = [{ title: "Sign-in", hours: { optimistic: 8, likely: 14, pessimistic: 30 } }];
  await call("PUT", `/${estimation?.id}/tree`, { nodes: [{ title: "Scope", kind: "group", options }] });
  const generated = await call("POST", `/${estimation?.id}/tasks/generate`, {});
  await call("PUT", `/${estimation?.id}/timeline`, { startDate: "2025-02-10", timeZone: "Europe/Berlin" });
  const taskIds = [generated.tasks?.[0]?.id];
  // One that is over would have the probability 0 without a forecast.
  const dueDate = new Date(Date.now() + 365 * 86_400_000).toISOString().slice(0, 10);
  await call("POST", `/${estimation?.id}/milestones`, { title: "Beta", dueDate, taskIds });
  // A forecast that takes long, as on a busy machine, is there later.
  const listed = async () =>
    (await request(url, "GET", `/api/estimations/${estimation?.id}/milestones`, { token: String(data.token) })).text;
  await expect.poll(listed).toMatch(/robability":(0\.\d+|1)/);
};

test("what the Dockerfile makes is small, and runs as another user who can write nothing but the data folder", async () => {
  const place = await makePlace(ordinaryUser);
  const [app, data] = [join(place, "app"), join(place, "data")];
  const words = /RUN node (scripts\/pack\.ts .*)/.exec(await readFile(join(ROOT, "Dockerfile"), "utf8"))?.[1];
  await run(process.execPath, String(words).replace("/app", app).split(" "), { cwd: ROOT });
  expect(await mebibytesOf(app)).toBeLessThanOrEqual(IMAGE_MEBIBYTES);
  await makeReadOnly(app);
  await mkdir(data);
  await giveTo(ordinaryUser, data);

  const holder = startHolder(ordinaryUser, { dataDir: await makeDatabase(ordinaryUser), how: "start" });
  const { connectionString } = await success(holder);
  const port = await freePort();
  const env = {
    HOST: "0.0.0.0",
    DATA_DIR: data,
    DATABASE_URL: connectionString,
    SESSION_SECRET: randomBytes(32).toString("base64url"),
    ENCRYPTION_KEY: randomBytes(32).toString("base64url"),
  };
  const command = [...instruction(/^ENTRYPOINT (.*)$/m), ...instruction(/^CMD (.*)$/m)];
  const health = instruction(/^HEALTHCHECK .* CMD (.*)$/m).slice(1);
  const check = () => run(process.execPath, health, { cwd: app, env: { ...process.env, PORT: String(port) } });
  await expect(check()).rejects.toThrow();
  const before = await run("find", [app, "-newer", join(app, "package.json")]);
  const service = await serve(command, { cwd: app, env, user: ordinaryUser, port });
  await check();
  await shows(service.url);
  expect(await service.stop()).toBe(0);

  // What compose.yaml runs instead.
  const given = /command: \[(serve, --only, api.*)\]/.exec(await readFile(join(ROOT, "compose.yaml"), "utf8"))?.[1];
  const api = [...instruction(/^ENTRYPOINT (.*)$/m), ...String(given).split(", ")];
  const apart = await serve(api, { cwd: app, env, user: ordinaryUser, port });
  await shows(apart.url);
  expect(await apart.stop()).toBe(0);
  expect((await run("find", [app, "-newer", join(app, "package.json")])).stdout).toBe(before.stdout);
  await holder.close();
});

test("the archive runs where it is unpacked, with the PostgreSQL in it and without npm", async () => {
  const place = await makePlace(ordinaryUser);
  const file = await makeArchive(`${process.execPath} scripts/pack.ts`, place);
  await run("tar", ["-xzf", file, "-C", place]);
  const app = join(place, "estimation-service");
  expect(await readdir(app)).not.toContain("package-lock.json");
  await makeReadOnly(app);
  const data = join(place, "data");
  await mkdir(data);
  await giveTo(ordinaryUser, data);
  const command = ["node", "--max-semi-space-size=8", "main.js", "serve"];
  const service = await serve(command, {
    cwd: app,
    env: { DATA_DIR: data },
    user: ordinaryUser,
    port: await freePort(),
  });
  expect(service.output()).not.toContain("Building the web application");
  await shows(service.url);
  expect(await service.stop()).toBe(0);
  expect((await stat(join(data, "postgresql"))).isDirectory()).toBe(true);
});
