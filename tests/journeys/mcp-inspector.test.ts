import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { tools } from "../../clients/mcp/tools.ts";
import { type Json, start, until } from "../harness.ts";
import { startGithub } from "../support/github/server.ts";
import { makeJobsDue } from "../support/jobs.ts";
import { patient } from "../support/patience.ts";

/** Too large to be installed with everything else: the inspector brings a web application. */
const INSPECTOR = "@modelcontextprotocol/inspector@2.12.0";

const app = await start({ worker: true });
const github = await startGithub({ now: app.clock.now, name: "nordlicht/shop" });
github.trustedBy(app.services.config.dataDir);
const folder = mkdtempSync(join(tmpdir(), "estimation-inspector-"));
afterAll(async () => {
  await github.close();
  rmSync(folder, { recursive: true, force: true });
});
const user = await app.signUp();
const key = await app.makeKey(user, ["admin"]);

/** Runs the inspector's command line once, and returns what it prints. */
async function inspect(...words: string[]): Promise<Json> {
  const command = join(folder, "node_modules", ".bin", "mcp-inspector");
  const of = ["--cli", `${app.url}/mcp`, "--transport", "http", "--header", `Authorization: Bearer ${key}`];
  const { stdout } = await promisify(execFile)(process.execPath, [command, ...of, ...words], {
    // Its own files stay in the folder that is removed.
    env: { ...process.env, HOME: folder },
    maxBuffer: 16 * 1024 * 1024,
  });
  return JSON.parse(stdout) as Json;
}

const called = new Set<string>();

/** Calls a tool; returns its result. Fails where it is refused. */
async function call(tool: string, given: Record<string, unknown>): Promise<Json> {
  called.add(tool);
  const words = Object.entries(given).flatMap(([name, value]) => [
    "--tool-arg",
    `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`,
  ]);
  const result = await inspect("--method", "tools/call", "--tool-name", tool, ...words);
  const text = String(result.content?.[0]?.text);
  if (result.isError as unknown) throw new Error(`${tool}: ${text}`);
  return text.startsWith("{") ? (JSON.parse(text) as Json) : result;
}

test("the command line of the MCP Inspector lists and calls every tool, from an outline to an export as a dry run", {
  timeout: patient(600_000),
}, async () => {
  writeFileSync(join(folder, "package.json"), '{"private":true}');
  const quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  execFileSync("npm", ["install", ...quiet, INSPECTOR], { cwd: folder });

  const listed = await inspect("--method", "tools/list", "--strict");
  const names = (listed.tools as unknown as { name: string }[]).map(({ name }) => name);
  expect(names).toEqual(tools.map(({ name }) => name));

  const content = "# Shop\n\n- Payment (choose one)\n  - [x] Card: 4-16-34\n  - [ ] Invoice: 4-6-12\n";
  const { id } = (await call("import_estimation", { content })).estimation as { id: unknown };
  expect((await call("list_estimations", { q: "Shop" })).estimations?.[0]?.id).toBe(id);
  await call("create_estimation", { title: "Another" });
  await call("update_estimation", { id, title: "Web shop" });
  expect((await call("get_estimation", { id })).estimation?.title).toBe("Web shop");
  const question = (await call("get_tree", { id })).tree?.nodes?.[0]?.id;
  const from = (await call("create_version", { id, label: "First" })).version?.id;

  const nodeId = (await call("create_node", { id, title: "Delivery", kind: "multi" })).node?.id;
  await call("update_node", { id, nodeId, title: "Delivery of goods" });
  const hours = { optimistic: 2, likely: 4, pessimistic: 9 };
  const optionId = (await call("create_option", { id, nodeId, title: "Parcel", hours })).option?.id;
  await call("update_option", { id, optionId, role: "backend" });
  await call("select_option", { id, optionId });
  await call("deselect_option", { id, optionId });
  const tried = await call("get_tree_hours", { id, select: optionId, explain: true });
  expect(Number(tried.hours?.expected)).toBeGreaterThan(17);
  const to = (await call("create_version", { id, label: "Second" })).version?.id;
  expect((await call("list_versions", { id })).versions).toHaveLength(2);
  const { diff } = await call("diff_versions", { id, versionId: from, against: to });
  expect(diff?.operations?.[0]).toBeDefined();
  await call("compare_versions", { id, versions: `${from},${to}` });
  await call("delete_option", { id, optionId });
  await call("delete_node", { id, nodeId });

  await call("get_timeline", { id });
  const milestone = (await call("create_milestone", { id, title: "Beta", dueDate: "2030-06-30", nodeIds: [question] }))
    .milestone?.id;
  expect((await call("list_milestones", { id })).milestones?.[0]?.id).toBe(milestone);
  await call("propose_for_milestone", { id, milestoneId: milestone });
  await call("get_suggestion", { id });
  await call("generate_tasks", { id });
  const task = (await call("list_tasks", { id })).tasks?.[0];
  await call("update_task", { id, taskId: task?.id, actualHours: 12 });

  const connect = { target: "github", name: "Nordlicht", baseUrl: github.url, token: github.token };
  const { data } = await app.request("POST", "/api/connections", { token: user.token, body: connect });
  const connectionId = data.connection?.id;
  const started = await call("export_tasks", { id, target: "github", connectionId, repository: github.name });
  const exportId = started.export?.id;
  expect(started.export?.dryRun).toBe(true);
  await until(async () => {
    const path = `/api/estimations/${id}/exports/${exportId}`;
    if ((await app.request("GET", path, { token: user.token })).data.export?.endedAt) return true;
    await app.clock.advance(100);
    return makeJobsDue(app.pool).then(() => false);
  });
  expect((await call("get_export", { id, exportId })).export?.status).toBe("completed");
  expect((await call("list_export_items", { id, exportId })).items?.[0]?.outcome).toBe("created");
  expect(github.repository.issues).toHaveLength(0);

  expect([...called].sort()).toEqual([...names].sort());
});
