import pg from "pg";
import { Client } from "undici";
import { benchDatabase } from "../database.ts";
import { compare } from "../estimation-list/compare.ts";
import { startPostgresTime } from "../processor-time.ts";
import { start } from "../requests/stage.ts";
import { type Result, report } from "../result.ts";
import { fillDatabase } from "./fill.ts";
import { type Asked, estimationLists, otherLists, pageOf } from "./places.ts";
import { makeSample, type Sample } from "./sample.ts";

/** How many times as long a list may take with a hundred times as many estimations, … */
const MOST = 1.5;
/** … a search for a text, and how long that may take in milliseconds. */
const MOST_OF_TEXT = 3;
const MOST_TEXT_MS = 60;
const TIMES = 100;
const ROUNDS = 60;
const PAGE = 20;

/** A filled database with a service over it. */
interface Instance {
  readonly sample: Sample;
  readonly dataDir: string;
  readonly client: Client;
}

/**
 * Prints how long each list takes in a database with `rows` estimations against one with a hundredth of them, in turns: every list
 * of the API, and that of estimations with each filter and each pair of them. A filter may leave less than a page of the fewer
 * ones, and a page with less on it costs less: then pages of as many rows are compared.
 */
export async function compareLists(rows: number): Promise<void> {
  const closing: (() => Promise<unknown>)[] = [];
  try {
    const few = await makeInstance(Math.ceil(rows / TIMES), closing);
    const many = await makeInstance(rows, closing);
    let [worst, worstText, longestTextMs] = [0, 0, 0];
    for (const asked of [...otherLists, ...estimationLists]) {
      const isText = asked.search.some(([name]) => name === "q");
      const result = await compareOne(asked, many, few, isText ? MOST_OF_TEXT : MOST);
      if (result.target === null) continue;
      if (isText) longestTextMs = Math.max(longestTextMs, result.ours);
      if (isText) worstText = Math.max(worstText, result.ratio);
      else worst = Math.max(worst, result.ratio);
    }
    console.log(`the worst list: ${worst.toFixed(2)} times as long; the worst search: ${worstText.toFixed(2)} times`);
    const about = { name: `the longest search among ${rows} estimations`, reference: "what is wanted", unit: "ms" };
    const [ours, theirs] = [longestTextMs, MOST_TEXT_MS];
    report({ ...about, ours, theirs, ratio: ours / theirs, target: { most: 1 } });
  } finally {
    for (const close of closing.reverse()) await close();
  }
}

/** Fills a database and starts a service over it; `closing` gets what ends them, the last first. */
async function makeInstance(count: number, closing: (() => Promise<unknown>)[]): Promise<Instance> {
  const begin = performance.now();
  const database = await benchDatabase();
  closing.push(database.stop);
  // Copies are made without looking at what they refer to, which only the superuser may.
  const pool = new pg.Pool({ ...database.connection, user: "postgres" });
  pool.on("error", () => {});
  const sample = await makeSample(database, pool);
  await fillDatabase(pool, sample, count);
  const size = "select pg_database_size(current_database())::float8 as bytes";
  const { bytes } = (await pool.query(size)).rows[0];
  await pool.end();
  const service = await start("./service.ts", JSON.stringify(database.connection), database.dataDir);
  const client = new Client(service.url);
  closing.push(async () => {
    await client.close();
    service.process.kill();
  });
  console.log(
    `${count} estimations, ${(bytes / 2 ** 30).toFixed(2)} GiB, ${(bytes / count / 1024).toFixed(1)} KiB each, filled in ${((performance.now() - begin) / 1_000).toFixed(0)} s`,
  );
  return { sample, dataDir: database.dataDir, client };
}

async function compareOne(asked: Asked, many: Instance, few: Instance, most: number): Promise<Result> {
  const ofMany = await read(asked, many, PAGE);
  const ofFew = await read(asked, few, PAGE);
  const limit = ofMany > ofFew ? Math.max(1, ofFew - 1) : PAGE;
  const postgresTimes = [many, few].map(({ dataDir }) => startPostgresTime(dataDir));
  const {
    many: ours,
    few: theirs,
    ratio,
  } = await compare(
    ROUNDS,
    () => read(asked, many, limit),
    () => read(asked, few, limit),
  );
  const [ofOurs = 0, ofTheirs = 0] = postgresTimes.map((time) => time());
  // Finding nothing is not comparable with finding something.
  const target = ofFew === 0 && ofMany > 0 ? null : { most };
  const result = { name: asked.name, reference: "a hundredth", unit: "ms", ours, theirs, ratio, target };
  report(result);
  console.log(
    `  rows ${Math.min(limit, ofMany)} and ${Math.min(limit, ofFew)}; PostgreSQL's processor time ${(ofOurs / ofTheirs).toFixed(2)} times as long`,
  );
  return result;
}

/** Reads a page, and returns how many rows it has. */
async function read(asked: Asked, { client, sample }: Instance, limit: number): Promise<number> {
  const { path, by } = pageOf(asked, sample, limit);
  const headers = { authorization: `Bearer ${by.token}` };
  const { statusCode, body } = await client.request({ method: "GET", path, headers });
  const text = await body.text();
  if (statusCode !== 200) throw new Error(`${path} returned ${statusCode}: ${text}`);
  const lists = Object.entries(JSON.parse(text).data).filter(
    ([name, value]) => Array.isArray(value) && name !== "owners",
  );
  return (lists[0]?.[1] as unknown[] | undefined)?.length ?? 0;
}
