import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { stripVTControlCharacters } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { until } from "../harness.ts";

const CONFIG = `export default { test: {
  include: ["*.test.ts"], testTimeout: 60_000, pool: "forks",
  experimental: { viteModuleRunner: false, nodeLoader: false },
  reporters: ["default", ${JSON.stringify(resolve("tests/failed-tests.ts"))}],
} };`;

const HEAD = `
import { existsSync, writeFileSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
const isFirst = (name) => !existsSync(name) && (writeFileSync(name, ""), true);
`;
const PASSES = `${HEAD} test("passes", () => {});`;
const FAILS = `${HEAD} test("fails always", () => expect("sun").toBe("rain"));`;
const shaky = (name: string) => `${HEAD} test("is shaky", () => expect(isFirst("${name}")).toBe(false));`;

/** Runs tests as CI does, in a folder with these files, by as many commands as there are patterns of files. */
async function run(files: Readonly<Record<string, string>>, patterns = [""]) {
  const folder = await mkdtemp(join(tmpdir(), "in-ci-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await symlink(resolve("node_modules"), join(folder, "node_modules"));
  await mkdir(join(folder, "temporary"));
  await writeFile(join(folder, "vitest.config.mjs"), CONFIG);
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, `${name}.test.ts`), content);
  const commands = patterns.map((pattern) => `node node_modules/vitest/vitest.mjs run ${pattern}`);
  const env = { ...process.env, TMPDIR: join(folder, "temporary"), FAILED_RUN: "" };
  const child = spawn(process.execPath, [resolve("tests/test-in-ci.ts"), ...commands], { cwd: folder, env });
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  const lines = stripVTControlCharacters(`${out}\n${err}`).trim().split("\n");
  return { code, lines, unsteady: lines.filter((line) => line.startsWith("unsteady: ")), ended: lines.slice(-58) };
}

test("commands that pass pass, and nothing runs twice", async () => {
  const { code, lines, unsteady } = await run({ a: PASSES, b: PASSES }, ["a.test", "b.test"]);
  expect([code, unsteady, lines.filter((line) => line.includes("RUN ")).length]).toEqual([0, [], 2]);
});

test("a test that failed the first time only is named as unsteady, and the run passes and goes on", async () => {
  const files = { a: shaky("a"), b: shaky("b"), c: PASSES };
  const { code, unsteady, lines } = await run(files, ["a.test b.test", "c.test"]);
  expect([code, unsteady.toSorted()]).toEqual([
    0,
    ["unsteady: a.test.ts › is shaky", "unsteady: b.test.ts › is shaky"],
  ]);
  expect(lines.filter((line) => line.includes("RUN ")).length).toBe(3);
});

test("a test that fails again fails the run, which ends with it, and the next command does not run", async () => {
  const { code, ended, unsteady } = await run({ a: FAILS, b: shaky("b"), c: PASSES }, ["a.test b.test", "c.test"]);
  expect([code, unsteady]).toEqual([1, []]);
  expect(ended.join("\n")).toContain("FAIL a.test.ts › fails always\n    AssertionError: expected 'sun' to be 'rain'");
  expect(ended.join("\n")).not.toContain("c.test.ts");
});

test("more than three files are not repeated, also of several commands", async () => {
  const names = ["a", "b", "c", "d"];
  const files = Object.fromEntries(names.map((name) => [name, shaky(name)]));
  const { code, unsteady, ended } = await run(files);
  expect([code, unsteady]).toEqual([1, []]);
  for (const name of names) expect(ended).toContain(`FAIL ${name}.test.ts › is shaky`);
  const later = await run(files, ["a.test b.test", "c.test d.test"]);
  expect([later.code, later.unsteady.length]).toEqual([1, 2]);
  const three = await run(Object.fromEntries(Object.entries(files).slice(1)));
  expect([three.code, three.unsteady.length]).toEqual([0, 3]);
});

test.for([
  ["a set-up", `${HEAD} beforeAll(() => expect(isFirst("x")).toBe(false)); test("passes", () => {});`],
  ["an import", `${HEAD} if (isFirst("x")) throw new Error("not loaded"); test("passes", () => {});`],
  [
    "an error outside of tests",
    `${HEAD} test("passes", () => void (isFirst("x") && Promise.reject(new Error("stray"))));`,
  ],
  ["a crash", `${HEAD} test("passes", () => void (isFirst("x") && process.kill(process.pid, "SIGKILL")));`],
  ["no tests", `${HEAD} if (!isFirst("x")) test("passes", () => {});`],
] as const)("what is no failed test fails the run at once: %s", async ([, content]) => {
  const { code, unsteady, lines } = await run({ a: content, b: shaky("b") });
  expect([code, unsteady]).toEqual([1, []]);
  expect(lines.join("\n")).toMatch(/failed(\n| outside of tests)/);
  expect(lines.filter((line) => line.includes("Once more"))).toEqual([]);
});

test("a command that fails before its tests fails the run", async () => {
  const { code, lines } = await run({ a: PASSES }, ["a.test && exit 3"]);
  expect(code).toBe(1);
  expect(lines.at(-1)).toMatch(/ failed outside of tests$/);
});

test("however much fails, a run ends with each of it in less than 60 lines, as far as they have room", async () => {
  const many = `${HEAD} for (let n = 0; n < 80; n++) test("fails " + n, () => { throw new Error("x\\ny\\nz\\n1\\n2"); });`;
  const { code, lines } = await run({ a: many });
  const begin = lines.findLastIndex((line) => line.includes("vitest.mjs run") && line.endsWith("failed"));
  expect([code, begin > 0, lines.length - begin < 60]).toEqual([1, true, true]);
  expect(lines.slice(begin).join("\n")).toMatch(/› fails 0\n(.*\n)+and \d+ more$/);
});

test.for(["SIGTERM", "SIGINT"] as const)("a run that %s ends leaves no process, cluster or folder", async (signal) => {
  const folder = await mkdtemp(join(tmpdir(), "stopped-"));
  // PostgreSQL may run as another user.
  await chmod(folder, 0o755);
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const words = ["node_modules/vitest/vitest.mjs", "run", "server/jobs/worker.test.ts"];
  const child = spawn(process.execPath, words, { env: { ...process.env, TMPDIR: folder }, stdio: "ignore" });
  const ended = once(child, "close");
  onTestFinished(() => void child.kill());
  const sockets = await until(async () => {
    // A folder that is gone before it is listed is one of a cluster that is not ready.
    const files = await readdir(folder, { recursive: true }).catch(() => []);
    const isReady = files.some((file) => file.includes("estimation-test-")) && processesIn(folder).length > 1;
    const file = isReady && files.find((file) => file.endsWith("postmaster.pid"));
    // PostgreSQL adds the line with the folder of its sockets once it has made them.
    const named = file && (await readFile(join(folder, file), "utf8")).split("\n")[4];
    return named && existsSync(named) && named;
  });
  child.kill(signal);
  await ended;
  await until(() => processesIn(folder).length === 0);
  expect([await readdir(folder), existsSync(sockets)]).toEqual([[], false]);
});

/** The processes that were started with a temporary folder in `folder`. */
function processesIn(folder: string): string[] {
  return readdirSync("/proc").filter((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/environ`, "latin1").includes(`TMPDIR=${folder}`);
    } catch {
      return false;
    }
  });
}
