/**
 * What a page of `GET /api/estimations` costs a member of 5 teams with 10,000 estimations each, and one of 50 teams that share
 * the same 50,000, each with two of them, against the owner of 10,000, in turns: for some filters and sorts. Also prints what the queries take of PostgreSQL's
 * processor time, which other work on the machine hardly changes. `short` takes a tenth of the estimations. Ends with 1 where
 * the list without filters misses its target.
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
import { fillEstimations, makeTeams, shareWithTeams, writeLists } from "./fill.ts";

const isShort = process.argv.includes("short");
const EACH = isShort ? 1_000 : 10_000;
const ROUNDS = isShort ? 100 : 200;
const WORK_ROUNDS = 15;
const PAGE = 20;

const TARGETS = [
  { teams: 5, most: 1.3 },
  { teams: 50, most: 2 },
] as const;

type Filters = Partial<Pick<EstimationQuery, "status" | "access" | "tag" | "q" | "team">>;

const FILTERS: readonly (readonly [string, Filters])[] = [
  ["no filter", {}],
  ["status of most", { status: ["draft"] }],
  ["status of none", { status: ["exported"] }],
  ["access, to be edited", { access: ["editor"] }],
  ["access, all", { access: ["owner", "editor", "viewer"] }],
  ["tag of all", { tag: ["every"] }],
  ["tag of a hundredth", { tag: ["hundredth"] }],
  ["three tags", { tag: ["every", "tenth", "hundredth"] }],
  ["text of all", { q: "project" }],
  ["text of a hundredth", { q: "hundredth" }],
  ["text of none", { q: "warehouse" }],
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
  const [owner, sharer] = [await signUp(url), await signUp(url)];
  await fillEstimations(pool, owner.id, "a", EACH);
  await fillEstimations(pool, sharer.id, "b", 5 * EACH);
  const members: User[] = [];
  for (const { teams } of TARGETS) {
    const member = await signUp(url);
    const ids = await makeTeams(pool, member.id, String.fromCharCode(97 + members.length), teams);
    await shareWithTeams(pool, sharer.id, ids, teams === 5 ? 1 : 2);
    members.push(member);
  }
  await writeLists(pool);
  console.log(
    `members of teams with ${5 * EACH} estimations in all, against the owner of ${EACH}; lower quartiles of ${ROUNDS}, in ms`,
  );
  const client = new Client(url);
  const lone = new pg.Pool({ ...database.connection, max: 1 });
  const [{ pid }] = (await lone.query<{ pid: number }>("select pg_backend_pid() as pid")).rows as [{ pid: number }];
  const listAlone = createEstimationList(drizzleOver(lone));
  for (const sort of ["updatedAt", "createdAt"] as const) {
    for (const [name, filters] of FILTERS) {
      const request = (user: User) => async () => {
        const search = Object.entries({ sort, limit: PAGE, ...filters }).map(([name, value]) => `${name}=${value}`);
        const path = `/api/estimations?${search.map(encodeURI).join("&")}`;
        const headers = { authorization: `Bearer ${user.key}` };
        const { statusCode, body } = await client.request({ method: "GET", path, headers });
        await body.text();
        if (statusCode !== 200) throw new Error(`${path} returned ${statusCode}`);
      };
      const read = (user: User) => () => listAlone({ userId: user.id, sort, limit: PAGE + 1, after: null, ...filters });
      for (const [n, { teams, most }] of TARGETS.entries()) {
        const member = members[n] as User;
        const times = await compare(ROUNDS, request(member), request(owner));
        const work = await compareWork(WORK_ROUNDS, pid, read(member), read(owner));
        const isMissed = name === "no filter" && times.ratio > most;
        if (isMissed) process.exitCode = 1;
        const rows = `${(await read(member)()).length} / ${(await read(owner)()).length}`;
        console.log(
          `by ${sort}, ${name}, ${teams} teams:`.padEnd(48),
          `${shown(times)}   PostgreSQL's time ${shown(work)}   rows ${rows}${isMissed ? `  MISSED: at most ${most}` : ""}`,
        );
      }
    }
  }
  await lone.end();
  await client.close();
  await pool.end();
} finally {
  service.kill();
  await database.stop();
}
