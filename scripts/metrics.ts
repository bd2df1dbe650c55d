import { type MetricRow, metricRows } from "../server/platform/metrics/rows.ts";
import { generatedPage, table } from "./markdown.ts";

/** Labels with more values are described, and not listed. */
const LISTED = 8;

const described: Readonly<Record<string, string>> = {
  endpoint: "the [id of the endpoint](endpoints.md), or `other`: pages, documentation, probes, unknown paths",
  status: "the status of the response",
  error: "the key of the [error](errors.md)",
  limit: "the limit that was reached; empty for other errors",
  kind: "the job, or `deliveries`",
};

function labelsOf({ labels = {} }: MetricRow): string {
  return Object.entries(labels)
    .map(([label, values]) => {
      const said = values.length <= LISTED ? values.map((value) => `\`${value}\``).join(", ") : described[label];
      if (said === undefined) throw new Error(`Without a description: the label ${label}`);
      return `\`${label}\`: ${said}`;
    })
    .join("; ");
}

/** Returns the page of the metrics. */
export function metricsPage(): string {
  const rows: readonly MetricRow[] = Object.values(metricRows);
  return generatedPage(
    "Metrics",
    "`server/platform/metrics/rows.ts`",
    "What `GET /metrics` shows of one process, in Prometheus's text format; [operations](../operations.md#monitoring) says how it is read. No label names a record, a user, an address or a text.",
    table(
      ["Metric", "Type", "What it says", "Labels"],
      rows.map((row) => [`\`${row.name}\``, row.type, row.help, labelsOf(row)]),
    ),
  );
}
