/**
 * Requests a second of `GET /api/estimations` (20 of 10,000 rows) against the same rows as a list of Directus, a general server for
 * tables, on the same PostgreSQL, in turns. Directus has an index in the order of its list, a token that may read everything, and
 * no limit of requests. Needs the npm registry once. Arguments: rounds, seconds of each.
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { freePort } from "../../tests/support/free-port.ts";
import { benchDatabase, median } from "../database.ts";
import { fill, load, type Round, round, start } from "../requests/stage.ts";
import { report } from "../result.ts";
import { installDirectus } from "./install.ts";

const [rounds = 5, seconds = 3] = process.argv.slice(2).map(Number);
const WARM_UP = 2;
const LEAST_RATIO = 1;
const TOKEN = "the-token-of-the-benchmark";

const { version, folder } = installDirectus();
const database = await benchDatabase();
const service = await start("./service.ts", JSON.stringify(database.connection), database.dataDir);
try {
  const filled = await fill(service.url, database.connection);
  const pool = new pg.Pool(database.connection);
  await pool.query("create table listed as select * from estimations");
  await pool.query("alter table listed add primary key (id)");
  await pool.query("create index listed_in_order on listed (owner_id, updated_at desc, id)");
  const [{ owner_id: ownerId }] = (
    await pool.query("vacuum analyze listed").then(() => pool.query("select owner_id from listed limit 1"))
  ).rows;
  await pool.end();

  const { host, port, user, database: name } = database.connection;
  const own = await freePort();
  const env = {
    PATH: process.env.PATH,
    ...{
      DB_CLIENT: "pg",
      DB_HOST: String(host),
      DB_PORT: String(port),
      DB_DATABASE: name,
      DB_USER: user,
      DB_PASSWORD: "-",
    },
    ...{ HOST: "127.0.0.1", PORT: String(own), PUBLIC_URL: `http://127.0.0.1:${own}`, SECRET: TOKEN.repeat(2) },
    ...{ ADMIN_EMAIL: "bench@example.com", ADMIN_PASSWORD: "correct horse battery", ADMIN_TOKEN: TOKEN },
    ...{ TELEMETRY: "false", CACHE_ENABLED: "false", RATE_LIMITER_ENABLED: "false", LOG_LEVEL: "error" },
    NODE_ENV: "production",
  };
  const program = `${folder}/node_modules/directus/cli.js`;
  execFileSync(process.execPath, [program, "bootstrap"], { cwd: folder, env, stdio: "ignore" });
  const directus = {
    url: env.PUBLIC_URL,
    process: spawn(process.execPath, [program, "start"], { cwd: folder, env, stdio: "ignore" }),
  };
  try {
    const responds = () =>
      fetch(`${directus.url}/server/ping`).then(
        ({ ok }) => ok,
        () => false,
      );
    while (!(await responds())) {
      if (directus.process.exitCode !== null) throw new Error("directus did not start");
      await wait(100);
    }
    const path = `/items/listed?filter[owner_id][_eq]=${ownerId}&sort=-updated_at&limit=20`;
    const theirKey = { ...filled, key: TOKEN };
    await load(service.url, filled, { duration: WARM_UP * seconds });
    await load(directus.url, theirKey, { path, duration: WARM_UP * seconds });
    const [ours, theirs]: [Round[], Round[]] = [[], []];
    for (let at = 0; at < rounds; at += 1) {
      const { dataDir } = database;
      ours.push(await round([service], filled, { dataDir, seconds }));
      theirs.push(await round([directus], theirKey, { dataDir, path, seconds }));
    }
    const typical = (all: readonly Round[], field: keyof Round) => median(all.map((one) => one[field]));
    report({
      name: "GET /api/estimations, 20 of 10,000",
      reference: `Directus ${version}`,
      unit: "/s",
      ours: typical(ours, "perSecond"),
      theirs: typical(theirs, "perSecond"),
      ratio: median(ours.map((one, at) => one.perSecond / (theirs[at]?.perSecond ?? 1))),
      target: { least: LEAST_RATIO },
    });
    const shown = (all: readonly Round[]) =>
      `${typical(all, "nodeMs").toFixed(3)} + ${typical(all, "postgresMs").toFixed(3)}`;
    console.log(
      `  processor time of a request, of the process + of PostgreSQL: ${shown(ours)} ms; Directus: ${shown(theirs)} ms`,
    );
  } finally {
    const ended = once(directus.process, "exit");
    directus.process.kill();
    await ended;
  }
} finally {
  service.process.kill();
  await database.stop();
}
