import type pg from "pg";
import type { Finding } from "../faults/finding.ts";
import type { Team } from "./actions.ts";
import type { Json, User } from "./user.ts";

/** Reads all pages of a list. */
async function readAll(user: User, path: string, name: string): Promise<Json[]> {
  const rows: Json[] = [];
  for (let cursor = ""; ; ) {
    const { status, data } = await user.send("check", "GET", `${path}?limit=100${cursor}`);
    if (status !== 200) throw new Error(`GET ${path} returned ${status}`);
    rows.push(...Array.from(data[name] as unknown as Json[]));
    if (data.nextCursor === null) return rows;
    cursor = `&cursor=${data.nextCursor}`;
  }
}

const missing = (expected: Iterable<string>, found: Iterable<unknown>): number => {
  const there = new Set([...found].map(String));
  return [...expected].filter((one) => !there.has(one)).length;
};

/** Counts how far two lists differ, each thing as often as it stands in it. */
function difference(expected: readonly string[], found: readonly string[]): { missing: number; extra: number } {
  const left = new Map<string, number>();
  for (const one of expected) left.set(one, (left.get(one) ?? 0) + 1);
  for (const one of found) left.set(one, (left.get(one) ?? 0) - 1);
  const counts = [...left.values()];
  const sum = (some: number[]) => some.reduce((total, n) => total + n, 0);
  return { missing: sum(counts.filter((n) => n > 0)), extra: -sum(counts.filter((n) => n < 0)) };
}

/** Compares everything that was acknowledged to a team with what the service has. */
async function judgeTeam(team: Team, pool: pg.Pool) {
  const { ledger, owner } = team;
  const path = `/api/estimations/${ledger.id}`;
  const { data } = await owner.send("check", "GET", `${path}/tree`);
  const nodes = Array.from(data.tree?.nodes as unknown as Json[]).flatMap((node) => [
    node.title,
    ...Array.from(node.options as unknown as Json[]).map(({ title }) => title),
  ]);
  const shares = await readAll(owner, `${path}/shares`, "shares");
  const versions = await readAll(owner, `${path}/versions`, "versions");
  const reviews = await readAll(owner, `${path}/reviews`, "reviews");
  let comments = 0;
  for (const [review, texts] of ledger.comments) {
    const found = await readAll(owner, `${path}/reviews/${review}/comments`, "comments");
    comments += missing(
      texts,
      found.map(({ body }) => body),
    );
  }
  const lost =
    missing(ledger.nodes, nodes) +
    missing(
      ledger.shares,
      shares.map(({ id }) => id),
    ) +
    missing(
      ledger.versions,
      versions.map(({ label }) => label),
    ) +
    missing(
      ledger.reviews,
      reviews.map(({ id }) => id),
    ) +
    comments;

  const { data: shown } = await owner.send("check", "GET", path);
  const standing = reviews.filter(({ status }) => String(status) !== "withdrawn");
  const state = ["changes_requested", "pending", "approved"].find((one) =>
    standing.some(({ status }) => String(status) === one),
  );
  const isRight =
    String(shown.estimation?.reviewState) === (state ?? "none") &&
    String(shown.estimation?.reviewStale) === String(standing.some(({ stale }) => String(stale) === "true"));
  const gaps = versions.filter(({ number }, at) => Number(number) !== versions.length - at).length;

  const { rows } = await pool.query<{ name: string; data: Record<string, string> }>(
    "select name, data::json as data from webhook_events where data::json ->> 'estimationId' = $1",
    [ledger.id],
  );
  const told = rows.map(({ name, data: about }) => {
    if (name === "estimation.submitted") return `${name} ${about.reviewUrl?.split("/").at(-1)}`;
    return `${name} ${about.shareId ?? about.reviewerId}`;
  });
  return { lost, wrong: (isRight ? 0 : 1) + gaps, ...difference(ledger.events, told) };
}

/** Judges all teams, and the outcome of the deliveries. */
export async function judge(teams: readonly Team[], pool: pg.Pool): Promise<Finding[]> {
  const judged: Awaited<ReturnType<typeof judgeTeam>>[] = [];
  for (const team of teams) judged.push(await judgeTeam(team, pool));
  const sum = (name: keyof (typeof judged)[number]) => judged.reduce((total, one) => total + one[name], 0);
  const count = async (statement: string) => Number((await pool.query(`select ${statement} as n`)).rows[0]?.n);
  return [
    { what: "events that were recorded", measured: await count("(select count(*) from webhook_events)"), least: 1 },
    { what: "acknowledged writes that are lost", measured: sum("lost"), exactly: 0 },
    {
      what: "review states that do not follow from the reviews, and gaps between versions",
      measured: sum("wrong"),
      exactly: 0,
    },
    { what: "events of acknowledged writes that are missing", measured: sum("missing"), exactly: 0 },
    {
      what: "events that nothing acknowledged caused, or that were recorded twice",
      measured: sum("extra"),
      exactly: 0,
    },
    {
      what: "events without exactly one delivery to each webhook",
      measured: await count(
        `(select count(*) from (select event_id, webhook_id from webhook_deliveries group by 1, 2 having count(*) <> 1) as twice)
         + (select count(*) from webhook_events e where not exists (select from webhook_deliveries d where d.event_id = e.id))`,
      ),
      exactly: 0,
    },
    {
      what: "deliveries that did not arrive",
      measured: await count("(select count(*) from webhook_deliveries where status <> 'delivered')"),
      exactly: 0,
    },
    {
      what: "jobs that are left or have failed",
      measured: await count("(select count(*) from job_leases where last_error is not null)"),
      exactly: 0,
    },
    {
      what: "deadlocks that PostgreSQL resolved",
      measured: await count("(select sum(deadlocks) from pg_stat_database)"),
    },
  ];
}
