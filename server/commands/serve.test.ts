import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { until } from "../../tests/harness.ts";
import { makeDatabase } from "../../tests/support/embedded/template.ts";
import { startupWarnings } from "./serve.ts";

const proxied = {
  host: "127.0.0.1",
  baseUrl: "https://estimates.example.org",
  trustProxy: [] as string[],
  webhookAllowedNetworks: [] as string[],
  metricsPort: null,
  metricsToken: null,
};

test.each([
  { host: "0.0.0.0" },
  { baseUrl: "http://127.0.0.1:3000" },
  { baseUrl: "https://localhost:3000" },
  { trustProxy: ["127.0.0.1/32"] },
  // The default for a HOST with a zone.
  { baseUrl: "http://[fe80::1%eth0]:3000" },
])("%j starts without a warning", (config) => {
  expect(startupWarnings(proxied)).toHaveLength(1);
  expect(startupWarnings({ ...proxied, ...config })).toEqual([]);
});

test("the start warns if whoever reaches the port of the metrics can read them", () => {
  const open = { ...proxied, host: "0.0.0.0", metricsPort: 9_000 };
  expect(startupWarnings(open)).toEqual([expect.stringContaining("METRICS_TOKEN")]);
  expect(startupWarnings({ ...open, metricsToken: "0123456789abcdef" })).toEqual([]);
  expect(startupWarnings({ ...open, host: "127.0.0.1", baseUrl: "http://127.0.0.1:3000" })).toEqual([]);
});

test("the start warns if webhooks may reach the machine of a public instance", () => {
  const exempt = { webhookAllowedNetworks: ["127.0.0.0/8", "::1/128"], trustProxy: ["127.0.0.1/32"] };
  expect(startupWarnings({ ...proxied, ...exempt })).toEqual([expect.stringContaining("WEBHOOK_ALLOWED_NETWORKS")]);
  expect(startupWarnings({ ...proxied, ...exempt, baseUrl: "http://127.0.0.1:3000" })).toEqual([]);
});

test("a public instance on a loopback address that trusts no proxy warns once at the start", async () => {
  const entry = fileURLToPath(new URL("../../main.js", import.meta.url));
  const child = spawn(process.execPath, [entry, "serve"], {
    cwd: "/",
    env: {
      PORT: "0",
      LOG_LEVEL: "warn",
      BASE_URL: proxied.baseUrl,
      WEBHOOK_ALLOWED_NETWORKS: "",
      DATA_DIR: await makeDatabase(),
    },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const logged = text(child.stderr);
  let out = "";
  child.stdout.on("data", (chunk) => {
    out += chunk;
  });
  await until(() => out.includes("Ctrl-C stops it"));
  child.kill("SIGTERM");
  await once(child, "exit");
  const lines = (await logged)
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines.map(({ level, msg }) => [level, msg])).toEqual([[40, startupWarnings(proxied)[0]]]);
});
