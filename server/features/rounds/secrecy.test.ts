import { describe, expect, it } from "vitest";
import { type Json, type Response, start, type TestUser, until } from "../../../tests/harness.ts";
import { changesNothing, dump } from "../../../tests/support/dump.ts";
import { exportPerson } from "../../services/person-export-store.ts";
import { revealIfDue } from "./reveal.ts";
import { createScene, points, type RoundScene } from "./testing/scene.ts";

const app = await start();
const scene = createScene(app);
const { send, succeed } = scene;

/** What no response before the reveal may contain: a number and a text that are nowhere else. */
const SECRET = { hours: points(1_234.5, 2_345.25, 3_456.75), note: "quokka" } as const;

/** All that somebody can read who may edit the estimation, by its path, but for the time at which it was sent. */
async function allThatIsRead({ path, owner }: RoundScene, round: string): Promise<Map<string, Response>> {
  const paths = [
    ...["", "/tree", "/tree/hours?explain=true", "/versions", "/activity", "/rounds", "/rounds/adopted", "/reviews"],
    ...["/shares", "/threads", "/tasks", "/links", "/timeline", "/comments", "/suggestion", "/export?format=json"],
  ].map((below) => path + below);
  const own = [
    ...["/api/estimations", "/api/rounds", "/api/reviews/waiting", "/api/notifications", "/api/auth/me"],
    ...["/api/webhooks", "/api/audit-log", "/api/suggestions/accuracy", "/api/tasks/accuracy", "/api/portfolio"],
  ];
  const read = new Map<string, Response>();
  for (const one of [...paths, ...own, round, `${round}/options`]) read.set(one, await send(owner, "GET", one));
  return read;
}

const textsOf = (read: ReadonlyMap<string, Response>) =>
  new Map(
    [...read].map(([path, { status, text, headers }]) => {
      // Of a receipt and a request id each response has its own.
      const steady = text.replace(/"(receipt|requestId)":"[^"]*"/g, "");
      return [path, [status, steady, headers.get("etag"), headers.get("content-length")] as const];
    }),
  );

/** Everything stored that others can read, as text, without the answers themselves. */
async function shownTables(): Promise<string> {
  const lines = (await dump(app.pool)).split("\n");
  return lines
    .filter((line) => !/round_participants|idempotency_keys|request_counts|sessions|job_leases/.test(line))
    .join("\n");
}

describe("before the reveal", () => {
  it("nothing that the owner reads differs by what people said: not a byte, a length, a tag, an order or a time", async () => {
    const made = await scene.make(3, 2);
    const round = await scene.open(made);
    const [a, b] = made.people as [TestUser, TestUser];
    const before = textsOf(await allThatIsRead(made, round));
    const tables = await shownTables();
    await app.clock.advance(10);
    // Neither of them has answered: one option is left.
    await succeed(scene.estimate(b, round, made.optionIds[0], SECRET.hours, SECRET.note));
    await succeed(send(a, "POST", `${round}/skip`, { optionId: made.optionIds[1] }));
    expect(textsOf(await allThatIsRead(made, round))).toEqual(before);
    expect(await shownTables()).toBe(tables);
  });

  it("of somebody who was invited by address neither: also when the owner ends the share, and in an export", async () => {
    const made = await scene.make(2, 2);
    const email = `invited-${made.id.slice(4, 12)}@example.com`;
    const participants = [...made.people.map(({ userId }) => userId), email];
    const [begun, untouched] = [await scene.open(made, { participants }), await scene.open(made, { participants })];
    const invited = await app.signUp(email);
    const before = [textsOf(await allThatIsRead(made, begun)), await shownTables(), await exported(email)];
    await succeed(scene.estimate(invited, begun, made.optionIds[0], SECRET.hours, SECRET.note));
    expect([textsOf(await allThatIsRead(made, begun)), await shownTables(), await exported(email)]).toEqual(before);
    const { shares } = await succeed(send(made.owner, "GET", `${made.path}/shares`));
    const share = (shares as unknown as Json[]).find((one) => String(one.email) === email);
    await succeed(send(made.owner, "DELETE", `/api/shares/${share?.id}`));
    const shown = await scene.read(made.owner, begun);
    expect(shown.participants?.[2]).toEqual({ user: null, email });
    expect((await scene.read(made.owner, untouched)).participants).toEqual(shown.participants);
  });

  it("only the number of those who have answered is another one, whoever they are and whatever they say", async () => {
    const made = await scene.make(3, 1);
    const round = await scene.open(made);
    const before = textsOf(await allThatIsRead(made, round));
    await succeed(scene.estimate(made.people[1] as TestUser, round, made.optionIds[0], SECRET.hours, SECRET.note));
    const after = await allThatIsRead(made, round);
    for (const [path, { text }] of after) {
      expect(text, path).not.toContain(SECRET.note);
      expect(text, path).not.toContain("2345");
    }
    const counted = new Map(
      [...textsOf(after)].map(([path, [status, text, ...rest]]) => [
        path,
        [status, text.replace(/"answered":1,"you":null/g, '"answered":0,"you":null'), ...rest] as const,
      ]),
    );
    expect(counted).toEqual(before);
  });

  it("another participant reads the own answers and the number, and the same list of people in the same order", async () => {
    const made = await scene.make(3, 2);
    const [a, b] = made.people as [TestUser, TestUser];
    const round = await scene.open(made);
    const [first, options] = [await scene.read(a, round), await scene.options(a, round)];
    await succeed(send(b, "POST", `${round}/skip`, { optionIds: made.optionIds }));
    expect(await scene.read(a, round)).toEqual({ ...first, answered: 1 });
    expect(await scene.options(a, round)).toEqual(options);
    const own = await scene.options(b, round);
    expect(own.map(({ yours }) => yours)).toEqual([
      { hours: null, note: null },
      { hours: null, note: null },
    ]);
  });

  it("no event, activity or notification follows from an estimate, and the request stores none of it elsewhere", async () => {
    const made = await scene.make(2, 2);
    const { owner, people, optionIds } = made;
    await succeed(
      send(owner, "POST", "/api/webhooks", {
        url: "https://hooks.example.com/x",
        events: ["round.opened", "round.revealed"],
      }),
    );
    const round = await scene.open(made);
    const count = async () =>
      (
        await app.pool.query(
          `select (select count(*) from webhook_events) as events, (select count(*) from activity_entries) as entries,
             (select count(*) from notifications) as notifications, (select sum(text_steps) from estimation_usage) as texts,
             (select sum(bytes) from text_usage) as bytes, (select max(revision) from estimations) as revision`,
        )
      ).rows;
    const before = await count();
    await succeed(scene.estimate(people[0] as TestUser, round, optionIds[0], SECRET.hours, SECRET.note));
    await succeed(scene.estimate(people[0] as TestUser, round, optionIds[1], SECRET.hours, SECRET.note));
    expect(await count()).toEqual(before);
    const lines = (await dump(app.pool)).split("\n").filter((line) => line.includes(SECRET.note));
    expect([...new Set(lines.map((line) => /public\.(\w+)/.exec(line)?.[1]))]).toEqual(["round_participants"]);
    const { rows } = await app.pool.query("select data::text from webhook_events");
    for (const { data } of rows) expect(data).not.toMatch(/hours|estimate"|quokka/);
  });

  it("an Idempotency-Key repeats the own response, and another person's key of the same text says nothing of it", async () => {
    const made = await scene.make(2, 2);
    const [a, b] = made.people as [TestUser, TestUser];
    const round = await scene.open(made);
    const headers = { "idempotency-key": "same" };
    const body = { optionId: made.optionIds[0], ...SECRET.hours, note: SECRET.note };
    const first = await send(a, "POST", `${round}/estimates`, body, { headers });
    const again = await send(a, "POST", `${round}/estimates`, body, { headers });
    expect([again.status, again.data]).toEqual([first.status, { you: { answered: 1, remaining: 1 } }]);
    const other = await send(b, "POST", `${round}/estimates`, { ...body, ...points(1), note: "mine" }, { headers });
    expect(other.data).toEqual({ you: { answered: 1, remaining: 1 } });
    for (const { text } of [first, again, other]) expect(text).not.toMatch(/quokka|2345/);
    const { rows } = await app.pool.query("select data::text as text from idempotency_keys");
    for (const { text } of rows) expect(String(text)).not.toMatch(/quokka|2345/);
  });

  it("trying to reveal, to adopt, to repeat tells no more than the number", async () => {
    const made = await scene.make(3, 2);
    const { owner, people, optionIds } = made;
    const round = await scene.open(made);
    const tries = async () => {
      const all = [
        await scene.reveal(owner, round),
        await send(owner, "POST", `${round}/again`),
        await send(owner, "POST", `${round}/adopt`, { optionId: optionIds[0], from: "pool" }),
        await send(owner, "POST", `${round}/estimates`, { optionId: optionIds[0], ...points(1) }),
      ];
      return all.map(({ status, body: { message, details } }) => ({ status, message, details }));
    };
    const before = await tries();
    // Two estimates of one option: enough, if that could be learnt.
    for (const person of people) await succeed(scene.estimate(person, round, optionIds[0], SECRET.hours));
    expect(await tries()).toEqual(before);
    await revealIfDue(app.services, { roundId: String(round.split("/").at(-1)) });
    expect(await scene.read(owner, round)).toMatchObject({ status: "open", answered: 0 });
  });

  it("a stream says that the number is another one, and not by whom", async () => {
    const made = await scene.make(2, 1);
    const { owner, people, optionIds, id } = made;
    const round = await scene.open(made);
    const closing = new AbortController();
    const authorization = `Bearer ${owner.token}`;
    const stream = await fetch(`${app.url}/api/live`, { headers: { authorization }, signal: closing.signal });
    const events: Json[] = [];
    void (async () => {
      let text = "";
      for await (const part of stream.body?.pipeThrough(new TextDecoderStream()) ?? []) {
        const lines = (text + part).split("\n");
        text = lines.pop() ?? "";
        for (const line of lines) if (line.startsWith("data: ")) events.push(JSON.parse(line.slice(6)));
      }
    })().catch(() => {});
    const { streamId } = await until(() => events[0]);
    await succeed(send(owner, "PUT", `/api/live/${streamId}`, { places: [{ estimationId: id, lineId: null }] }));
    await until(() => events.some(({ type }) => String(type) === "changed"));
    const seen = events.length;
    await succeed(scene.estimate(people[0] as TestUser, round, optionIds[0], SECRET.hours, SECRET.note));
    await until(() => events.length > seen);
    expect(events.slice(seen)).toEqual([{ type: "answered", estimationId: id, roundId: round.split("/").at(-1) }]);
    closing.abort();
  });

  it("an export of a person has nothing of what was said in an open round", async () => {
    const made = await scene.make(2, 1);
    const [a] = made.people as [TestUser];
    const round = await scene.open(made);
    const before = await exported(a.email);
    const body = { optionId: made.optionIds[0], ...SECRET.hours, note: SECRET.note };
    // As clients send it: the response is stored, so that it can be sent again.
    await succeed(send(a, "POST", `${round}/estimates`, body, { headers: { "idempotency-key": "one" } }));
    expect(await exported(a.email)).toBe(before);
    expect(await exported(made.owner.email)).not.toMatch(/quokka|2345|"waits"/);
  });

  it("an export does not tell who was reminded of the deadline, and once the round has ended nothing does", async () => {
    const made = await scene.make(2, 1);
    const [answers, waits] = made.people as [TestUser, TestUser];
    const deadline = new Date(app.clock.now().getTime() + 2 * 86_400_000).toISOString();
    const round = await scene.open(made, { deadline });
    const other = await scene.open(made, { deadline });
    await succeed(scene.estimate(answers, round, made.optionIds[0], SECRET.hours));
    await app.clock.advance(86_400_000);
    await scene.run("remind-of-rounds");
    const reminded = async (of: string) =>
      (
        await app.pool.query(
          "select user_id from notifications where kind = 'round.due' and subject::json ->> 'roundId' = $1 order by 1",
          [of.split("/").at(-1)],
        )
      ).rows.map(({ user_id }) => user_id);
    expect(await reminded(round)).toEqual([waits.userId]);
    for (const { email } of made.people) expect(await exported(email)).not.toContain("round.due");
    const { email, password } = made.owner;
    const { data } = await app.request("POST", "/api/auth/login", { body: { email, password } });
    await succeed(send({ token: String(data.token) }, "POST", `${round}/close`));
    expect([await reminded(round), await reminded(other)]).toEqual([[], made.people.map((one) => one.userId).sort()]);
  });
});

async function exported(email: string): Promise<string> {
  let text = "";
  await exportPerson(app.services.pool, email, app.clock.now(), async (part) => {
    text += part;
  });
  return text;
}

describe("an anonymous round", () => {
  async function revealed(people = 3, options = 2) {
    const made = await scene.make(people, options);
    const round = await scene.open(made, { anonymous: true });
    await scene.estimateAll(made, round);
    await succeed(scene.reveal(made.owner, round));
    return { ...made, round };
  }

  it("never says whose an estimate is: not to the owner, an administrator, in an export or in the database", async () => {
    const made = await revealed();
    const { round, people, owner } = made;
    for (const reader of [owner, ...people]) {
      for (const option of await scene.options(reader, round)) {
        expect(option.yours).toBeNull();
        expect(scene.estimatesOf(option).map(({ person }) => person)).toEqual([null, null, null]);
      }
      expect((await scene.read(reader, round)).you).toBeNull();
    }
    const roundId = round.split("/").at(-1);
    const { rows } = await app.pool.query("select user_id from round_estimates where round_id = $1", [roundId]);
    expect(rows.every(({ user_id }) => user_id === null)).toBe(true);
    const { rows: left } = await app.pool.query("select answers, waits from round_participants where round_id = $1", [
      roundId,
    ]);
    expect(left).toEqual(left.map(() => ({ answers: null, waits: false })));
    for (const person of people) {
      const text = await exported(person.email);
      expect(JSON.parse(text).tables.round_estimates).toEqual([]);
    }
    await succeed(send(owner, "POST", `${round}/adopt`, { optionId: made.optionIds[0], from: "median" }));
    const { activity } = await succeed(send(owner, "GET", `${made.path}/activity`));
    const kinds = (activity as unknown as Json[]).map(({ kind, person }) => [String(kind), String(person?.id)]);
    for (const [kind, personId] of kinds) if (kind?.startsWith("round.")) expect(personId).toBe(owner.userId);
  });

  it("shows nothing of an option that fewer than three people estimated", async () => {
    const made = await scene.make(3, 2);
    const round = await scene.open(made, { anonymous: true });
    const [first, second] = made.optionIds;
    for (const [at, person] of made.people.entries()) {
      await succeed(scene.estimate(person, round, first, points(1)));
      if (at < 2) await succeed(scene.estimate(person, round, second, SECRET.hours, "numbat"));
      else await succeed(send(person, "POST", `${round}/skip`, { optionId: second }));
    }
    await succeed(scene.reveal(made.owner, round));
    const [, shown] = await scene.options(made.owner, round);
    expect(shown?.result).toEqual({
      ...{
        people: 2,
        skipped: 1,
        tooFew: true,
        agreement: null,
        disagrees: false,
        pool: null,
        median: null,
        estimates: [],
      },
    });
    expect((await dump(app.pool)).includes("numbat")).toBe(false);
  });

  it("draws the order for each option, and makes ids in it: nobody is recognised from option to option or round to round", async () => {
    const options = 40;
    const { round, owner, path } = await revealed(3, options);
    const order = async (of: string) =>
      (await scene.options(owner, of)).map((option) =>
        scene
          .estimatesOf(option)
          .map(({ likely }) => Number(likely))
          .join(),
      );
    const orders = await order(round);
    // Six orders are as likely; that one of them is in none of 40 options happens once in 250 runs, that only one is never.
    expect(new Set(orders).size).toBeGreaterThan(2);
    const ids = (await scene.options(owner, round)).flatMap((option) =>
      scene.estimatesOf(option).map(({ id }) => String(id)),
    );
    expect(ids).toEqual(ids.toSorted());
    const again = await succeed(send(owner, "POST", `${round}/again`));
    expect(JSON.stringify(again)).not.toMatch(/etm_/);
    const { rows } = await app.pool.query("select id from round_estimates");
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
    expect(path).toBeDefined();
  });

  it("is as open to its own participants as to others: reading it changes nothing", async () => {
    const { round, people } = await revealed();
    await changesNothing(app, async () => {
      for (const person of people) await scene.options(person, round);
    });
  });
});
