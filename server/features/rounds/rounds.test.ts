import { describe, expect, it } from "vitest";
import { limits } from "../../../contract/limits.ts";
import { type Json, start } from "../../../tests/harness.ts";
import { changesNothing } from "../../../tests/support/dump.ts";
import { ADOPTED_KEPT } from "./adopted-store.ts";
import { createScene, points } from "./testing/scene.ts";

const app = await start();
const scene = createScene(app);
const { send, succeed } = scene;
const DAY_MS = 86_400_000;
const inMs = (ms: number) => new Date(app.clock.now().getTime() + ms).toISOString();
const faultsOf = ({ body }: { body: Json }) =>
  (body.errors as unknown as { path: string; code: string }[]).map(({ path, code }) => [path, code]);

describe("opening a round", () => {
  it("pins the content, asks people, and lets those read who could not: a share with the permission view", async () => {
    const made = await scene.make();
    const { owner, people, path, optionIds } = made;
    const editor = await app.signUp();
    await scene.share(made, editor, "edit");
    const participants = [people[0]?.userId, people[1]?.email, editor.userId];
    const { round } = await succeed(scene.ask(made, { title: "First guess", participants, deadline: inMs(DAY_MS) }));
    expect(round).toMatchObject({
      ...{ number: 1, title: "First guess", status: "open", anonymous: false, optionIds, answered: 0, you: null },
      ...{ deadline: inMs(DAY_MS), repeats: null, revealedAt: null, closedAt: null, openedBy: { id: owner.userId } },
      participants: [people[0], people[1], editor].map((user) => ({ user: { id: user?.userId }, email: null })),
      version: { number: 1 },
    });
    const { shares } = await succeed(send(owner, "GET", `${path}/shares`));
    const found = (shares as unknown as Json[]).map(({ email, permission, status }) => [email, permission, status]);
    expect(found).toContainEqual([people[0]?.email, "view", "accepted"]);
    expect(found).toContainEqual([people[1]?.email, "view", "accepted"]);
    expect(found).toContainEqual([editor.email, "edit", "accepted"]);
    for (const person of people.slice(0, 2))
      expect((await succeed(send(person, "GET", path))).estimation).toMatchObject({ access: "viewer" });
    expect((await send(people[2] as never, "GET", path)).status).toBe(404);
    const { versions } = await succeed(send(owner, "GET", `${path}/versions`));
    expect(versions?.[0]).toMatchObject({ cause: "round", number: 1 });
  });

  it("invites an address that nobody has yet, and counts whoever accepts", async () => {
    const made = await scene.make(1);
    const email = `later-${made.id.slice(4, 12)}@example.com`;
    const { round } = await succeed(scene.ask(made, { participants: [made.owner.userId, email] }));
    expect(round?.participants).toMatchObject([{ user: { id: made.owner.userId } }, { user: null, email }]);
    const path = `${made.path}/rounds/${round?.id}`;
    const later = await app.signUp(email);
    expect(await scene.read(later, path)).toMatchObject({
      participants: [{ user: { id: made.owner.userId } }, { user: { id: later.userId }, email: null }],
      you: { answered: 0, remaining: 2 },
    });
    expect((await succeed(send(later, "GET", "/api/rounds"))).rounds).toMatchObject([{ id: round?.id }]);
    await succeed(send(later, "POST", `${path}/skip`, { optionIds: made.optionIds }));
    expect(await scene.read(later, path)).toMatchObject({ answered: 1, you: { answered: 2, remaining: 0 } });
    expect((await succeed(send(later, "GET", "/api/rounds"))).rounds).toEqual([]);
  });

  it("is of whoever accepted the invitation, whatever that person's address is later", async () => {
    const made = await scene.make(1);
    const email = `former-${made.id.slice(4, 12)}@example.com`;
    const round = await scene.open(made, { participants: [made.people[0]?.userId, email] });
    const person = await app.signUp(email);
    await app.pool.query("update users set email = $1 where id = $2", [`new-${email}`, person.userId]);
    expect((await succeed(send(person, "GET", "/api/rounds"))).rounds).toMatchObject([{ id: round.split("/").at(-1) }]);
    expect((await succeed(send(person, "GET", "/api/reviews/waiting"))).waiting).toMatchObject({ rounds: 1 });
    await succeed(send(person, "POST", `${round}/skip`, { optionIds: made.optionIds }));
    expect((await succeed(send(person, "GET", "/api/rounds"))).rounds).toEqual([]);
  });

  it("shows an invited address only to those who may edit", async () => {
    const made = await scene.make(1);
    const [viewer] = made.people;
    const participants = [viewer?.userId, "somebody@elsewhere.example"];
    const round = await scene.open(made, { participants });
    expect((await scene.read(made.owner, round)).participants?.[1]).toEqual({
      ...{ user: null, email: "somebody@elsewhere.example" },
    });
    expect((await scene.read(viewer as never, round)).participants?.[1]).toEqual({ user: null, email: null });
  });

  it("is about what makes the estimation uncertain, if nobody says what it is about", async () => {
    const made = await scene.make(2, 1);
    const options = [
      { title: "Sure", hours: 5 },
      { title: "Unsure", hours: points(1, 5, 60) },
    ];
    const nodes = [{ title: "All", kind: "group", options }];
    const { tree } = await succeed(send(made.owner, "PUT", `${made.path}/tree`, { nodes }));
    const unsure = String(tree?.nodes?.[0]?.options?.[1]?.id);
    const { round } = await succeed(scene.ask({ ...made, optionIds: [] }, { optionIds: undefined }));
    expect(round?.optionIds).toEqual([unsure]);
    await succeed(send(made.owner, "PUT", `${made.path}/tree`, { nodes: [] }));
    const refused = await scene.ask(made, { optionIds: undefined });
    expect([refused.status, faultsOf(refused)]).toEqual([400, [["/optionIds", "required"]]]);
  });

  it("refuses what does not exist, whoever is named twice, too few people, and a deadline that is not ahead", async () => {
    const made = await scene.make(2);
    const [first, second] = made.people.map(({ userId }) => userId);
    const faults = async (body: object) => {
      const refused = await scene.ask(made, body);
      return [refused.status, faultsOf(refused)];
    };
    expect(await faults({ participants: [first, "usr_unknown", "no address@"] })).toEqual([
      ...[
        400,
        [
          ["/participants/1", "unknown_reference"],
          ["/participants/2", "unknown_reference"],
        ],
      ],
    ]);
    expect(await faults({ participants: [first, made.people[0]?.email] })).toEqual([
      ...[400, [["/participants/1", "repeated"]]],
    ]);
    expect(await faults({ participants: [first] })).toEqual([400, [["/participants", "too_few"]]]);
    expect(await faults({ participants: [first, second], anonymous: true })).toEqual([
      ...[400, [["/participants", "too_few"]]],
    ]);
    expect(await faults({ optionIds: [made.optionIds[0], "opt_x"] })).toEqual([
      ...[400, [["/optionIds/1", "unknown_reference"]]],
    ]);
    for (const deadline of [inMs(0), inMs(limits.roundDays * DAY_MS + 1)])
      expect(await faults({ deadline })).toEqual([400, [["/deadline", "out_of_range"]]]);
    for (const deadline of [inMs(1), inMs(limits.roundDays * DAY_MS), null])
      expect((await scene.ask(made, { deadline })).status).toBe(201);
  });

  it("takes as many people and options as there may be, and no more", async () => {
    const made = await scene.make(0, limits.roundOptions + 1);
    const addresses = (count: number) =>
      Array.from({ length: count }, (_, at) => `p${at}@${made.id.slice(4, 9)}.example`);
    await app.pool.query("update users set email_verified_at = now() where id = $1", [made.owner.userId]);
    const body = (people: number, options: number) => ({
      ...{ participants: addresses(people), optionIds: made.optionIds.slice(0, options) },
    });
    const { roundParticipants: people, roundOptions: options } = limits;
    expect(faultsOf(await scene.ask(made, body(people + 1, 1)))).toEqual([["/participants", "too_many"]]);
    expect(faultsOf(await scene.ask(made, body(2, options + 1)))).toEqual([["/optionIds", "too_many"]]);
    expect((await scene.ask(made, body(2, options))).status).toBe(201);
    const users = await scene.make(people, 1);
    expect((await scene.ask(users)).status).toBe(201);
  });

  it("is for owner and editors", async () => {
    const made = await scene.make(2);
    const [editor, viewer] = [await app.signUp(), await app.signUp()];
    await scene.share(made, editor, "edit");
    await scene.share(made, viewer, "view");
    expect((await scene.ask(made, {}, viewer)).status).toBe(403);
    expect((await scene.ask(made, {}, await app.signUp())).status).toBe(404);
    expect((await scene.ask(made, {}, editor)).status).toBe(201);
  });

  it("lists the rounds of an estimation, newest first", async () => {
    const made = await scene.make(2);
    const opened = [await scene.open(made), await scene.open(made), await scene.open(made)];
    const { rounds, nextCursor } = await succeed(send(made.owner, "GET", `${made.path}/rounds?limit=2`));
    const more = await succeed(send(made.owner, "GET", `${made.path}/rounds?limit=2&cursor=${nextCursor}`));
    const ids = [...(rounds as unknown as Json[]), ...(more.rounds as unknown as Json[])].map(({ id }) => String(id));
    expect(ids).toEqual(opened.map((path) => path.split("/").at(-1)).reverse());
  });
});

describe("estimating", () => {
  it("stores one estimate or many, each in the place of an earlier one, and says what is left", async () => {
    const made = await scene.make(2, 3);
    const [person] = made.people as [never];
    const [first, second, third] = made.optionIds;
    const round = await scene.open(made);
    const you = async (response: ReturnType<typeof send>) => (await succeed(response)).you;
    expect(await you(scene.estimate(person, round, first, points(4, 16, 34), "as last time"))).toEqual({
      ...{ answered: 1, remaining: 2 },
    });
    const estimates = [
      { optionId: first, ...points(5, 6, 7) },
      { optionId: second, ...points(1) },
    ];
    expect(await you(send(person, "POST", `${round}/estimates`, { estimates }))).toEqual({ answered: 2, remaining: 1 });
    expect(await you(send(person, "POST", `${round}/skip`, { optionId: third }))).toEqual({
      answered: 3,
      remaining: 0,
    });
    expect(await you(send(person, "POST", `${round}/skip`, { optionIds: [second] }))).toEqual({
      answered: 3,
      remaining: 0,
    });
    expect((await scene.options(person, round)).map(({ yours }) => yours)).toEqual([
      { hours: points(5, 6, 7), note: null },
      { hours: null, note: null },
      { hours: null, note: null },
    ]);
  });

  it("is for those who are asked, and needs points in order of options of the round", async () => {
    const made = await scene.make(3);
    const [person, other, stranger] = made.people as [never, never, never];
    const participants = made.people.slice(0, 2).map(({ userId }) => userId);
    const round = await scene.open(made, { optionIds: made.optionIds.slice(0, 1), participants });
    const [first, second] = made.optionIds;
    const asked = (hours: object, optionId: unknown = first) =>
      send(person, "POST", `${round}/estimates`, { optionId, ...hours });
    expect((await scene.estimate(stranger, round, first, points(1))).status).toBe(404);
    expect((await scene.estimate(made.owner, round, first, points(1))).status).toBe(403);
    expect((await scene.estimate(other, round, first, points(1))).status).toBe(200);
    const refused = async (response: ReturnType<typeof send>) => {
      const { status, body } = await response;
      return [status, faultsOf({ body })];
    };
    expect(await refused(asked(points(2, 1, 3)))).toEqual([400, [["/likely", "out_of_order"]]]);
    expect(await refused(asked(points(1, 3, 2)))).toEqual([400, [["/pessimistic", "out_of_order"]]]);
    expect(await refused(asked(points(1), second))).toEqual([400, [["/optionId", "unknown_reference"]]]);
    expect(await refused(asked({}))).toEqual([
      ...[
        400,
        [
          ["/optimistic", "required"],
          ["/likely", "required"],
          ["/pessimistic", "required"],
        ],
      ],
    ]);
    const one = { optionId: first, ...points(1) };
    expect(await refused(send(person, "POST", `${round}/estimates`, { estimates: [one, one] }))).toEqual([
      ...[400, [["/estimates/1/optionId", "repeated"]]],
    ]);
    expect((await refused(send(person, "POST", `${round}/estimates`, { ...one, estimates: [one] })))[0]).toBe(400);
    expect(await refused(send(person, "POST", `${round}/skip`, {}))).toEqual([400, [["/optionId", "required"]]]);
    expect(await refused(asked({ ...points(1), note: "x".repeat(limits.roundNoteLength + 1) }))).toEqual([
      ...[400, [["/note", "too_long"]]],
    ]);
    expect((await asked({ ...points(1), note: "x".repeat(limits.roundNoteLength) })).status).toBe(200);
  });

  it("takes notes of so many bytes of one person, and not one more", async () => {
    const full = Math.floor(limits.roundNotesBytes / limits.roundNoteLength);
    const rest = limits.roundNotesBytes - full * limits.roundNoteLength;
    const made = await scene.make(2, full + 2);
    const [person] = made.people as [never];
    const round = await scene.open(made);
    const lengths = [...Array.from({ length: full }, () => limits.roundNoteLength), rest];
    const estimates = lengths.map((length, at) => ({
      ...{ optionId: made.optionIds[at], ...points(1), note: "x".repeat(length) },
    }));
    await succeed(send(person, "POST", `${round}/estimates`, { estimates }));
    const last = made.optionIds.at(-1);
    const refused = await scene.estimate(person, round, last, points(1), "x");
    expect([refused.status, refused.body.details]).toEqual([
      ...[409, { quota: "roundNotesBytes", limit: limits.roundNotesBytes }],
    ]);
    expect((await scene.estimate(person, round, last, points(1))).status).toBe(200);
  });

  it("is possible in any state of the estimation, and leaves it as it is", async () => {
    const made = await scene.make(2);
    const round = await scene.open(made);
    await succeed(send(made.owner, "POST", `${made.path}/submit`));
    const before = await succeed(send(made.owner, "GET", made.path));
    await app.clock.advance(60_000);
    await scene.estimateAll(made, round);
    expect(await succeed(send(made.owner, "GET", made.path))).toEqual(before);
  });

  it("ends with the access of a participant, who does not find the round any more", async () => {
    const made = await scene.make(2);
    const [person] = made.people as [never];
    const round = await scene.open(made);
    const { shares } = await succeed(send(made.owner, "GET", `${made.path}/shares`));
    for (const { id } of shares as unknown as Json[]) await succeed(send(made.owner, "DELETE", `/api/shares/${id}`));
    expect((await send(person, "GET", round)).status).toBe(404);
    expect((await scene.estimate(person, round, made.optionIds[0], points(1))).status).toBe(404);
    expect((await succeed(send(person, "GET", "/api/rounds"))).rounds).toEqual([]);
    expect((await succeed(send(person, "GET", "/api/reviews/waiting"))).waiting).toMatchObject({ rounds: 0 });
  });

  it("is counted among what waits for somebody until all is answered", async () => {
    const made = await scene.make(2);
    const [person] = made.people as [never];
    const round = await scene.open(made);
    const waiting = async () => (await succeed(send(person, "GET", "/api/reviews/waiting"))).waiting?.rounds;
    expect(await waiting()).toBe(1);
    await succeed(send(person, "POST", `${round}/skip`, { optionIds: made.optionIds }));
    expect(await waiting()).toBe(0);
  });
});

describe("revealing", () => {
  it("shows all ranges with what they agree on, and freezes them", async () => {
    const made = await scene.make(3, 2);
    const { owner, people, optionIds } = made;
    const round = await scene.open(made);
    const [a, b, c] = people as [never, never, never];
    await succeed(scene.estimate(a, round, optionIds[0], points(1, 2, 4), "small"));
    await succeed(scene.estimate(b, round, optionIds[0], points(10, 12, 20)));
    await succeed(send(c, "POST", `${round}/skip`, { optionId: optionIds[0] }));
    for (const person of [a, b, c]) await succeed(scene.estimate(person, round, optionIds[1], points(3, 4, 6)));
    const { round: shown } = await succeed(scene.reveal(owner, round));
    expect(shown).toMatchObject({ status: "revealed", answered: 3, revealedAt: inMs(0), you: null });
    const [first, second] = await scene.options(c, round);
    expect(first).toMatchObject({
      ...{ optionId: optionIds[0], title: "Option 1", path: ["Payment"], hours: points(2, 4, 9), yours: null },
      result: { people: 2, skipped: 1, tooFew: false, agreement: 0, disagrees: true },
    });
    const estimates = scene.estimatesOf(first);
    expect(estimates.map(({ note }) => note).sort()).toEqual([null, "small"].sort());
    expect(estimates.map(({ person }) => String(person?.id)).sort()).toEqual(
      people
        .slice(0, 2)
        .map(({ userId }) => userId)
        .sort(),
    );
    expect(estimates.every(({ isOutlier }) => Boolean(isOutlier))).toBe(true);
    expect(second).toMatchObject({
      yours: { hours: points(3, 4, 6) },
      result: { people: 3, agreement: 1, disagrees: false, pool: { hours: points(3, 4, 6) }, median: points(3, 4, 6) },
    });
    for (const response of [
      await scene.estimate(a, round, optionIds[0], points(5)),
      await send(a, "POST", `${round}/skip`, { optionId: optionIds[0] }),
    ])
      expect([response.status, response.body.message, response.body.details]).toEqual([
        ...[409, "round_not_open", { status: "revealed" }],
      ]);
    await changesNothing(app, async () => void (await succeed(scene.reveal(owner, round))));
  });

  it("needs two people who have answered, in an anonymous round three", async () => {
    for (const [anonymous, needed] of [
      [false, 2],
      [true, 3],
    ] as const) {
      const made = await scene.make(4, 1);
      const round = await scene.open(made, { anonymous });
      for (const [at, person] of made.people.slice(0, needed).entries()) {
        const { status, body } = await scene.reveal(made.owner, round);
        expect([status, body.message, body.details]).toEqual([409, "round_too_few", { answered: at, needed }]);
        await succeed(scene.estimate(person, round, made.optionIds[0], points(1)));
      }
      expect((await scene.reveal(made.owner, round)).status).toBe(200);
    }
  });

  it("waits for whoever does it, if that person is asked too", async () => {
    const made = await scene.make(2, 2);
    const participants = [made.owner.userId, ...made.people.map(({ userId }) => userId)];
    const round = await scene.open(made, { participants });
    await scene.estimateAll(made, round);
    await succeed(scene.estimate(made.owner, round, made.optionIds[0], points(1)));
    const { status, body } = await scene.reveal(made.owner, round);
    expect([status, body.message, body.details]).toEqual([409, "round_answer_missing", { remaining: 1 }]);
    await succeed(send(made.owner, "POST", `${round}/skip`, { optionId: made.optionIds[1] }));
    expect((await scene.reveal(made.owner, round)).status).toBe(200);
  });

  it("is for owner and editors", async () => {
    const made = await scene.make(2, 1);
    const round = await scene.open(made);
    await scene.estimateAll(made, round);
    expect((await scene.reveal(made.people[0] as never, round)).status).toBe(403);
    const editor = await app.signUp();
    await scene.share(made, editor, "edit");
    expect((await scene.reveal(editor, round)).status).toBe(200);
  });
});

describe("estimating again", () => {
  it("opens a round of what people disagree about, for the same people, about the content as it is", async () => {
    const made = await scene.make(2, 3);
    const [a, b] = made.people as [never, never];
    const [first, second, third] = made.optionIds;
    const round = await scene.open(made, { title: "Guess" });
    for (const [optionId, hours] of [
      [first, 100],
      [second, 1],
      [third, 200],
    ] as const) {
      await succeed(scene.estimate(a, round, optionId, points(1)));
      await succeed(scene.estimate(b, round, optionId, points(hours)));
    }
    await succeed(scene.reveal(made.owner, round));
    await succeed(send(made.owner, "DELETE", `${made.path}/tree/options/${third}`));
    const { round: again } = await succeed(send(made.owner, "POST", `${round}/again`));
    expect(again).toMatchObject({
      ...{ number: 2, title: "Guess", status: "open", optionIds: [first], answered: 0 },
      ...{ repeats: { number: 1 }, version: { number: 2 } },
      participants: made.people.map(({ userId }) => ({ user: { id: userId } })),
    });
    const named = await succeed(send(made.owner, "POST", `${round}/again`, { title: null, optionIds: [second] }));
    expect(named.round).toMatchObject({ title: null, optionIds: [second] });
    expect((await send(made.owner, "POST", `${round}/again`, { optionIds: [third] })).status).toBe(400);
  });

  it("leaves out who may not read the estimation any more, and does not share it anew", async () => {
    const made = await scene.make(3, 1);
    const round = await scene.open(made);
    await scene.estimateAll(made, round, points(10, 10, 10));
    await succeed(scene.reveal(made.owner, round));
    const end = async (at: number) => {
      const { shares } = await succeed(send(made.owner, "GET", `${made.path}/shares`));
      const share = (shares as unknown as Json[]).find(({ email }) => String(email) === made.people[at]?.email);
      await succeed(send(made.owner, "DELETE", `/api/shares/${share?.id}`));
    };
    await end(0);
    const { round: again } = await succeed(send(made.owner, "POST", `${round}/again`));
    expect(again?.participants).toMatchObject(made.people.slice(1).map(({ userId }) => ({ user: { id: userId } })));
    expect((await send(made.people[0] as never, "GET", made.path)).status).toBe(404);
    await end(1);
    expect(faultsOf(await send(made.owner, "POST", `${round}/again`))).toEqual([["", "too_few"]]);
  });

  it("has nothing to repeat where people agree, or nothing was revealed", async () => {
    const made = await scene.make(2, 1);
    const round = await scene.open(made);
    expect((await send(made.owner, "POST", `${round}/again`)).body.message).toBe("round_not_revealed");
    for (const person of made.people) await succeed(scene.estimate(person, round, made.optionIds[0], points(1, 2, 3)));
    await succeed(scene.reveal(made.owner, round));
    expect((await send(made.owner, "POST", `${round}/again`)).body.message).toBe("round_agreed");
  });
});

describe("adopting", () => {
  const revealed = async (people = 2, options = 2) => {
    const made = await scene.make(people, options);
    const round = await scene.open(made);
    await scene.estimateAll(made, round);
    await succeed(scene.reveal(made.owner, round));
    const adopt = (body: object) => send(made.owner, "POST", `${round}/adopt`, body);
    const hoursOf = async (at: number) =>
      (await succeed(send(made.owner, "GET", `${made.path}/tree`))).tree?.nodes?.[0]?.options?.[at]?.hours;
    const origins = async () =>
      (await succeed(send(made.owner, "GET", `${made.path}/rounds/adopted`))).adopted as unknown as Json[];
    return { ...made, round, adopt, hoursOf, origins };
  };

  it("changes the hours in one change, and says where they are from", async () => {
    const { owner, path, round, optionIds, adopt, hoursOf, origins } = await revealed();
    const [first] = await scene.options(owner, round);
    const before = (await succeed(send(owner, "GET", path))).estimation;
    const response = await adopt({ optionId: optionIds[0], from: "pool" });
    const { adopted, hours } = await succeed(Promise.resolve(response));
    expect(adopted).toEqual([
      {
        ...{ optionId: optionIds[0], from: "pool", hours: first?.result?.pool?.hours, people: 2 },
        round: { id: round.split("/").at(-1), number: 1, title: null },
        agreement: first?.result?.agreement,
        person: { id: owner.userId, name: expect.any(String) },
        adoptedAt: inMs(0),
      },
    ]);
    expect(await hoursOf(0)).toEqual(first?.result?.pool?.hours);
    const after = (await succeed(send(owner, "GET", path))).estimation;
    expect(Number(after?.revision)).toBe(Number(before?.revision) + 1);
    expect(response.headers.get("etag")).toContain(String(after?.revision));
    expect(hours?.expected).toBeDefined();
    expect(await origins()).toEqual(adopted);
    const { activity } = await succeed(send(owner, "GET", `${path}/activity`));
    expect(activity?.[0]).toMatchObject({ kind: "round.adopted", subject: { roundId: round.split("/").at(-1) } });
    expect(Number(activity?.[0]?.hoursDelta)).not.toBe(0);
  });

  it("takes many options at once, each from the pool, the median or one estimate, as one change", async () => {
    const { owner, path, round, optionIds, adopt, hoursOf } = await revealed(3);
    const [, second] = await scene.options(owner, round);
    const estimate = scene.estimatesOf(second)[1];
    const before = (await succeed(send(owner, "GET", path))).estimation;
    const options = [
      { optionId: optionIds[1], from: estimate?.id },
      { optionId: optionIds[0], from: "median" },
    ];
    const { adopted } = await succeed(adopt({ options }));
    expect(adopted).toMatchObject([
      { optionId: optionIds[1], from: "estimate" },
      { optionId: optionIds[0], from: "median", hours: points(2, 4, 8) },
    ]);
    expect(await hoursOf(1)).toEqual({
      ...{ optimistic: estimate?.optimistic, likely: estimate?.likely, pessimistic: estimate?.pessimistic },
    });
    const after = (await succeed(send(owner, "GET", path))).estimation;
    expect(Number(after?.revision)).toBe(Number(before?.revision) + 1);
  });

  it("says it only while the option has the hours: they go with another change, and come back with them", async () => {
    const { owner, path, optionIds, adopt, origins } = await revealed();
    await succeed(adopt({ optionId: optionIds[0], from: "median" }));
    const change = (hours: object) => succeed(send(owner, "PATCH", `${path}/tree/options/${optionIds[0]}`, { hours }));
    const adopted = await origins();
    await change(points(2, 4, 9));
    expect(await origins()).toEqual([]);
    await change(adopted[0]?.hours as never);
    expect(await origins()).toEqual(adopted);
  });

  it("knows the origin again after undo, of the last hours of an option, and can be adopted anew", async () => {
    const { owner, path, round, optionIds, adopt, origins } = await revealed(3);
    const [optionId] = optionIds;
    const [first] = await scene.options(owner, round);
    // Not the one in the middle, which is the median too; which is the first is drawn.
    const [estimate] = scene.estimatesOf(first).toSorted((one, other) => Number(other.likely) - Number(one.likely));
    const { optimistic, likely, pessimistic } = estimate as unknown as ReturnType<typeof points>;
    const undo = (hours: unknown) => succeed(send(owner, "PATCH", `${path}/tree/options/${optionId}`, { hours }));
    await succeed(adopt({ optionId, from: estimate?.id }));
    await succeed(adopt({ optionId, from: "pool" }));
    await succeed(adopt({ optionId, from: "median" }));
    await undo(first?.result?.pool?.hours);
    expect(await origins()).toMatchObject([{ optionId, from: "pool" }]);
    for (let n = 3; n < ADOPTED_KEPT; n++) await succeed(adopt({ optionId, from: n % 2 ? "median" : "pool" }));
    await undo({ optimistic, likely, pessimistic });
    expect(await origins()).toMatchObject([{ optionId, from: "estimate" }]);
    await succeed(adopt({ optionId, from: "pool" }));
    await undo({ optimistic, likely, pessimistic });
    expect(await origins()).toEqual([]);
  });

  it("can be decided differently later, but not for an option that was changed or is gone: then for none", async () => {
    const { owner, path, optionIds, adopt, hoursOf } = await revealed();
    const [first, second] = optionIds;
    await succeed(adopt({ optionId: first, from: "median" }));
    await succeed(adopt({ optionId: first, from: "pool" }));
    await succeed(send(owner, "PATCH", `${path}/tree/options/${second}`, { hours: 7 }));
    const both = { options: [first, second].map((optionId) => ({ optionId, from: "median" })) };
    const before = await hoursOf(0);
    const { status, body } = await adopt(both);
    expect([status, body.message, body.details]).toEqual([
      ...[409, "round_option_changed", { optionId: second, reason: "changed" }],
    ]);
    expect(await hoursOf(0)).toEqual(before);
    await succeed(send(owner, "DELETE", `${path}/tree/options/${second}`));
    expect((await adopt(both)).body.details).toEqual({ optionId: second, reason: "gone" });
  });

  it("refuses what the round does not have, and estimations that are no draft", async () => {
    const { owner, path, optionIds, adopt, round } = await revealed();
    expect(faultsOf(await adopt({ optionId: "opt_x", from: "pool" }))).toEqual([["/optionId", "unknown_reference"]]);
    expect(faultsOf(await adopt({ optionId: optionIds[0], from: "mean" }))).toEqual([["/from", "unknown_reference"]]);
    const [first] = await scene.options(owner, round);
    const elsewhere = scene.estimatesOf(first)[0]?.id;
    expect(faultsOf(await adopt({ optionId: optionIds[1], from: elsewhere }))).toEqual([
      ["/from", "unknown_reference"],
    ]);
    const twice = { optionId: optionIds[0], from: "pool" };
    expect(faultsOf(await adopt({ options: [twice, twice] }))).toEqual([["/options/1/optionId", "repeated"]]);
    expect((await adopt({ ...twice, options: [twice] })).status).toBe(400);
    expect((await send((await app.signUp()) as never, "POST", `${round}/adopt`, twice)).status).toBe(404);
    await succeed(send(owner, "POST", `${path}/submit`));
    expect((await adopt(twice)).body.message).toBe("estimation_locked");
  });
});

describe("closing", () => {
  it("ends a round; what nobody has seen is removed, and what was revealed stays", async () => {
    const made = await scene.make(2, 1);
    const open = await scene.open(made);
    await succeed(scene.estimate(made.people[0] as never, open, made.optionIds[0], points(1), "a secret"));
    const { round } = await succeed(send(made.owner, "POST", `${open}/close`));
    expect(round).toMatchObject({ status: "closed", answered: 1, revealedAt: null, closedAt: inMs(0) });
    expect(
      (await app.pool.query("select from round_participants where answers is not null and round_id = $1", [round?.id]))
        .rowCount,
    ).toBe(0);
    await changesNothing(app, async () => void (await succeed(send(made.owner, "POST", `${open}/close`))));
    expect((await scene.reveal(made.owner, open)).body.message).toBe("round_not_open");
    expect((await scene.options(made.people[0] as never, open))[0]).toMatchObject({ yours: null, result: null });

    const revealed = await scene.open(made);
    await scene.estimateAll(made, revealed);
    await succeed(scene.reveal(made.owner, revealed));
    const before = await scene.options(made.owner, revealed);
    await succeed(send(made.owner, "POST", `${revealed}/close`));
    expect(await scene.options(made.owner, revealed)).toEqual(before);
    const adopt = await send(made.owner, "POST", `${revealed}/adopt`, { optionId: made.optionIds[0], from: "pool" });
    expect([adopt.status, adopt.body.message, adopt.body.details]).toEqual([
      ...[409, "round_not_revealed", { status: "closed" }],
    ]);
  });
});
