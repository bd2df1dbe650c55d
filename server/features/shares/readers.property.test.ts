import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { limits } from "../../../contract/limits.ts";
import { sharePermissions } from "../../../contract/values/share-permissions.ts";
import { start, type TestUser } from "../../../tests/harness.ts";
import { type Explanation, explainByOrder } from "../../../tests/support/some-order.ts";
import { makeMailedToken } from "../auth/mailed-tokens.ts";
import { apply, levelsOf, type Model, type Request, toldTo } from "./testing/model.ts";
import { createScene } from "./testing/scene.ts";

// With a mail server, only proved addresses count as verified.
const app = await start({ config: { invitationsPerHour: 1_000_000, smtpUrl: "smtp://127.0.0.1:1" } });
const scene = createScene(app);
const people = [await app.signUp(), await app.signUp(), await app.signUp(), await app.signUp()];
for (const person of people) {
  await scene.listen(person);
  await scene.verify(person);
}
/** The person whose address is not proved at first. */
const NEWCOMER = people.length - 1;

const ESTIMATIONS = 2;
const NO_SHARE = `shr_${"0".repeat(26)}`;
const person = fc.nat(people.length - 1);
const on = fc.nat(ESTIMATIONS - 1);

/** Stands for the current owner of the estimation: others may do little. */
const OWNER = -1;
const by = fc.oneof({ weight: 3, arbitrary: fc.constant(OWNER) }, { weight: 1, arbitrary: person });

/** A request before ids are known: `of` is the person whose share it is about. */
const step = fc.oneof(
  fc.record({
    kind: fc.constant("share" as const),
    by,
    on,
    with: person,
    permission: fc.constantFrom(...sharePermissions),
  }),
  fc.record({ kind: fc.constant("remove" as const), by, on, of: person }),
  // Half of them of one's own share: that of others is never found.
  fc.record({ kind: fc.constant("accept" as const), by: person, on, of: person }),
  person.chain((of) =>
    fc.record({ kind: fc.constant("accept" as const), by: fc.constant(of), on, of: fc.constant(of) }),
  ),
  fc.record({ kind: fc.constant("resend" as const), by, on, of: person }),
  fc.record({ kind: fc.constant("transfer" as const), by, on, to: person }),
  fc.record({ kind: fc.constantFrom("delete" as const, "restore" as const, "restore" as const), by, on }),
  fc.record({ kind: fc.constant("expire" as const), by: fc.constant(0), on }),
  fc.record({ kind: fc.constant("sign in" as const), by: person }),
  fc.record({ kind: fc.constantFrom("sign in" as const, "prove" as const), by: fc.constant(NEWCOMER) }),
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** One request, or some at the same time. */
const steps = fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { minLength: 5, maxLength: 12 });

test("any requests of several people, some at the same time, lead to the readers of the model, with one event each", async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (rounds) => {
      const estimations = [await scene.createEstimation(at(0)), await scene.createEstimation(at(1))];
      await app.pool.query("update users set email_verified_at = null where id = $1", [at(NEWCOMER).userId]);
      let model: Model = {
        estimations: estimations.map((_, owner) => ({ owner, shares: new Map(), isDeleted: false, told: [] })),
        unproved: new Set([NEWCOMER]),
      };
      for (const round of rounds) {
        // A second link to prove the address would make the first one useless.
        const sent = round.filter((one, n) => one.kind !== "prove" || round.findIndex(isProof) === n);
        const requests = sent.map((one) => requestOf(one, model));
        const statuses = await Promise.all(requests.map((request) => send(estimations, request)));
        const actual = { statuses, state: await Promise.all(estimations.map(stateOf)) };
        model = await withIds(explainByOrder({ before: model, requests, apply, shown, actual }), estimations);
      }
    }),
    { numRuns: 15 },
  );
});

const isProof = ({ kind }: Step) => kind === "prove";
const at = (n: number) => people[n] ?? expect.fail(`there is no person ${n}`);
const numberOf = (userId: string) => people.findIndex((one) => one.userId === userId);

function requestOf(one: Step, model: Model): Request {
  const { estimations } = model;
  const by = one.by === OWNER && "on" in one ? (estimations[one.on]?.owner ?? 0) : one.by;
  if (!("of" in one)) return { ...one, by };
  const share = estimations[one.on]?.shares.get(one.of)?.id ?? NO_SHARE;
  return { kind: one.kind, by, on: one.on, share };
}

async function send(estimations: readonly string[], request: Request): Promise<number> {
  const by = at(request.by);
  const estimation = "on" in request ? (estimations[request.on] ?? "") : "";
  const response = await {
    share: () => request.kind === "share" && scene.invite(by, estimation, at(request.with).email, request.permission),
    accept: () => "share" in request && scene.accept(by, request.share),
    remove: () => "share" in request && scene.remove(by, request.share),
    resend: () => "share" in request && scene.resend(by, estimation, request.share),
    delete: () => app.request("DELETE", `/api/estimations/${estimation}`, { token: by.token }),
    restore: () => app.request("POST", `/api/estimations/${estimation}/restore-deleted`, { token: by.token }),
    expire: () => expire(estimation),
    prove: () => prove(by),
    transfer: () => request.kind === "transfer" && scene.transfer(by, estimation, at(request.to).userId),
    "sign in": () => scene.signIn(by),
  }[request.kind]();
  return response ? response.status : 0;
}

/** Sends the invitations to an estimation 31 days into the past, in one step as the rule has it. */
async function expire(estimation: string) {
  const client = await app.pool.connect();
  try {
    await client.query("begin");
    await client.query("select from estimations where id = $1 for update", [estimation]);
    await client.query(
      `update shares set sent_at = sent_at - interval '31 days', mailed_at = '{}' where estimation_id = $1 and user_id is null`,
      [estimation],
    );
    await client.query("commit");
  } finally {
    client.release();
  }
  return { status: 200 };
}

/** Confirms the address by the mailed link. */
async function prove({ userId }: TestUser) {
  const about = { userId, purpose: "verify-email", cause: randomUUID() } as const;
  const token = await makeMailedToken(app.services.pool, await app.services.linkKeys.account(), about, app.clock.now());
  return app.request("POST", "/api/auth/verify-email", { body: { token } });
}

/** What is compared: readers and shares by the numbers of people, and the events with their receivers. */
const shown = ({ statuses, model }: Explanation<Model>) => ({
  statuses,
  state: model.estimations.map((one) => ({
    owner: one.owner,
    readers: [...levelsOf(one)].sort(byPerson),
    shares: [...one.shares].map(([n, share]) => [n, share.permission, ...invitationOf(share)]).sort(byPerson),
    told: [...one.told].sort(),
  })),
});

/** What decides later about an invitation: with it, only one order of simultaneous requests explains what happened. */
const invitationOf = (share: { isAccepted: boolean; isExpired: boolean; mails: number }) =>
  share.isAccepted ? ["accepted"] : [share.isExpired ? "expired" : "open", share.mails];

const byPerson = (a: readonly unknown[], b: readonly unknown[]) => Number(a[0]) - Number(b[0]);

async function stateOf(estimation: string) {
  const query = async (text: string) => (await app.pool.query(text, [estimation])).rows;
  const [{ owner_id, is_deleted }] = (await query(
    "select owner_id, deleted_at is not null as is_deleted from estimations where id = $1",
  )) as [{ owner_id: string; is_deleted: boolean }];
  const readers = await query("select user_id, level from estimation_readers where estimation_id = $1");
  const listed = await query(
    "select holder_id as user_id, level from estimation_listings where estimation_id = $1 and tag = ''",
  );
  const numbered = (rows: typeof readers) => rows.map((row) => [numberOf(row.user_id), row.level]).sort(byPerson);
  // A deleted estimation is listed to its owner only, as one that can be restored.
  const isListed = ([, level]: readonly unknown[]) => !is_deleted || level === "owner";
  expect(numbered(listed)).toEqual(numbered(readers).filter(isListed));
  const told = await scene.toldOf(estimation);
  const events = (name: string) => told.filter((one) => one.name === name);
  for (const name of ["share.invited", "share.accepted"]) {
    const shares = events(name).map(({ data }) => data.shareId);
    expect(new Set(shares).size, `one ${name} for each share`).toBe(shares.length);
  }
  return {
    owner: numberOf(owner_id),
    readers: numbered(readers),
    shares: (await sharesOf(estimation))
      .map((share) => [share.n, share.permission, ...invitationOf(share)])
      .sort(byPerson),
    told: told.map(({ name, receivers }) => toldTo(name, receivers.map(numberOf))).sort(),
  };
}

async function sharesOf(estimation: string) {
  const { rows } = await app.pool.query(
    "select id, email, permission, accepted_at, sent_at, cardinality(mailed_at) as mails from shares where estimation_id = $1",
    [estimation],
  );
  const oldest = app.clock.now().getTime() - limits.invitationDays * 86_400_000;
  return rows.map(({ email, accepted_at, sent_at, ...row }) => ({
    ...row,
    n: people.findIndex((person) => person.email === email),
    isAccepted: accepted_at !== null,
    isExpired: sent_at.getTime() < oldest,
  }));
}

/** The model with the ids of the shares that were made since. */
async function withIds(model: Model, estimations: readonly string[]): Promise<Model> {
  const known = await Promise.all(
    model.estimations.map(async (one, n) => {
      const ids = new Map((await sharesOf(estimations[n] ?? "")).map(({ n: who, id }) => [who, id]));
      const shares = [...one.shares].map(([who, share]) => [who, { ...share, id: ids.get(who) ?? null }] as const);
      return { ...one, shares: new Map(shares) };
    }),
  );
  return { ...model, estimations: known };
}
