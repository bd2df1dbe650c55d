import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { until } from "../harness.ts";
import { freePort } from "../support/free-port.ts";

/** A running Prometheus. */
export interface Prometheus {
  /** Waits until the alert fires. */
  fires(alert: string): Promise<void>;
  /** Waits until an expression has a result. */
  sees(expr: string): Promise<void>;
}

/**
 * Runs Prometheus (Debian's package `prometheus`), which reads the metrics of processes on these ports of 127.0.0.1 each second and
 * evaluates `rules` as often, until the test has ended.
 */
export async function startPrometheus(rules: string, ports: readonly number[], token: string): Promise<Prometheus> {
  const folder = await mkdtemp(join(tmpdir(), "estimation-prometheus-"));
  await writeFile(join(folder, "rules.yml"), rules);
  const config = {
    global: { scrape_interval: "1s", scrape_timeout: "1s", evaluation_interval: "1s" },
    rule_files: ["rules.yml"],
    scrape_configs: [
      {
        job_name: "estimation",
        authorization: { credentials: token },
        static_configs: [{ targets: ports.map((port) => `127.0.0.1:${port}`) }],
      },
    ],
  };
  // Every JSON text is YAML.
  await writeFile(join(folder, "prometheus.yml"), JSON.stringify(config));
  const port = await freePort();
  const child = spawn("prometheus", [
    ...["--config.file", join(folder, "prometheus.yml"), "--storage.tsdb.path", join(folder, "data")],
    ...["--web.listen-address", `127.0.0.1:${port}`, "--log.level", "error"],
  ]);
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => {
    said += chunk.toString("utf8");
  });
  const ended = once(child, "close").catch((error) => {
    said = `Debian's package prometheus is needed: ${error}`;
  });
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
    await rm(folder, { recursive: true, force: true });
  });
  const ask = async (path: string) => {
    if (child.exitCode !== null || said.startsWith("Debian")) throw new Error(`Prometheus ended: ${said}`);
    const response = await fetch(`http://127.0.0.1:${port}${path}`).catch(() => null);
    return response?.ok ? ((await response.json()) as { data: { result?: unknown[]; alerts?: Firing[] } }).data : null;
  };
  return {
    async fires(alert) {
      const isFiring = async () =>
        (await ask("/api/v1/alerts"))?.alerts?.some(
          ({ labels, state }) => labels.alertname === alert && state === "firing",
        );
      await until(isFiring).catch((cause) => {
        throw new Error(`${alert} does not fire`, { cause });
      });
    },
    async sees(expr) {
      await until(async () => (await ask(`/api/v1/query?query=${encodeURIComponent(expr)}`))?.result?.length);
    },
  };
}

interface Firing {
  readonly state: string;
  readonly labels: { readonly alertname: string };
}
