import { describe, expect, it, test } from "vitest";
import { type Json, start, type TestUser } from "../../../tests/harness.ts";
import { changesNothing } from "../../../tests/support/dump.ts";
import { createEvidenceCache } from "./evidence-cache.ts";
import { createReceipts } from "./receipts.ts";
import { estimate, finish, judge, readSuggestion, readWithReceipt, TITLES } from "./testing/history.ts";

const app = await start();

const suggestionAt = async (token: string, path: string) =>
  (await app.request("GET", `${path}/suggestion`, { token })).text.replace(/"requestId":"[^"]*"/, "");

/** Shares an estimation with a user, who accepts. */
async function share(by: TestUser, path: string, { email, token }: TestUser, permission: string) {
  const response = await app.request("POST", `${path}/shares`, { token: by.token, body: { email, permission } });
  await app.request("POST", `/api/shares/${response.data.share?.id}/accept`, { token });
  return response;
}

const analogsOf = ({ evidence }: Json) => evidence?.analogs as unknown as Json[];

describe("the suggestion", () => {
  it("is based only on the tree without history, and changes nothing", async () => {
    const user = await app.signUp();
    const path = await estimate(app, user, 3);
    await changesNothing(app, async () => {
      const suggestion = await readSuggestion(app, user.token, path);
      expect(suggestion).toMatchObject({
        ...{ rung: 1, method: "generic_band", reason: null, evidence: { n: 0, analogs: [] } },
        ...{ hours: { p10: 13.5, p50: 28.46 }, current: { p50: 30 }, ratio: 0.95, warnings: ["little_history"] },
      });
    });
  });

  it("abstains if no option counts", async () => {
    const user = await app.signUp();
    expect(await readSuggestion(app, user.token, await estimate(app, user, 0))).toMatchObject({
      hours: null,
      reason: "nothing_counted",
    });
  });

  it("is based on finished tasks of other estimations, and names the most similar ones", async () => {
    const user = await app.signUp();
    await finish(app, user, await estimate(app, user, 12, { title: "Earlier" }), 20);
    const path = await estimate(app, user, 4);
    const suggestion = await readSuggestion(app, user.token, path);
    expect(suggestion).toMatchObject({ rung: 3, ratio: 2.01, warnings: [], evidence: { n: 12 } });
    expect(suggestion.evidence?.analogs?.[0]).toMatchObject({ estimatedHours: 10, actualHours: 20 });
    expect(TITLES.some((title) => String(suggestion.evidence?.analogs?.[0]?.title).startsWith(title))).toBe(true);
  });

  it("gives titles only to keys that may read tasks", async () => {
    const user = await app.signUp();
    await finish(app, user, await estimate(app, user, 12), 20);
    const path = await estimate(app, user, 4);
    const titlesFor = async (scopes: readonly string[]) =>
      analogsOf(await readSuggestion(app, await app.makeKey(user, scopes), path)).map(({ title }) => title);
    expect(await titlesFor(["estimations:suggestion"])).toEqual([null, null, null, null, null]);
    expect(await titlesFor(["estimations:suggestion", "tasks:read"])).not.toContain(null);
    expect(await titlesFor(["admin"])).not.toContain(null);
  });
});

describe("the evidence", () => {
  it("excludes tasks of strangers, deleted tasks and those of the estimation itself: they change no byte", async () => {
    const [user, stranger] = [await app.signUp(), await app.signUp()];
    await finish(app, user, await estimate(app, user, 12), 20);
    const path = await estimate(app, user, 4);
    const before = await suggestionAt(user.token, path);
    await finish(app, stranger, await estimate(app, stranger, 12), 90);
    expect(await suggestionAt(user.token, path)).toBe(before);
    const deleted = await estimate(app, user, 4);
    await finish(app, user, deleted, 90);
    expect(await suggestionAt(user.token, path)).not.toBe(before);
    await app.request("DELETE", deleted, { token: user.token });
    expect(await suggestionAt(user.token, path)).toBe(before);
    await finish(app, user, path, 90, 2);
    expect(await suggestionAt(user.token, path)).toBe(before);
  });

  it("excludes what a stranger shares with the caller or sends for review: it changes no byte, nor the accuracy", async () => {
    const [user, stranger] = [await app.signUp(), await app.signUp()];
    const verify = "update users set email_verified_at = now() where id = any($1)";
    await app.pool.query(verify, [[user.userId, stranger.userId]]);
    await finish(app, user, await estimate(app, user, 12), 20);
    const path = await estimate(app, user, 4);
    const before = await suggestionAt(user.token, path);
    const accuracy = async () => (await app.request("GET", "/api/suggestions/accuracy", { token: user.token })).data;
    const accuracyBefore = await accuracy();
    for (const way of ["view", "edit", "review"]) {
      const theirs = await estimate(app, stranger, 30, { titleOf: (at) => `Exports of ${way} ${at}` });
      const { inputHash } = await readSuggestion(app, stranger.token, theirs);
      await judge(app, stranger.token, theirs, { inputHash, verdict: "rejected" });
      await finish(app, stranger, theirs, 900);
      const asked =
        way === "review"
          ? await app.request("POST", `${theirs}/reviews`, { token: stranger.token, body: { reviewerId: user.userId } })
          : await share(stranger, theirs, user, way);
      expect(asked.status, asked.text).toBeLessThan(300);
      expect((await app.request("GET", theirs, { token: user.token })).status).toBe(200);
      expect(await suggestionAt(user.token, path)).toBe(before);
      expect(await accuracy()).toEqual(accuracyBefore);
    }
  });

  it("includes those estimations of others whose content or tasks the caller has changed, until it is no longer shared", async () => {
    const [user, colleague] = [await app.signUp(), await app.signUp()];
    await finish(app, user, await estimate(app, user, 12), 20);
    const path = await estimate(app, user, 4);
    const before = await suggestionAt(user.token, path);
    const change = async (theirs: string, method: string, below: string, body?: object) => {
      const { status, text } = await app.request(method, `${theirs}${below}`, {
        token: user.token,
        ...(body && { body }),
      });
      expect(status, text).toBeLessThan(300);
    };
    const taskOf = async (theirs: string) => {
      const { data } = await app.request("GET", `${theirs}/tasks`, { token: user.token });
      return (data.tasks as unknown as Json[]).at(-1)?.id;
    };
    const ways: Record<string, (theirs: string) => Promise<void>> = {
      settings: (theirs) => change(theirs, "PUT", "", { description: "Seen" }),
      tree: (theirs) => change(theirs, "PUT", "/tree", { nodes: [] }),
      timeline: (theirs) => change(theirs, "POST", "/milestones", { title: "Beta", dueDate: "2027-01-31" }),
      "a task": async (theirs) => change(theirs, "PUT", `/tasks/${await taskOf(theirs)}`, { title: "Done" }),
      "a deleted task": async (theirs) => change(theirs, "DELETE", `/tasks/${await taskOf(theirs)}`),
    };
    for (const [way, act] of Object.entries(ways)) {
      const theirs = await estimate(app, colleague, 12);
      await finish(app, colleague, theirs, 30, 11);
      const { data } = await share(colleague, theirs, user, "edit");
      // Nothing changes: the same title, and the tasks as they are.
      const { estimation } = (await app.request("GET", theirs, { token: user.token })).data;
      await change(theirs, "PUT", "", { title: estimation?.title });
      await change(theirs, "POST", "/tasks/generate");
      expect(await suggestionAt(user.token, path), way).toBe(before);
      await act(theirs);
      expect((await readSuggestion(app, user.token, path)).evidence?.n, way).toBeGreaterThanOrEqual(22);
      expect(await suggestionAt(user.token, path)).not.toBe(before);
      const removed = await app.request("DELETE", `/api/shares/${data.share?.id}`, { token: colleague.token });
      expect(removed.status).toBe(200);
      expect(await suggestionAt(user.token, path), way).toBe(before);
    }
  });

  it("has at most as many tasks of others as of the caller, the newest", async () => {
    const [user, colleague] = [await app.signUp(), await app.signUp()];
    const theirs = await estimate(app, colleague, 20);
    await finish(app, colleague, theirs, 900, 8);
    await share(colleague, theirs, user, "edit");
    await app.request("PUT", theirs, { token: user.token, body: { description: "Seen" } });
    const path = await estimate(app, user, 4);
    const read = async () => {
      const { evidence, warnings } = await readSuggestion(app, user.token, path);
      const { analogs = [] } = evidence as { analogs?: { actualHours: number }[] };
      return [evidence?.n, analogs.filter(({ actualHours }) => actualHours === 900).length, warnings];
    };
    expect(await read()).toEqual([0, 0, ["little_history"]]);
    const own = await estimate(app, user, 20);
    await finish(app, user, own, 20, 8);
    expect((await read())[0]).toBe(16);
    expect((await read())[2]).toEqual([]);
    // The ninth of theirs is one more than of the caller's own; with it, the first no longer counts.
    await finish(app, colleague, theirs, 30, 9);
    expect(await read()).toEqual([16, 0, ["newest_evidence_only"]]);
    await finish(app, user, own, 20, 9);
    expect((await read())[0]).toBe(18);
  });

  it("gives the same bytes if it grew, was changed or was built at once", async () => {
    const user = await app.signUp();
    const earlier = await estimate(app, user, 14);
    const path = await estimate(app, user, 4);
    await finish(app, user, earlier, 12, 11);
    const kept = createEvidenceCache(app.services);
    const hashBy = (cache: ReturnType<typeof createEvidenceCache>) =>
      cache.use(user.userId, path.slice(-30), async ({ hash, evidence }) => [
        hash,
        evidence.size,
        evidence
          .expect({ optionId: "", title: "Export invoices", description: "", role: "dev", hours: 7 })
          .quantile(0.5),
      ]);
    const seen: unknown[] = [];
    const compare = async () => {
      const [grown, fresh] = [await hashBy(kept), await hashBy(createEvidenceCache(app.services, { bytesMax: 0 }))];
      expect(grown).toEqual(fresh);
      expect(seen).not.toContainEqual(grown);
      seen.push(grown);
      expect(await hashBy(kept)).toEqual(grown);
    };
    await compare();
    await finish(app, user, earlier, 30, 14);
    await compare();
    const { data } = await app.request("GET", `${earlier}/tasks`, { token: user.token });
    const [first, second] = (data.tasks as unknown as Json[]).filter(({ hours }) => hours !== null);
    await app.request("PUT", `${earlier}/tasks/${first?.id}`, { token: user.token, body: { title: "Other words" } });
    await compare();
    await app.request("DELETE", `${earlier}/tasks/${second?.id}`, { token: user.token });
    await compare();
    await finish(app, user, await estimate(app, user, 3), 5);
    await compare();
  });
});

describe("a verdict", () => {
  it("is recorded with what was suggested, and scored once the work is done", async () => {
    const user = await app.signUp();
    const path = await estimate(app, user, 3);
    const { receipt, suggestion } = await readWithReceipt(app, user.token, path);
    const { inputHash, hours } = suggestion;
    const accuracy = async () =>
      (await app.request("GET", "/api/suggestions/accuracy", { token: user.token })).data.accuracy;
    expect(await accuracy()).toEqual({
      ...{ n: 0, bias: null, spread: null, hitRate: null, accepted: 0, rejected: 0, months: [] },
    });
    const { status, data } = await judge(app, user.token, path, { receipt, verdict: "accepted", hours: 25 });
    expect(status).toBe(200);
    expect(data.feedback).toMatchObject({ inputHash, verdict: "accepted", hours: 25, suggested: hours });
    expect(await accuracy()).toMatchObject({ n: 0, accepted: 1 });
    await finish(app, user, path, 12, 2);
    expect(await accuracy()).toMatchObject({ n: 0 });
    // Of what was dropped nobody knows how long it would have taken.
    const { rows } = await app.pool.query(
      "update tasks set dropped_at = now() where hours > 0 and done_at is null and estimation_id = $1 returning id",
      [path.split("/").at(-1)],
    );
    expect(rows).toHaveLength(1);
    await app.request("PUT", `${path}/tasks/${rows[0]?.id}`, { token: user.token, body: { actualHours: 1 } });
    expect(await accuracy()).toMatchObject({ n: 0 });
    await finish(app, user, path, 12);
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
    const path = await estimate(app, user, 3);
    const { receipt } = await readWithReceipt(app, user.token, path);
    for (const verdict of ["accepted", "rejected"]) await judge(app, user.token, path, { receipt, verdict });
    const { data } = await app.request("GET", "/api/suggestions/accuracy", { token: user.token });
    expect(data.accuracy).toMatchObject({ accepted: 0, rejected: 1 });
  });

  it("is recorded after the hours were taken over, by another process too", async () => {
    const user = await app.signUp();
    const path = await estimate(app, user, 3);
    const { receipt, suggestion } = await readWithReceipt(app, user.token, path);
    const body = { nodes: [{ title: "Work", kind: "group", options: [{ title: "More", hours: 50 }] }] };
    await app.request("PUT", `${path}/tree`, { token: user.token, body });
    const other = createReceipts(app.services.linkKeys.suggestion);
    const estimationId = path.slice(path.lastIndexOf("/") + 1);
    expect(other.read(receipt, { estimationId, userId: user.userId })?.hours).toEqual(suggestion.hours);
    const { data } = await judge(app, user.token, path, { receipt, verdict: "accepted" });
    expect(data.feedback).toMatchObject({ inputHash: suggestion.inputHash, suggested: suggestion.hours });
  });

  it("with a receipt that was changed, or is for another user or estimation, is refused and changes nothing", async () => {
    const [user, other] = [await app.signUp(), await app.signUp()];
    const path = await estimate(app, user, 3);
    const { receipt } = await readWithReceipt(app, user.token, path);
    const forged = [
      receipt.replace(/-\d/, "-9"),
      `${receipt.slice(0, -2)}${receipt.endsWith("AA") ? "BB" : "AA"}`,
      receipt.slice(0, -1),
      `0${receipt}`,
      "x",
      (await readWithReceipt(app, user.token, await estimate(app, user, 3))).receipt,
      (await readWithReceipt(app, other.token, await estimate(app, other, 3))).receipt,
    ];
    for (const one of forged) {
      const { status, body } = await judge(app, user.token, path, { receipt: one, verdict: "accepted" });
      expect([status, body.errors?.[0]]).toMatchObject([400, { path: "/receipt", code: "unknown_reference" }]);
    }
  });

  it("has no receipt where no hours are suggested", async () => {
    const user = await app.signUp();
    expect((await readWithReceipt(app, user.token, await estimate(app, user, 0))).receipt).toBeNull();
  });
});

test("verdicts about a deleted estimation do not count", async () => {
  const user = await app.signUp();
  const path = await estimate(app, user, 1);
  const { receipt } = await readWithReceipt(app, user.token, path);
  await judge(app, user.token, path, { receipt, verdict: "rejected" });
  await app.request("DELETE", path, { token: user.token });
  const { data } = await app.request("GET", "/api/suggestions/accuracy", { token: user.token });
  expect(data.accuracy).toMatchObject({ rejected: 0 });
});
