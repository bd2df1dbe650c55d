import { describe, expect, it, test } from "vitest";
import { type Json, start, type TestUser } from "../../../tests/harness.ts";
import { changesNothing } from "../../../tests/support/dump.ts";
import { createEvidenceCache } from "./evidence-cache.ts";

const app = await start();

const TITLES = ["Export invoices", "Colour of buttons", "Migrate payments", "Search customers"];

/** Makes an estimation with `count` options of 10 hours each, and returns its path. */
async function estimate({ token }: TestUser, count: number, title = "Shop"): Promise<string> {
  const { data } = await app.request("POST", "/api/estimations", { token, body: { title } });
  const path = `/api/estimations/${data.estimation?.id}`;
  const options = Array.from({ length: count }, (_, at) => ({
    title: `${TITLES[at % 4]} ${at}`,
    hours: 10,
    role: "dev",
  }));
  const body = { nodes: [{ title: "Work", kind: "group", options }] };
  const { status } = await app.request("PUT", `${path}/tree`, { token, body });
  expect(status).toBe(200);
  return path;
}

/** Generates the tasks of an estimation and finishes those with hours, the first `most` of them. */
async function finish({ token }: TestUser, path: string, actualHours: number, most = 100): Promise<void> {
  const { data } = await app.request("POST", `${path}/tasks/generate`, { token });
  const working = (data.tasks as unknown as Json[]).filter(({ hours }) => hours !== null).slice(0, most);
  for (const { id } of working) {
    app.clock.advance(1_000);
    const body = { actualHours, doneAt: app.services.clock.now().toISOString() };
    expect((await app.request("PUT", `${path}/tasks/${id}`, { token, body })).status).toBe(200);
  }
}

const suggestionAt = async (token: string, path: string) =>
  (await app.request("GET", `${path}/suggestion`, { token })).text.replace(/"requestId":"[^"]*"/, "");

const analogsOf = ({ evidence }: Json) => evidence?.analogs as unknown as Json[];

const read = async (token: string, path: string) =>
  (await app.request("GET", `${path}/suggestion`, { token })).data.suggestion as Json;

describe("the suggestion", () => {
  it("rests on the tree alone without history, and changes nothing", async () => {
    const user = await app.signUp();
    const path = await estimate(user, 3);
    await changesNothing(app, async () => {
      const suggestion = await read(user.token, path);
      expect(suggestion).toMatchObject({
        ...{ rung: 1, method: "generic_band", reason: null, evidence: { n: 0, analogs: [] } },
        ...{ hours: { p10: 13.5, p50: 28.46 }, current: { p50: 30 }, ratio: 0.95, warnings: ["little_history"] },
      });
    });
  });

  it("abstains where nothing counts", async () => {
    const user = await app.signUp();
    expect(await read(user.token, await estimate(user, 0))).toMatchObject({ hours: null, reason: "nothing_counted" });
  });

  it("rests on finished tasks of other estimations, and names the most similar ones", async () => {
    const user = await app.signUp();
    await finish(user, await estimate(user, 12, "Earlier"), 20);
    const path = await estimate(user, 4);
    const suggestion = await read(user.token, path);
    expect(suggestion).toMatchObject({ rung: 3, ratio: 2.01, warnings: [], evidence: { n: 12 } });
    expect(suggestion.evidence?.analogs?.[0]).toMatchObject({ estimatedHours: 10, actualHours: 20 });
    expect(TITLES.some((title) => String(suggestion.evidence?.analogs?.[0]?.title).startsWith(title))).toBe(true);
  });

  it("gives titles only to keys that may read tasks", async () => {
    const user = await app.signUp();
    await finish(user, await estimate(user, 12), 20);
    const path = await estimate(user, 4);
    const titlesFor = async (scopes: readonly string[]) =>
      analogsOf(await read(await app.makeKey(user, scopes), path)).map(({ title }) => title);
    expect(await titlesFor(["estimations:suggestion"])).toEqual([null, null, null, null, null]);
    expect(await titlesFor(["estimations:suggestion", "tasks:read"])).not.toContain(null);
    expect(await titlesFor(["admin"])).not.toContain(null);
  });
});

describe("the evidence", () => {
  it("is nobody else's: a stranger's tasks, deleted ones and those of the estimation itself change no byte", async () => {
    const [user, stranger] = [await app.signUp(), await app.signUp()];
    await finish(user, await estimate(user, 12), 20);
    const path = await estimate(user, 4);
    const before = await suggestionAt(user.token, path);
    await finish(stranger, await estimate(stranger, 12), 90);
    expect(await suggestionAt(user.token, path)).toBe(before);
    const deleted = await estimate(user, 4);
    await finish(user, deleted, 90);
    expect(await suggestionAt(user.token, path)).not.toBe(before);
    await app.request("DELETE", deleted, { token: user.token });
    expect(await suggestionAt(user.token, path)).toBe(before);
    await finish(user, path, 90, 2);
    expect(await suggestionAt(user.token, path)).toBe(before);
  });

  it("is what is shared with the caller too, until it is shared no more", async () => {
    const [user, colleague] = [await app.signUp(), await app.signUp()];
    const theirs = await estimate(colleague, 12);
    await finish(colleague, theirs, 20);
    const path = await estimate(user, 4);
    const before = await suggestionAt(user.token, path);
    const body = { email: user.email, permission: "view" };
    const { data } = await app.request("POST", `${theirs}/shares`, { token: colleague.token, body });
    const share = data.share?.id;
    const accepted = await app.request("POST", `/api/shares/${share}/accept`, { token: user.token });
    expect([200, 409]).toContain(accepted.status);
    expect(await read(user.token, path)).toMatchObject({ rung: 3, evidence: { n: 12 } });
    const removed = await app.request("DELETE", `/api/shares/${share}`, { token: colleague.token });
    expect(removed.status).toBe(200);
    expect(await suggestionAt(user.token, path)).toBe(before);
  });

  it("that grew, was changed or was built at once gives the same bytes", async () => {
    const user = await app.signUp();
    const earlier = await estimate(user, 14);
    const path = await estimate(user, 4);
    await finish(user, earlier, 12, 11);
    const kept = createEvidenceCache();
    const hashBy = (cache: ReturnType<typeof createEvidenceCache>) =>
      cache.use(app.services.pool, user.userId, path.slice(-30), async ({ hash, evidence }) => [
        hash,
        evidence.size,
        evidence
          .expect({ optionId: "", title: "Export invoices", description: "", role: "dev", hours: 7 })
          .quantile(0.5),
      ]);
    const seen: unknown[] = [];
    const compare = async () => {
      const [grown, fresh] = [await hashBy(kept), await hashBy(createEvidenceCache(0))];
      expect(grown).toEqual(fresh);
      expect(seen).not.toContainEqual(grown);
      seen.push(grown);
      expect(await hashBy(kept)).toEqual(grown);
    };
    await compare();
    await finish(user, earlier, 30, 14);
    await compare();
    const { data } = await app.request("GET", `${earlier}/tasks`, { token: user.token });
    const [first, second] = (data.tasks as unknown as Json[]).filter(({ hours }) => hours !== null);
    await app.request("PUT", `${earlier}/tasks/${first?.id}`, { token: user.token, body: { title: "Other words" } });
    await compare();
    await app.request("DELETE", `${earlier}/tasks/${second?.id}`, { token: user.token });
    await compare();
    await finish(user, await estimate(user, 3), 5);
    await compare();
  });
});

describe("a verdict", () => {
  const judge = (token: string, path: string, body: object) =>
    app.request("POST", `${path}/suggestion/feedback`, { token, body });

  it("is recorded with what was suggested, and scored once the work is done", async () => {
    const user = await app.signUp();
    const path = await estimate(user, 3);
    const { inputHash, hours } = await read(user.token, path);
    const accuracy = async () =>
      (await app.request("GET", "/api/suggestions/accuracy", { token: user.token })).data.accuracy;
    expect(await accuracy()).toEqual({
      ...{ n: 0, bias: null, spread: null, hitRate: null, accepted: 0, rejected: 0, months: [] },
    });
    const { status, data } = await judge(user.token, path, { inputHash, verdict: "accepted", hours: 25 });
    expect(status).toBe(200);
    expect(data.feedback).toMatchObject({ inputHash, verdict: "accepted", hours: 25, suggested: hours });
    expect(await accuracy()).toMatchObject({ n: 0, accepted: 1 });
    await finish(user, path, 12, 2);
    expect(await accuracy()).toMatchObject({ n: 0 });
    await finish(user, path, 12);
    const ratio = Math.round((36 / Number(hours?.p50)) * 1_000) / 1_000;
    const scores = { n: 1, bias: ratio, spread: { p10: ratio, p90: ratio }, hitRate: 1 };
    const month = app.services.clock.now().toISOString().slice(0, 7);
    expect(await accuracy()).toEqual({ ...scores, accepted: 1, rejected: 0, months: [{ month, ...scores }] });
    const stranger = await app.signUp();
    const theirs = await app.request("GET", "/api/suggestions/accuracy", { token: stranger.token });
    expect(theirs.data.accuracy).toMatchObject({ n: 0, accepted: 0 });
  });

  it("of one person replaces the earlier one", async () => {
    const user = await app.signUp();
    const path = await estimate(user, 3);
    const { inputHash } = await read(user.token, path);
    for (const verdict of ["accepted", "rejected"]) await judge(user.token, path, { inputHash, verdict });
    const { data } = await app.request("GET", "/api/suggestions/accuracy", { token: user.token });
    expect(data.accuracy).toMatchObject({ accepted: 0, rejected: 1 });
  });

  it("about a suggestion that is another one by now is refused, and changes nothing", async () => {
    const user = await app.signUp();
    const path = await estimate(user, 3);
    const { inputHash } = await read(user.token, path);
    const body = { nodes: [{ title: "Work", kind: "group", options: [{ title: "More", hours: 50 }] }] };
    await app.request("PUT", `${path}/tree`, { token: user.token, body });
    await changesNothing(app, async () => {
      const { status, body: answered } = await judge(user.token, path, { inputHash, verdict: "accepted" });
      expect([status, answered.message]).toEqual([409, "suggestion_moved"]);
    });
  });
});

test("verdicts about a deleted estimation do not count", async () => {
  const user = await app.signUp();
  const path = await estimate(user, 1);
  const { inputHash } = await read(user.token, path);
  await app.request("POST", `${path}/suggestion/feedback`, {
    token: user.token,
    body: { inputHash, verdict: "rejected" },
  });
  await app.request("DELETE", path, { token: user.token });
  const { data } = await app.request("GET", "/api/suggestions/accuracy", { token: user.token });
  expect(data.accuracy).toMatchObject({ rejected: 0 });
});
