import { expect, test } from "vitest";
import { endpointEntries } from "../../contract/index.ts";
import { type MetricRow, metricRows } from "../../server/platform/metrics/rows.ts";
import { workerJobs } from "../../server/worker.ts";
import { start } from "../harness.ts";
import { readSamples, type Sample, scrape, sumOf } from "../support/metrics.ts";
import { saveRows } from "../support/saved-rows.ts";
import { callSample } from "./call.ts";
import { makeWorld, sampleConfig } from "./samples.ts";

const metricsToken = "0123456789abcdef";
const app = await start({ config: { ...sampleConfig, rateLimitAuthPerMinute: 1_000_000, metricsToken } });
const read = () => scrape(`${app.url}/metrics`, metricsToken);

const rows: readonly MetricRow[] = Object.values(metricRows);

/** Returns the samples with a name, a label or a value that is not declared. */
function undeclared(samples: readonly Sample[]): Sample[] {
  return samples.filter(({ name, labels }) => {
    const row = rows.find((one) =>
      one.type === "histogram" ? name.replace(/_(bucket|sum|count)$/, "") === one.name : name === one.name,
    );
    const { le, ...others } = labels;
    const bounds: readonly (string | undefined)[] = name.endsWith("_bucket")
      ? [...(row?.buckets ?? []), "+Inf"].map(String)
      : [undefined];
    const declared = row?.labels ?? {};
    const isComplete = Object.keys(declared).every((label) => label in others);
    const isKnown = Object.entries(others).every(([label, value]) => (declared[label] ?? []).includes(value));
    return !(row && bounds.includes(le) && isComplete && isKnown);
  });
}

test("every endpoint is counted under its id, and no label has a value that is not declared", async () => {
  const world = await makeWorld(app);
  const { restore } = await saveRows(app.pool);
  const before = await read();
  const statusOf: Record<string, number> = {};
  for (const [id] of endpointEntries) {
    statusOf[id] = (await callSample(app, id, world)).status;
    await restore();
  }
  // Beside endpoints: unknown paths, probes, documentation, an unreadable request, one without a credential.
  for (const path of ["/api/unknown/secret-text", "/healthz", "/readyz", "/docs", "/api/%zz", "/api/estimations"])
    await app.request("GET", path);
  const after = await read();
  for (const [id, status] of Object.entries(statusOf)) {
    const labels = { endpoint: id, status: String(status) };
    const counted = (text: string) => sumOf(text, "estimation_requests_total", labels) ?? 0;
    expect([id, counted(after) - counted(before)]).toEqual([id, 1]);
    expect(sumOf(after, "estimation_request_seconds_count", { endpoint: id })).toBeGreaterThan(0);
  }
  expect(sumOf(after, "estimation_requests_total", { endpoint: "other", status: "404" })).toBeGreaterThan(0);
  expect(sumOf(after, "estimation_refusals_total", { error: "authorization_missing" })).toBeGreaterThan(0);
  const samples = readSamples(after);
  expect(undeclared(samples)).toEqual([]);
  // Each metric is there but the one that has no value yet.
  const missing = rows.filter(({ name }) => !samples.some((sample) => sample.name.startsWith(name)));
  expect(missing.map(({ name }) => name)).toEqual(["estimation_last_backup_timestamp_seconds"]);
  expect(after).not.toMatch(
    new RegExp(`${world.estimation}|${world.user.userId}|${world.user.email}|secret-text|127\\.0`),
  );
});

test.each<[string, Omit<Sample, "value">]>([
  ["an unknown metric", { name: "estimation_secrets", labels: {} }],
  ["an undeclared label", { name: "estimation_database_up", labels: { host: "a" } }],
  [
    "an id as the value of a label",
    { name: "estimation_queue_due", labels: { kind: "est_01k6z0c9v3e8rbt5w2yq4nmhxd" } },
  ],
  ["a label left out", { name: "estimation_queue_due", labels: {} }],
  ["another bound", { name: "estimation_request_seconds_bucket", labels: { endpoint: "other", le: "7" } }],
])("%s is found", (_, sample) => {
  expect(undeclared([{ ...sample, value: 1 }])).toHaveLength(1);
});

test("a quota that is used up is counted under its name", async () => {
  const small = await start({ config: { metricsToken, quotas: { ...app.services.config.quotas, estimations: 1 } } });
  const { token } = await small.signUp();
  const make = () => small.request("POST", "/api/estimations", { token, body: { title: "Shop" } });
  expect([(await make()).status, (await make()).status]).toEqual([201, 409]);
  const text = await scrape(`${small.url}/metrics`, metricsToken);
  expect(sumOf(text, "estimation_refusals_total", { error: "limit_reached", limit: "estimations" })).toBe(1);
});

test("the kinds of jobs are those that the worker runs", () => {
  const { services } = app;
  const names = workerJobs(services, app.connection, { mailer: {} as never, trackers: {} as never }).map(
    ({ name }) => name,
  );
  expect(names.toSorted()).toEqual(
    [...metricRows.queueDepth.labels.kind].filter((kind) => kind !== "deliveries").toSorted(),
  );
});
