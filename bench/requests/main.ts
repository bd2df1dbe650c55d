/**
 * Requests a second of one process against bare `node:http` and `pg` doing the same queries in the same run, in turns, with the
 * processor time that each request takes of the process and of PostgreSQL: the list (API key, 20 of 10,000 rows), one estimation,
 * and a tree of usual size that is written. Arguments: rounds, seconds of each.
 */
import { benchDatabase, median } from "../database.ts";
import { report } from "../result.ts";
import { type Kind, NAMES } from "./kinds.ts";
import { fill, load, type Round, round, start } from "./stage.ts";

const [rounds = 5, seconds = 3] = process.argv.slice(2).map(Number);
/** So many times as long as a round before anything is measured, until both run compiled code. */
const WARM_UP = 2;
/** The bare server only stores a tree: it checks nothing, computes no hours, and keeps no activity. */
const TARGETS: Readonly<Record<Kind, { readonly least: number } | null>> = {
  list: { least: 0.75 },
  get: null,
  write: null,
};

const typical = (all: readonly Round[], field: keyof Round) => median(all.map((one) => one[field]));

const database = await benchDatabase();
const connection = JSON.stringify(database.connection);
const service = await start("./service.ts", connection, database.dataDir);
const reference = await start("./reference-server.ts", connection);
try {
  const filled = await fill(service.url, database.connection);
  for (const kind of ["list", "get", "write"] as const) {
    for (const { url } of [service, reference]) await load(url, filled, { kind, duration: WARM_UP * seconds });
    const [ours, theirs]: [Round[], Round[]] = [[], []];
    for (let at = 0; at < rounds; at += 1) {
      const { dataDir } = database;
      ours.push(await round([service], filled, { dataDir, kind, seconds }));
      theirs.push(await round([reference], filled, { dataDir, kind, seconds }));
    }
    const ratios = ours.map((one, at) => one.perSecond / (theirs[at]?.perSecond ?? 1));
    report({
      name: NAMES[kind],
      reference: "bare node:http + pg",
      unit: "/s",
      ours: typical(ours, "perSecond"),
      theirs: typical(theirs, "perSecond"),
      ratio: median(ratios),
      target: TARGETS[kind],
    });
    const shown = (all: readonly Round[]) =>
      `${typical(all, "nodeMs").toFixed(3)} + ${typical(all, "postgresMs").toFixed(3)}`;
    const sumOf = ({ nodeMs, postgresMs }: Round) => nodeMs + postgresMs;
    const work = ours.map((one, at) => sumOf(theirs[at] ?? one) / sumOf(one));
    console.log(
      `  rounds ${ratios.map((ratio) => ratio.toFixed(2)).join(" ")}; processor time of a request, of the process + of PostgreSQL: ${shown(ours)} ms; bare: ${shown(theirs)} ms; bare / ours ${median(work).toFixed(2)}`,
    );
  }
} finally {
  service.process.kill();
  reference.process.kill();
  await database.stop();
}
