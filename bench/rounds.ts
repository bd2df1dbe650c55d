/**
 * `node bench/rounds.ts`: 50 people who save 500 estimates each at the same moment, beside the same 50 values written by `pg` alone
 * into a table of one row for each, at the same moment too. Prints the 99th percentiles of 10 times, in which both take turns, and their ratio.
 * Exits with 1 if that of saving is 500 ms or more, or anybody was refused.
 */
import pg from "pg";
import { limits } from "../contract/limits.ts";
import { benchDatabase } from "./database.ts";
import { must, type Send, signUp } from "./largest-requests/requests.ts";
import { startInProcess } from "./largest-requests/service.ts";

const TIMES = 10;
const MOST_MS = 500;
const NO_LIMIT = 1_000_000_000;

const percentile99 = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.99) - 1] ?? 0;

async function timedMs<R>(work: () => Promise<R>): Promise<[number, R]> {
  const begin = performance.now();
  const result = await work();
  return [performance.now() - begin, result];
}

const database = await benchDatabase();
const service = await startInProcess(database, NO_LIMIT);
const pool = new pg.Pool({ ...database.connection, max: 10 });
try {
  const owner = await signUp(() => service.url, "owner@example.com");
  const people: Send[] = [];
  const emails: string[] = [];
  for (let n = 0; n < limits.roundParticipants; n += 1) {
    emails.push(`person${n}@example.com`);
    people.push(await signUp(() => service.url, `person${n}@example.com`));
  }
  const id = (await must(owner, "POST", "/api/estimations", { title: "Large round" })).estimation?.id;
  const options = Array.from({ length: limits.nodeOptions }, (_, at) => ({ title: `Option ${at}`, hours: 4 }));
  const nodes = Array.from({ length: Math.ceil(limits.roundOptions / limits.nodeOptions) }, () => ({
    ...{ title: "Scope", kind: "group", options },
  }));
  const put = await must(owner, "PUT", `/api/estimations/${id}/tree`, { nodes });
  const stored = (put.tree as unknown as { nodes: { options: { id: string }[] }[] }).nodes;
  const optionIds = stored.flatMap((node) => node.options.map((option) => option.id)).slice(0, limits.roundOptions);
  const path = `/api/estimations/${id}/rounds`;
  const round = (await must(owner, "POST", path, { optionIds, participants: emails })).round?.id;
  const estimatesOf = (person: number, time: number) =>
    optionIds.map((optionId, at) => ({
      ...{ optionId, optimistic: person + 1, likely: person + at + 2, pessimistic: person + at + time + 3 },
      note: "As in the last shop",
    }));
  await pool.query("create table bench_answers (id int primary key, answers json)");
  await pool.query("insert into bench_answers select n, '{}' from generate_series(0, $1::int) n", [people.length]);

  const ours: number[] = [];
  const theirs: number[] = [];
  let refused = 0;
  for (let time = 0; time < TIMES; time += 1) {
    const bodies = people.map((_, at) => JSON.stringify({ estimates: estimatesOf(at, time) }));
    const saved = await Promise.all(
      people.map((send, at) => timedMs(() => send("POST", `${path}/${round}/estimates`, bodies[at]))),
    );
    for (const [ms, { status }] of saved) {
      ours.push(ms);
      if (status !== 200) refused += 1;
    }
    const written = await Promise.all(
      bodies.map((body, at) =>
        timedMs(() => pool.query("update bench_answers set answers = $1 where id = $2", [body, at])),
      ),
    );
    for (const [ms] of written) theirs.push(ms);
  }
  const [saving, writing] = [percentile99(ours), percentile99(theirs)];
  console.log(
    `${people.length} people save ${optionIds.length} estimates each at once: p99 ${saving.toFixed(0)} ms; the same values by pg alone: ${writing.toFixed(0)} ms; ratio ${(saving / writing).toFixed(1)}; refused: ${refused}; target: below ${MOST_MS} ms, none refused`,
  );
  if (saving >= MOST_MS || refused > 0) process.exitCode = 1;
} finally {
  await pool.end();
  await service.stop();
  await database.stop();
}
