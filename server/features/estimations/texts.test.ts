import { describe, expect, test } from "vitest";
import { type Response, start, type TestUser } from "../../../tests/harness.ts";
import { loadConfig } from "../../config.ts";
import { countTexts, setTexts, type TextScene } from "./testing/texts.ts";
import { STEP_BYTES } from "./usage-store.ts";

const QUOTA = 2 * STEP_BYTES;
const { quotas } = loadConfig({});
const app = await start({ config: { quotas: { ...quotas, textBytes: QUOTA } } });
const details = { quota: "textBytes", limit: QUOTA };

/** The most that the texts of one estimation may take: a step that is not whole is free. */
const mostOf = (limit: number) => limit + STEP_BYTES - 1;
const MOST = mostOf(QUOTA);
const long = "𝄞".repeat(500);

const client = { name: "Robin", email: "robin@client.example" };

/** Makes a link for clients, and returns the path of its page in the API. */
async function linkOf({ send }: TextScene): Promise<string> {
  const shown = { shows: "hours", percentile: "expected", choices: false, descriptions: false };
  const { data } = await send("POST", "/links", shown);
  return `/api/links/${String(data.url).split("/").at(-1)}`;
}

/** Writes that add texts to an estimation, each with what has to be there before. */
const writes: Readonly<Record<string, (scene: TextScene) => Promise<() => Promise<Response>>>> = {
  "a message":
    async ({ say }) =>
    () =>
      say(long),
  "a comment": async ({ review, comment }) => {
    const { path } = await review();
    return () => comment(path, long);
  },
  "a longer comment": async ({ review, comment, send }) => {
    const { path } = await review();
    const { data } = await comment(path, "short");
    return () => send("PATCH", `${path}/comments/${data.comment?.id}`, { body: long });
  },
  "an approval with a comment": async ({ review }) => {
    const { decide } = await review();
    return () => decide("approve", long);
  },
  "a request for changes with a comment": async ({ review }) => {
    const { decide } = await review();
    return () => decide("request-changes", long);
  },
  "a request for a review with a note": async ({ send }) => {
    const { userId: reviewerId } = await app.signUp();
    return () => send("POST", "/reviews", { reviewerId, note: long });
  },
  "a longer note": async ({ review, send }) => {
    const { reviewerId } = await review("short");
    return () => send("POST", "/reviews", { reviewerId, note: long });
  },
  "a label of a version":
    async ({ send }) =>
    () =>
      send("POST", "/versions", { label: "𝄞".repeat(200) }),
  "a task's longer description": async ({ task, send }) => {
    const path = await task();
    return () => send("PUT", path, { description: long });
  },
  "a task's longer title": async ({ task, send }) => {
    const path = await task();
    return () => send("PUT", path, { title: long });
  },
  "a task's role": async ({ task, send }) => {
    const path = await task();
    return () => send("PUT", path, { role: "𝄞".repeat(100) });
  },
  "a client's comment": async (scene) => {
    const page = await linkOf(scene);
    return () => app.request("POST", `${page}/comment`, { body: { ...client, note: long } });
  },
  "a client's acceptance": async (scene) => {
    const page = await linkOf(scene);
    return () => app.request("POST", `${page}/accept`, { body: { ...client, note: long } });
  },
  "generated tasks":
    async ({ send }) =>
    () =>
      send("POST", "/tasks/generate"),
};

/** Those that others than the owner do: they may fill half of the quota. Of each link, one acceptance has the owner's part. */
const BY_OTHERS = new Set(["an approval with a comment", "a request for changes with a comment", "a client's comment"]);

describe.each(Object.entries(writes))("%s", (name, prepare) => {
  test("is stored up to the quota of texts; beyond it, it is refused and changes nothing", async () => {
    const limit = BY_OTHERS.has(name) ? QUOTA / 2 : QUOTA;
    const most = mostOf(limit);
    const measured = await setTexts(app);
    const write = await prepare(measured);
    const before = await measured.bytes();
    expect((await write()).status).toBeLessThan(300);
    const added = (await measured.bytes()) - before;
    expect(added).toBeGreaterThan(100);

    const below = await setTexts(app);
    const fits = await prepare(below);
    await below.fillTo(most - added);
    expect((await fits()).status).toBeLessThan(300);
    expect([await below.bytes(), await below.steps()]).toEqual([most, limit / STEP_BYTES]);

    const beyond = await setTexts(app);
    const isTooMuch = await prepare(beyond);
    await beyond.fillTo(most - added + 1);
    const { status, body } = await isTooMuch();
    expect([status, body.message, body.details]).toEqual([409, "limit_reached", { ...details, limit }]);
  });
});

describe("when the quota of texts is used up", () => {
  const full = async () => {
    const scene = await setTexts(app);
    const [path, { path: review }] = [await scene.task(), await scene.review("a note")];
    const { data } = await scene.comment(review, long);
    await scene.send("PUT", path, { description: long });
    await scene.fillTo(MOST + 1);
    return { ...scene, path, review, comment: `${review}/comments/${data.comment?.id}` };
  };

  test("writes that add no text are still possible", async () => {
    const { send, path, comment } = await full();
    expect((await send("PUT", path, { hours: 3, description: "𝄞".repeat(500) })).status).toBe(200);
    expect((await send("PUT", path, { hours: 4 })).status).toBe(200);
    expect((await send("PATCH", comment, { resolved: true })).status).toBe(200);
    expect((await send("PATCH", comment, { body: "𝄢".repeat(500) })).status).toBe(200);
    expect((await send("POST", "/versions")).status).toBeLessThan(300);
    expect((await send("POST", "/tasks/generate")).status).toBe(200);
    expect((await send("POST", "/reviews", { reviewerId: (await app.signUp()).userId })).status).toBe(201);
    expect((await send("POST", "/submit")).status).toBe(200);
  });

  test("shorter and fewer texts make room", async () => {
    const { send, say, path, comment } = await full();
    expect((await say("x")).status).toBe(409);
    expect((await send("PATCH", comment, { body: "short" })).status).toBe(200);
    expect((await say("x")).status).toBe(201);
    expect((await send("DELETE", path)).status).toBe(200);
    expect((await send("DELETE", comment)).status).toBe(200);
    expect((await say(long)).status).toBe(201);
  });

  test("nobody can write in another estimation of the owner, but others can write in their own estimations", async () => {
    const { owner, say } = await full();
    const other = await setTexts(app, owner);
    await other.fillTo(STEP_BYTES - 1);
    expect((await other.say("x")).body.details).toEqual(details);
    expect((await say("x")).body.details).toEqual(details);
    expect((await (await setTexts(app)).say("x")).status).toBe(201);
  });
});

describe("writers at the same time", () => {
  /** Two estimations of an owner, each a byte below its next step. */
  const almost = async (owner?: TestUser) => {
    const first = await setTexts(app, owner);
    const second = await setTexts(app, first.owner);
    for (const { fillTo } of [first, second]) await fillTo(STEP_BYTES - 1);
    return [first, second] as const;
  };

  test("use the last step of the quota once", async () => {
    const [first, second] = await almost();
    const third = await setTexts(app, first.owner);
    await third.fillTo(STEP_BYTES);
    const responses = await Promise.all([first.say("x"), second.say("x")]);
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect(await first.steps()).toBe(QUOTA / STEP_BYTES);
    await countTexts(app);
  });

  test("do not wait for each other while a text begins no new step", async () => {
    const { owner, say } = await setTexts(app);
    const holder = await app.pool.connect();
    try {
      await holder.query("begin");
      await holder.query("select from estimation_usage where owner_id = $1 for update", [owner.userId]);
      expect((await say(long)).status).toBe(201);
    } finally {
      await holder.query("rollback");
      holder.release();
    }
  });

  test("and transfers in both directions succeed, and the counts are exact", async () => {
    const [first, second] = await almost();
    const [third, fourth] = await almost(await app.signUp());
    await first.share(third.owner);
    await third.share(first.owner);
    const responses = await Promise.all([
      first.say("x"),
      first.transferTo(third.owner),
      fourth.say("x"),
      third.transferTo(first.owner),
      second.say("x"),
      third.say("x"),
    ]);
    for (const { status } of responses) expect([200, 201, 403, 409]).toContain(status);
    await countTexts(app);
  });
});
