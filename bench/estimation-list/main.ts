/**
 * What a page of `GET /api/estimations` costs a user with very many estimations, against a user with few, in turns: for
 * every filter and sort. For somebody with few, some filters leave less than a page, and a page with less on it costs less,
 * however it is found: where that is so, a page of as many estimations is compared too (`limit`), and the target is for
 * that one. Also prints what the queries take of PostgreSQL's processor time, which other work on the machine hardly
 * changes. `short` takes fewer estimations and rounds; `million` compares 1,000,000 with 10,000, for a text with tags.
 * Ends with 1 where a target is missed.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { Client } from "undici";
import { drizzleOver } from "../../server/db/database.ts";
import { createEstimationList } from "../../server/features/estimations/list.ts";
import type { EstimationQuery } from "../../server/features/estimations/list-store.ts";
import { benchDatabase } from "../database.ts";
import { compare, compareWork, shown, signUp, type User } from "./compare.ts";
import { fillEstimations, share, writeLists } from "./fill.ts";

const isShort = process.argv.includes("short");
const isMillion = process.argv.includes("million");
const MANY = isMillion
  ? { own: 1_000_000, shared: 1_000 }
  : isShort
    ? { own: 20_000, shared: 200 }
    : { own: 100_000, shared: 1_000 };
const FEW = isMillion ? { own: 10_000, shared: 10 } : { own: 100, shared: 10 };
const ROUNDS = isShort ? 60 : 200;
const WORK_ROUNDS = isShort ? 9 : 15;
const MOST = isMillion ? 2 : 1.2;
const PAGE = 20;

type Filters = Partial<Pick<EstimationQuery, "status" | "access" | "tag" | "q">>;

const FILTERS: readonly (readonly [string, Filters])[] = [
  ["no filter", {}],
  ["status of most", { status: ["draft"] }],
  ["status of a tenth", { status: ["tasks_generated"] }],
  ["status of none", { status: ["exported"] }],
  ["own", { access: ["owner"] }],
  ["shared, to be edited", { access: ["editor"] }],
  ["shared, to be reviewed", { access: ["reviewer"] }],
  ["shared, status of none", { access: ["viewer"], status: ["exported"] }],
  ["tag of all", { tag: ["every"] }],
  ["tag of a tenth", { tag: ["tenth"] }],
  ["tag of a hundredth", { tag: ["hundredth"] }],
  ["tag of none", { tag: ["none"] }],
  ["tag of all, status of none", { tag: ["every"], status: ["exported"] }],
  ["tag of a tenth, shared", { tag: ["tenth"], access: ["viewer"] }],
  ["two statuses", { status: ["draft", "exported"] }],
  ["three tags", { tag: ["every", "tenth", "hundredth"] }],
  ["three tags, two of them of none", { tag: ["none", "hundredth", "neither"] }],
  ["text of all, three tags", { q: "project", tag: ["every", "tenth", "hundredth"] }],
  ["text of none, three tags", { q: "warehouse", tag: ["every", "tenth", "hundredth"] }],
  ["text of all", { q: "project" }],
  ["text of a third", { q: "third" }],
  ["text of a tenth", { q: "tenth" }],
  ["text of a hundredth", { q: "hundredth" }],
  ["text of a thousandth", { q: "thousandth" }],
  ["text of none", { q: "warehouse" }],
  ["text of none, of one letter", { q: "§" }],
  ["text of none, of two letters", { q: "zz" }],
  ["text of none, of usual parts", { q: "projects" }],
  ["text of all, status of none", { q: "project", status: ["exported"] }],
  ["text of none, tag of all", { q: "warehouse", tag: ["every"] }],
  ["text of none, of usual parts, tag of a tenth", { q: "projects", tag: ["tenth"] }],
  ["text of none, of two letters, tag of all", { q: "zz", tag: ["every"] }],
  ["text of a tenth, tag of a tenth, draft", { q: "tenth", tag: ["tenth"], status: ["draft"] }],
];

const database = await benchDatabase();
const service = fork(
  fileURLToPath(new URL("../requests/service.ts", import.meta.url)),
  [JSON.stringify(database.connection), database.dataDir],
  { execArgv: ["--expose-gc"] },
);
try {
  const [{ url }] = (await once(service, "message")) as [{ url: string }];
  const pool = new pg.Pool(database.connection);
  pool.on("error", () => {});
  const [many, few, other] = [await signUp(url), await signUp(url), await signUp(url)];
  await fillEstimations(pool, many.id, "a", MANY.own);
  await fillEstimations(pool, few.id, "b", FEW.own);
  await fillEstimations(pool, other.id, "c", MANY.shared);
  await share(pool, other.id, many.id, MANY.shared);
  await share(pool, other.id, few.id, FEW.shared);
  await writeLists(pool);
  console.log(
    `one user with ${MANY.own} own and ${MANY.shared} shared estimations, one with ${FEW.own} and ${FEW.shared}; lower quartiles of ${ROUNDS}, in ms`,
  );
  const client = new Client(url);
  const lone = new pg.Pool({ ...database.connection, max: 1 });
  const [{ pid }] = (await lone.query<{ pid: number }>("select pg_backend_pid() as pid")).rows as [{ pid: number }];
  const listAlone = createEstimationList(drizzleOver(lone));
  let worst = 0;
  let worstFull = 0;
  let worstWork = 0;
  for (const sort of ["updatedAt", "createdAt"] as const) {
    console.log(
      `by ${sort}`.padEnd(42),
      "equally full: many / few = ratio  its PostgreSQL time: many / few = ratio  full page: many / few = ratio  rows",
    );
    for (const [name, filters] of FILTERS) {
      if (isMillion && !(filters.q && filters.tag)) continue;
      const request = (user: User, limit: number) => async () => {
        const search = Object.entries({ sort, limit, ...filters }).map(([name, value]) => `${name}=${value}`);
        const path = `/api/estimations?${search.map(encodeURI).join("&")}`;
        const { statusCode, body } = await client.request({
          method: "GET",
          path,
          headers: { authorization: `Bearer ${user.key}` },
        });
        await body.text();
        if (statusCode !== 200) throw new Error(`${path} returned ${statusCode}`);
      };
      // A page reads one row more than it shows, to know whether there are others.
      const read = (user: User, limit: number) =>
        listAlone({ userId: user.id, sort, limit: limit + 1, after: null, ...filters });
      const [ofMany, ofFew] = [(await read(many, PAGE)).length, (await read(few, PAGE)).length];
      const asFull = ofFew <= PAGE && ofMany > ofFew ? Math.max(1, ofFew - 1) : PAGE;
      const full = await compare(ROUNDS, request(many, PAGE), request(few, PAGE));
      const alike = asFull === PAGE ? full : await compare(ROUNDS, request(many, asFull), request(few, asFull));
      const work = await compareWork(
        WORK_ROUNDS,
        pid,
        () => read(many, asFull),
        () => read(few, asFull),
      );
      worst = Math.max(worst, alike.ratio);
      worstFull = Math.max(worstFull, full.ratio);
      worstWork = Math.max(worstWork, work.ratio);
      console.log(
        name.padEnd(42),
        `${shown(alike)}     ${shown(work)}     ${shown(full)}    ${Math.min(asFull + 1, ofMany)} / ${Math.min(asFull + 1, ofFew)}, ${ofMany} / ${ofFew}`,
      );
    }
  }
  console.log(
    `pages of as many estimations: at most ${worst.toFixed(2)} times as long, and ${worstWork.toFixed(2)} times PostgreSQL's processor time; target: at most ${MOST}. Pages of ${PAGE}: at most ${worstFull.toFixed(2)} times as long`,
  );
  await lone.end();
  if (worst > MOST) process.exitCode = 1;
  await client.close();
  await pool.end();
} finally {
  service.kill();
  await database.stop();
}
