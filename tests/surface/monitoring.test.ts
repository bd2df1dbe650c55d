import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type MetricRow, metricRows } from "../../server/platform/metrics/rows.ts";
import { readAlerts } from "../support/alerts.ts";
import { readExpression } from "../support/promql.ts";

const rows: readonly MetricRow[] = Object.values(metricRows);
const alerts = readAlerts();
const dashboard = JSON.parse(readFileSync("deploy/grafana.json", "utf8")) as {
  readonly panels: readonly { readonly title: string; readonly targets: readonly Target[] }[];
};
interface Target {
  readonly expr: string;
  readonly legendFormat: string;
}

/** Labels that Prometheus itself gives every metric. */
const OWN = ["job", "instance"];

/** Returns what of an expression does not exist: metrics, labels, values of labels. */
function unknownIn(expr: string, legend = ""): string[] {
  const { uses, groups } = readExpression(expr);
  const known = new Set<string>(OWN);
  const faults = uses.flatMap(({ name, labels }) => {
    // Whether a process could be read.
    if (name === "up") return labels.filter(([label]) => !OWN.includes(label)).map(([label]) => `up{${label}}`);
    const row = rows.find((one) =>
      one.type === "histogram" ? new RegExp(`^${one.name}_(bucket|sum|count)$`).test(name) : name === one.name,
    );
    if (row === undefined) return [name];
    const declared: Readonly<Record<string, readonly string[]>> = { ...row.labels };
    for (const label of [...Object.keys(declared), ...(name.endsWith("_bucket") ? ["le"] : [])]) known.add(label);
    return labels
      .filter(([label, value]) => {
        if (OWN.includes(label)) return false;
        const values = declared[label] ?? [];
        return !values.some((one) => new RegExp(`^(?:${value})$`).test(one));
      })
      .map(([label, value]) => `${name}{${label}="${value}"}`);
  });
  const shown = [...legend.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = ""]) => label);
  return [...faults, ...[...groups, ...shown].filter((label) => !known.has(label))];
}

test("there are eight alerts, each of metrics that exist, with what to do in the operations page", () => {
  expect(alerts).toHaveLength(8);
  expect(alerts.filter(({ expr }) => readExpression(expr).uses.length === 0)).toEqual([]);
  expect(alerts.flatMap(({ expr }) => unknownIn(expr))).toEqual([]);
  const page = readFileSync("docs/operations.md", "utf8");
  const sections = [...page.matchAll(/^### (\w+)\n\n(\S.*)/gm)].map(([, title]) => title);
  expect(sections.filter((title) => alerts.some(({ name }) => name === title))).toEqual(alerts.map(({ name }) => name));
  expect(alerts.map(({ description }) => description)).toEqual(
    alerts.map(({ name }) => `docs/operations.md#${name.toLowerCase()}`),
  );
});

test("the dashboard shows every metric, and none that does not exist", () => {
  const targets = dashboard.panels.flatMap((panel) => panel.targets);
  expect(targets.flatMap(({ expr, legendFormat }) => unknownIn(expr, legendFormat))).toEqual([]);
  const shown = targets.flatMap(({ expr }) => readExpression(expr).uses.map(({ name }) => name));
  const missing = rows.filter(({ name }) => !shown.some((one) => one.startsWith(name)));
  expect(missing.map(({ name }) => name)).toEqual([]);
});

test.each([
  ["sum(rate(estimation_request_total[5m]))", ["estimation_request_total"]],
  ['estimation_queue_due{kind="mail"}', ['estimation_queue_due{kind="mail"}']],
  ['estimation_queue_due{kind!~"deliveries|mail"} > 1', ['estimation_queue_due{kind="mail"}']],
  ['estimation_database_up{host="a"} == 0', ['estimation_database_up{host="a"}']],
  ["sum by (host) (estimation_queue_due)", ["host"]],
  ["sum by (le) (rate(estimation_requests_total[5m]))", ["le"]],
  ["estimation_request_seconds > 1", ["estimation_request_seconds"]],
  ['up{kind="x"} == 0', ["up{kind}"]],
])("of %s, %j is found unknown", (expr, unknown) => {
  expect(unknownIn(expr)).toEqual(unknown);
});
