import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { metricRows } from "./rows.ts";

type Rows = typeof metricRows;
type LabelsOf<R> = R extends { readonly labels: infer L } ? keyof L & string : never;
type MetricOf<R extends { readonly type: string }> = R["type"] extends "counter"
  ? Counter<LabelsOf<R>>
  : R["type"] extends "gauge"
    ? Gauge<LabelsOf<R>>
    : Histogram<LabelsOf<R>>;

/** The metrics of this process, by their names in `rows.ts`. */
export type Metrics = { readonly [K in keyof Rows]: MetricOf<Rows[K]> } & { readonly registry: Registry };

const kinds = { counter: Counter, gauge: Gauge, histogram: Histogram };

/** Makes every metric, in a registry of its own: a process may run the service several times. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const made = Object.entries(metricRows).map(([key, row]) => {
    const { name, type, help } = row;
    const labels: Readonly<Record<string, readonly string[]>> = "labels" in row ? row.labels : {};
    const metric = new kinds[type]({
      name,
      help,
      labelNames: Object.keys(labels),
      registers: [registry],
      ...("buckets" in row ? { buckets: [...row.buckets] } : {}),
    });
    if ("fromStart" in row) for (const values of combinations(labels)) (metric as Counter).inc(values, 0);
    return [key, metric];
  });
  return { ...Object.fromEntries(made), registry };
}

/** Returns every combination of the values of `labels`. */
function combinations(labels: Readonly<Record<string, readonly string[]>>): Record<string, string>[] {
  return Object.entries(labels).reduce<Record<string, string>[]>(
    (chosen, [name, values]) => chosen.flatMap((others) => values.map((value) => ({ ...others, [name]: value }))),
    [{}],
  );
}
