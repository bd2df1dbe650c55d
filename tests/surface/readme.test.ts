import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { describe, expect, test, vi } from "vitest";
import { ConfigError, loadConfig } from "../../server/config.ts";
import { systemClock } from "../../server/platform/clock.ts";
import { start } from "../harness.ts";
import { runProgram } from "../support/program.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const readme = readFileSync(join(root, "README.md"), "utf8");

test("the README can be read in a few minutes", () => {
  expect(readme.split("\n").length).toBeLessThanOrEqual(201);
});

test("the quick start works as written", async () => {
  const app = await start();
  const [, block = ""] = /## Quick start[\s\S]*?```bash\n([\s\S]+?)```/.exec(readme) ?? [];
  // Trying it again on the same service gives the same.
  for (let time = 1; time <= 2; time += 1) {
    const shell = runProgram(["bash"], { cwd: root });
    shell.write(`${block.replace("http://127.0.0.1:3000", app.url)}exit\n`);
    expect([await shell.ended, shell.printed.err]).toEqual([0, ""]);
    const [p80, task] = shell.printed.out.trim().split("\n").map(Number);
    // The mean of the distribution for 8, 14 and 30 hours.
    expect(task).toBeCloseTo((8 + 4 * 14 + 30) / 6, 2);
    expect(p80).toBeGreaterThan(Number(task));
    // The result that the first lines promise.
    expect(readme).toContain(
      `is ${task?.toFixed(1)} hours on average, and ${p80?.toFixed(1)} hours with 80 % confidence`,
    );
  }
});

describe("the table of settings", () => {
  const rowsOf = (page: string) => [...page.matchAll(/^\| `([A-Z_]+)` \| (.+?) \| .+ \|$/gm)];
  const all = rowsOf(readFileSync(join(root, "docs/settings.md"), "utf8"));
  const rows = all.map(([, name = "", given = ""]) => ({ name, literal: /^`([^`]+)`$/.exec(given)?.[1] }));
  const source = readFileSync(join(root, "server/config.ts"), "utf8");
  const read = [...source.matchAll(/\b(?:read(?:<[^(]*>)?\(\s*"|env\.)([A-Z_]+)/g)].map(([, name]) => name);
  /** Settings that others need beside them. */
  const company: Readonly<Record<string, Record<string, string>>> = {
    GOOGLE_CLIENT_ID: { GOOGLE_CLIENT_SECRET: "x" },
    GOOGLE_CLIENT_SECRET: { GOOGLE_CLIENT_ID: "x" },
    SUGGESTION_URL: { SUGGESTION_MODEL: "m" },
    SUGGESTION_PROTOCOL: { SUGGESTION_URL: "http://h", SUGGESTION_MODEL: "m", SUGGESTION_API_KEY: "k" },
    SUGGESTION_MODEL: { SUGGESTION_URL: "http://h" },
    SUGGESTION_API_KEY: { SUGGESTION_URL: "http://h", SUGGESTION_MODEL: "m" },
    SUGGESTION_TIMEOUT: { SUGGESTION_URL: "http://h", SUGGESTION_MODEL: "m" },
    GOOGLE_ISSUER: { GOOGLE_CLIENT_ID: "x", GOOGLE_CLIENT_SECRET: "x" },
  };

  test("names exactly the variables that the service reads, at most 49", () => {
    // Of the operating system: the page names it below its tables.
    const settings = new Set(read.filter((name) => name !== "XDG_RUNTIME_DIR"));
    expect(rows.map(({ name }) => name).sort()).toEqual([...settings].sort());
    expect(rows.length).toBeLessThanOrEqual(49);
  });

  test("has every row of the README's table, which has ten", () => {
    const ten = rowsOf(readme).map(([line]) => line);
    expect(ten).toHaveLength(10);
    expect(all.map(([line]) => line)).toEqual(expect.arrayContaining(ten));
  });

  test.each(rows.filter(({ literal }) => literal !== undefined))("states the default of $name", ({ name, literal }) => {
    const others = company[name] ?? {};
    const meant = (literal ?? "").replace("HOST", "127.0.0.1").replace("PORT", "3000");
    const value = meant === "BASE_URL" ? loadConfig({}).baseUrl : meant;
    expect(loadConfig({ ...others, [name]: value })).toEqual(loadConfig(others));
  });

  test.each(rows)("uses $name: another value changes the result", ({ name }) => {
    const others = company[name] ?? {};
    const differs = (value: string) => {
      try {
        return JSON.stringify(loadConfig({ ...others, [name]: value })) !== JSON.stringify(loadConfig(others));
      } catch (error) {
        return error instanceof ConfigError && error.faults.some((fault) => fault.startsWith(name));
      }
    };
    expect(differs("?")).toBe(true);
  });
});

test("the snippet that verifies a webhook accepts only genuine requests", async () => {
  const [, snippet = ""] = /```js\n(import \{ verify \}[\s\S]+?)```/.exec(readme) ?? [];
  const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const source = snippet.replace("estimation-service/webhooks", pathToFileURL(join(root, exports["./webhooks"])).href);
  const { receive } = (await import(`data:text/javascript,${encodeURIComponent(source)}`)) as {
    receive: (request: Request, secret: string) => Promise<Response>;
  };
  const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
  const [id, at] = ["wd_01k6z0c9v3e8rbt5w2yq4nmhxd", Math.floor(systemClock.now().getTime() / 1_000)];
  const request = (body: string, timestamp = at) => {
    const signed = `${id}.${timestamp}.{"estimationId":"est_1","taskCount":3}`;
    const signature = createHmac("sha256", Buffer.alloc(32, 7)).update(signed).digest("base64");
    const headers = {
      "x-service-event": "estimation.tasks_generated",
      "webhook-id": id,
      "webhook-timestamp": String(timestamp),
      "webhook-signature": `v1,${signature}`,
    };
    return new Request("https://example.com/hook", { method: "POST", body, headers });
  };
  const body = '{"estimationId":"est_1","taskCount":3}';
  const said = vi.spyOn(console, "log").mockImplementation(() => {});
  expect((await receive(request(body), secret)).status).toBe(204);
  expect(said.mock.calls).toEqual([[3]]);
  said.mockRestore();
  await expect(receive(request(`${body} `), secret)).rejects.toThrow("No signature matches");
  await expect(receive(request(body, at - 301), secret)).rejects.toThrow("too long ago");
  await expect(receive(request(body), `whsec_${Buffer.alloc(32, 8).toString("base64")}`)).rejects.toThrow();
});
