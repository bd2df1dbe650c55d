import fc from "fast-check";
import { expect, test } from "vitest";
import { verdicts } from "../../../contract/endpoints/reviews.ts";
import { type Json, start } from "../../../tests/harness.ts";
import { type Explanation, explainByOrder } from "../../../tests/support/some-order.ts";
import { apply, isStale, levelsOf, type Model, type Request, summaryOf } from "./testing/model.ts";
import { createScene } from "./testing/scene.ts";

const app = await start();
const scene = createScene(app);
/** The owner, an editor, a viewer, and a user without a share. */
const people = [await app.signUp(), await app.signUp(), await app.signUp(), await app.signUp()];
for (const person of people) await scene.listen(person);

const NO_REVIEW = `rev_${"0".repeat(26)}`;
const person = fc.nat(people.length - 1);
const bit = fc.nat(1);
/** Seldom the owner of the beginning, who is asked only after a transfer. */
const reviewer = fc.constantFrom(1, 2, 3, 1, 2, 3, 0);

/** Stands for the current owner of the estimation: others may do little. */
const OWNER = -1;
const by = fc.oneof({ weight: 4, arbitrary: fc.constant(OWNER) }, { weight: 1, arbitrary: person });

/** A request before ids are known: `of` is the person whose review it is about, the latest one or the one before. */
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("title" as const), by, value: bit }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("select" as const), by, value: bit }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("ask" as const), by, whom: person }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant("decide" as const),
      of: reviewer,
      // Mostly the reviewer.
      other: fc.option(person, { nil: null, freq: 5 }),
      verdict: fc.constantFrom(...verdicts),
      // The version that the reviewer names: none, the one that the review is about, or one from before.
      named: fc.constantFrom("none", "pinned", "former"),
      isFormer: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("withdraw" as const), by, of: person, isFormer: fc.boolean() }),
  },
  {
    weight: 2,
    // Mostly to a user who may get it.
    arbitrary: fc.record({ kind: fc.constant("transfer" as const), by, to: fc.oneof(fc.nat(1), person) }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** So that reviews are about different versions from the beginning, and a verdict names one that is pinned no more. */
const BEGINNING: readonly (readonly Step[])[] = [
  [
    { kind: "ask", by: OWNER, whom: 1 },
    { kind: "ask", by: OWNER, whom: 3 },
  ],
  [{ kind: "title", by: OWNER, value: 1 }],
  [{ kind: "ask", by: OWNER, whom: 1 }],
  [{ kind: "decide", of: 1, other: null, verdict: "approved", named: "former", isFormer: false }],
];

/** One request, or some at the same time. */
const steps = fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { minLength: 6, maxLength: 14 });

test("any edits, requests, verdicts, withdrawals and transfers by several people, some at the same time, lead to the state of the model", async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (rounds) => {
      // For the limit of requests a minute.
      await app.clock.advance(60_000);
      const estimation = await scene.createEstimation(at(0), titles[0]);
      const options = await optionsOf(estimation);
      await scene.share(at(0), estimation, at(1), "edit");
      await scene.share(at(0), estimation, at(2), "view");
      let model: Model = {
        owner: 0,
        shared: new Map([
          [1, "editor"],
          [2, "viewer"],
        ]),
        content: { title: 0, selected: 0 },
        versions: [],
        reviews: new Map(),
        told: { submitted: 0, approved: 0, changes_requested: 0 },
      };
      for (const round of [...BEGINNING, ...rounds]) {
        const requests = round.map((one) => requestOf(one, model));
        const versionIds = await versionsOf(estimation);
        const statuses = await Promise.all(requests.map((one) => send(estimation, options, versionIds, one)));
        const actual = { statuses, state: await stateOf(estimation, options) };
        model = await withIds(explainByOrder({ before: model, requests, apply, shown, actual }), estimation);
      }
    }),
    // Without making a failure smaller: that would run into the limit of requests a minute.
    { numRuns: 12, endOnFailure: true },
  );
});

const titles = ["Checkout", "Checkout, second stage"];
const listed = (rows: Json | undefined) => (rows ?? []) as unknown as Json[];
const at = (n: number) => people[n] ?? expect.fail(`there is no person ${n}`);
const numberOf = (userId: string) => people.findIndex((one) => one.userId === userId);

function requestOf(one: Step, model: Model): Request {
  const by = "by" in one ? (one.by === OWNER ? model.owner : one.by) : (one.other ?? one.of);
  if (one.kind === "ask" || one.kind === "transfer") return { ...one, by };
  if (one.kind === "title") return { kind: "edit", by, to: { title: one.value } };
  if (one.kind === "select") return { kind: "edit", by, to: { selected: one.value } };
  const theirs = [...model.reviews].filter(([, review]) => review.person === one.of).sort();
  const [id = NO_REVIEW, review] = theirs.at(one.isFormer ? -2 : -1) ?? theirs.at(-1) ?? [];
  if (one.kind === "withdraw") return { kind: "withdraw", by, review: id };
  return {
    kind: "decide",
    by,
    review: id,
    verdict: one.verdict,
    version:
      one.named === "none" || !review ? null : one.named === "pinned" ? review.version : formerOf(review.version),
  };
}

const formerOf = (version: number) => Math.max(1, version - 1);

async function send(
  estimation: string,
  options: readonly string[],
  versionIds: readonly string[],
  request: Request,
): Promise<number> {
  const by = at(request.by);
  const path = scene.pathOf(estimation);
  const sent = () => {
    if (request.kind === "edit") {
      const { title, selected } = request.to;
      return title === undefined
        ? scene.send(by, "POST", `${path}/tree/options/${options[selected ?? 0]}/select`)
        : scene.send(by, "PUT", path, { title: titles[title] });
    }
    if (request.kind === "ask") return scene.request(by, estimation, { reviewerEmail: at(request.whom).email });
    if (request.kind === "transfer")
      return scene.send(by, "POST", `${path}/transfer`, { userId: at(request.to).userId });
    if (request.kind === "withdraw") return scene.withdraw(by, estimation, request.review);
    const body = request.version === null ? {} : { versionId: versionIds[request.version - 1] };
    const decide = request.verdict === "approved" ? scene.approve : scene.requestChanges;
    return decide(by, estimation, request.review, body);
  };
  return (await sent()).status;
}

const sorted = (rows: readonly (readonly unknown[])[]) => rows.map((row) => JSON.stringify(row)).sort();

/** What the responses and the database have to say. */
const shown = ({ statuses, model }: Explanation<Model>) => ({
  statuses,
  state: {
    owner: model.owner,
    ...summaryOf(model),
    content: model.content,
    versions: model.versions,
    readers: sorted([...levelsOf(model)]),
    reviews: sorted(
      [...model.reviews.values()].map((one) => [one.person, one.status, one.version, isStale(model, one)]),
    ),
    inboxes: sorted(
      [...model.reviews.values()]
        .filter(({ status }) => status !== "withdrawn")
        .map((one) => [one.person, one.status, isStale(model, one)]),
    ),
    told: model.told,
  },
});

async function stateOf(estimation: string, options: readonly string[]) {
  const query = async (text: string) => (await app.pool.query(text, [estimation])).rows;
  const readers = await query("select user_id, level from estimation_readers where estimation_id = $1");
  const [{ owner_id }] = (await query("select owner_id from estimations where id = $1")) as [{ owner_id: string }];
  const owner = numberOf(owner_id);
  const path = scene.pathOf(estimation);
  const { title, reviewState, reviewStale } = await scene.read(at(owner), estimation);
  const { tree } = await scene.succeed(scene.send(at(owner), "GET", `${path}/tree`));
  const contentOf = (of: { title: unknown; tree: Json }) => ({
    title: titles.indexOf(String(of.title)),
    selected: options.findIndex((id) =>
      listed(of.tree.nodes?.[0]?.options).some((one) => `${one.id}` === id && `${one.selected}` === "true"),
    ),
  });
  const snapshots = await query(
    `select s.snapshot from versions v join version_snapshots s using (estimation_id, content_hash)
     where estimation_id = $1 order by v.number`,
  );
  const told = await scene.toldOf(estimation);
  const count = (name: string) => told.filter((one) => one.name === `estimation.${name}`).length;
  const { reviews } = await scene.succeed(scene.send(at(owner), "GET", `${path}/reviews`));
  const all = listed(reviews);
  const inboxes = await Promise.all(
    people.map(async (one, n) => {
      const inbox = await scene.succeed(scene.send(one, "GET", "/api/reviews?role=reviewer&limit=100"));
      const ofThis = listed(inbox.reviews).filter((row) => String(row.estimationId) === estimation);
      return ofThis.map((row) => [n, row.status, row.stale]);
    }),
  );
  return {
    owner,
    reviewState,
    reviewStale,
    content: contentOf({ title, tree: tree as Json }),
    versions: snapshots.map(({ snapshot }) => contentOf(snapshot)),
    readers: sorted(readers.map((row) => [numberOf(row.user_id), row.level])),
    reviews: sorted(all.map((row) => [numberOf(String(row.reviewer?.id)), row.status, row.version?.number, row.stale])),
    inboxes: sorted(inboxes.flat()),
    told: {
      submitted: count("submitted"),
      approved: count("approved"),
      changes_requested: count("changes_requested"),
    },
  };
}

async function optionsOf(estimation: string): Promise<string[]> {
  const { tree } = await scene.succeed(scene.send(at(0), "GET", `${scene.pathOf(estimation)}/tree`));
  return listed(tree?.nodes?.[0]?.options).map(({ id }) => String(id));
}

async function versionsOf(estimation: string): Promise<string[]> {
  const { rows } = await app.pool.query<{ id: string }>(
    "select id from versions where estimation_id = $1 order by number",
    [estimation],
  );
  return rows.map(({ id }) => id);
}

/** The model with the ids of the reviews that were made since: of each person at most one, the newest. */
async function withIds(model: Model, estimation: string): Promise<Model> {
  const { rows } = await app.pool.query<{ id: string; reviewer_id: string }>(
    "select id, reviewer_id from reviews where estimation_id = $1 order by id",
    [estimation],
  );
  const known = [...model.reviews].filter(([id]) => id.startsWith("rev_"));
  const made = [...model.reviews].filter(([id]) => !id.startsWith("rev_"));
  const unknown = rows.filter(({ id }) => !model.reviews.has(id));
  const named = made.map(([, review]) => {
    const row = unknown.splice(
      unknown.findIndex(({ reviewer_id }) => numberOf(reviewer_id) === review.person),
      1,
    )[0];
    return [row?.id ?? "", review] as const;
  });
  return { ...model, reviews: new Map([...known, ...named]) };
}
