import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { createFakeClock, type FakeClock } from "../../../../../tests/fake-clock.ts";
import { until } from "../../../../../tests/harness.ts";
import { type FakeJira, resolveAtlassian, startJira } from "../../../../../tests/support/jira/server.ts";
import { createOutbound, type Outbound } from "../../../../platform/outbound/index.ts";
import { problemsOf } from "../../check.ts";
import type { Access, Call, Reached } from "../reach.ts";
import type { Tracker } from "../tracker.ts";
import { type Fault, TrackerFault } from "../tracker-fault.ts";
import { pagesUrl, siteName, siteUrl } from "./address.ts";
import { createJira } from "./index.ts";

const dataDir = mkdtempSync(join(tmpdir(), "jira-"));
const estimation = { id: "est_01k0000000abcdefghjkmnpqrs", title: "Shop", url: "https://estimates.example/1" };
const CREATE = /issue\/bulk$/;
const [EPIC, TASK, SUBTASK] = ["10100", "10102", "10103"];
let clock: FakeClock;
let fake: FakeJira;
let outbound: Outbound;
let jira: Tracker;
let access: Access;
let reached: Reached;

beforeEach(async () => {
  clock = createFakeClock(new Date("2027-01-31T12:00:00.000Z"));
  fake = await startJira({ now: clock.now, lateMs: 90_000 });
  fake.trustedBy(dataDir);
  outbound = createOutbound({
    clock,
    log: pino({ level: "silent" }),
    allowedNetworks: ["127.0.0.0/8"],
    allowedPorts: [],
    trustedFolder: join(dataDir, "trusted-ca"),
    resolve: resolveAtlassian,
  });
  jira = createJira({ outbound, clock, jiraWritesPerMinute: 60 });
  access = { baseUrl: fake.siteUrl(), email: fake.email, token: fake.token };
  reached = await reach(null);
});
afterEach(async () => {
  expect(fake.violations).toEqual([]);
  expect(fake.faults.left()).toBe(0);
  await outbound.close();
  await fake.close();
});
afterAll(() => rmSync(dataDir, { recursive: true }));

async function reach(issueType: string | null): Promise<Reached> {
  const destination = { project: fake.name, issueType };
  const { layout } = await jira.check(access, destination, { writes: true });
  return { access, destination, layout };
}

let counted = 0;
const compose = (title: string, { depth = 0, parentRef = null as string | null } = {}) => {
  counted += 1;
  const marker = `marker-${counted}`;
  const { layout } = reached;
  if (!layout) throw new Error("no layout");
  const task = {
    title,
    description: "Ask @anna **now**",
    hours: 12.5,
    role: "backend",
    milestone: null,
    parentLink: null,
  };
  return { marker, depth, parentRef, fields: jira.compose({ ...task, marker, depth }, estimation, layout).fields };
};
const prepared = { ids: { label: "estimation-efghjkmnpqrs" }, missing: [] };
const created = async (title: string, more: Parameters<typeof compose>[1] = {}) => {
  const item = compose(title, more);
  const [outcome] = await jira.create(reached, [item], prepared);
  if (outcome?.outcome !== "created") throw new Error(`${title} is ${JSON.stringify(outcome)}`);
  return { ...item, issue: outcome.issue };
};
const faultOf = async (call: Promise<unknown>): Promise<Fault> => {
  const error = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (error instanceof TrackerFault) return error.fault;
  throw new Error(`no fault: ${error}`);
};
const find = (markers: readonly string[], minutes = 10) =>
  jira.find(reached, { markers, since: new Date(clock.now().getTime() - minutes * 60_000) });
const problems = async (destination: object | null = { project: fake.name, issueType: null }) =>
  problemsOf(jira, access, destination as Reached["destination"] | null, clock);
const codes = async (destination?: object | null) => (await problems(destination)).map(({ code }) => code);

describe("checking", () => {
  it("finds no problem by either address, and returns the same destination for both", async () => {
    expect([await codes(null), await codes()]).toEqual([[], []]);
    const destination = { project: fake.name, issueType: null };
    const site = await jira.check(access, destination, { writes: true });
    access = { ...access, baseUrl: fake.gatewayUrl };
    const gateway = await jira.check(access, destination, { writes: true });
    expect([gateway.problems, gateway.destination]).toEqual([[], `${fake.cloudId} 10001`]);
    expect(gateway.former).toEqual([`${fake.siteUrl()} 10001`]);
    expect(site).toEqual(gateway);
    expect(jira.address(access)).not.toBe(fake.siteUrl());
  });

  it("reports what is wrong: token, scope, site, project, permission", async () => {
    fake.settings.tokenRevoked = true;
    expect([await codes(null), await codes()]).toEqual([["token_rejected"], ["token_rejected"]]);
    fake.settings.anonymous = true;
    expect(await codes()).toEqual(["token_rejected"]);
    fake.settings.tokenRevoked = false;
    fake.settings.scopeMissing = true;
    expect([await codes(null), await codes()]).toEqual([["scope_missing"], ["scope_missing"]]);
    fake.settings.scopeMissing = false;
    fake.settings.redirects = true;
    expect([await codes(null), await codes()]).toEqual([["destination_moved"], ["destination_moved"]]);
    fake.settings.redirects = false;
    expect(await codes({ project: "NONE", issueType: null })).toEqual(["destination_missing"]);
    for (const project of ["../x", "A/B", "A?b", "", "A B"])
      expect(await codes({ project, issueType: null })).toEqual(["destination_missing"]);
    fake.settings.archived = true;
    expect(await codes()).toEqual(["destination_archived"]);
    fake.settings.archived = false;
    fake.settings.permissions.delete("CREATE_ISSUES");
    const [missing] = await problems();
    expect([missing?.code, missing?.message]).toEqual(["permission_missing", expect.stringContaining("Create issues")]);
    const reading = await jira.check(access, { project: fake.name, issueType: null }, { writes: false });
    expect(reading.problems).toEqual([]);
    fake.faults.next("retry_after_429");
    fake.faults.next("error_before");
    expect([await codes(null), await codes(null)]).toEqual([["busy"], ["unreachable"]]);
  });

  it("reports the available types, and required fields that an export does not fill", async () => {
    const [type] = await problems({ project: fake.name, issueType: "Story" });
    expect([type?.code, type?.message]).toEqual(["issue_type_missing", expect.stringContaining("Epic, Bug, Task")]);
    expect(await codes({ project: fake.name, issueType: "Subtask" })).toEqual(["issue_type_missing"]);
    fake.site
      .type(TASK)
      .fields.push({ fieldId: "customfield_1", name: "Team", required: true, hasDefaultValue: false });
    const [fields] = await problems();
    expect([fields?.code, fields?.message]).toEqual(["fields_required", expect.stringContaining("Team (Task)")]);
    expect(await codes({ project: fake.name, issueType: "bug" })).toEqual([]);
    fake.site.field(TASK, "customfield_1").hasDefaultValue = true;
    expect(await codes()).toEqual([]);
  });

  it("finds the types for each depth, and reads lists page by page", async () => {
    fake.settings.pageSize = 2;
    const names = async (type: string | null) => (await reach(type)).layout?.jira?.types.map(({ name }) => name);
    expect(await names(null)).toEqual(["Task", "Subtask"]);
    expect(await names("Epic")).toEqual(["Epic", "Task", "Subtask"]);
    // A type whose required fields cannot be filled, or that takes no parent, is skipped.
    fake.site.type(SUBTASK).fields.push({ fieldId: "x", name: "X", required: true, hasDefaultValue: false });
    fake.site.dropField(TASK, "parent");
    expect(await names("Epic")).toEqual(["Epic", "Bug"]);
    expect((await reach(null)).layout?.nesting.levels).toBe(1);
    expect(await jira.issueTypes(access, "SHOP")).toContainEqual({ id: EPIC, name: "Epic", level: 1, canBeTop: true });
    expect(await jira.issueTypes(access, "SHOP")).toContainEqual(
      expect.objectContaining({ name: "Subtask", canBeTop: false }),
    );
    expect(await jira.projects(access, "oper")).toEqual({ listed: [{ key: "OPS", name: "Operations" }], problems: [] });
    expect((await jira.projects(access, "")).listed).toHaveLength(2);
    expect(await faultOf(jira.issueTypes(access, "NONE"))).toMatchObject({ kind: "blocked" });
  });
});

describe("the destination", () => {
  const destination = { project: "SHOP", issueType: null };

  it("is that of the connection, whatever site the server claims to be", async () => {
    const other = await startJira({ now: clock.now });
    other.trustedBy(dataDir);
    try {
      other.settings.baseUrl = fake.siteUrl();
      const own = await jira.check(access, destination, { writes: true });
      const its = await jira.check({ ...access, baseUrl: other.url }, destination, { writes: true });
      expect([own.destination, its.destination]).toEqual([`${fake.cloudId} 10001`, `${other.url} 10001`]);
      expect(its.former).toEqual([]);
      expect(its.layout?.jira?.site).toBe(other.url);
    } finally {
      await other.close();
    }
  });

  it("is the same by any spelling of an address", async () => {
    const spelled = [
      fake.siteUrl().replace(".net:", ".net.:"),
      fake.gatewayUrl.toUpperCase().replace(/EX.JIRA/, "ex/jira"),
    ];
    for (const baseUrl of spelled) {
      const id = await siteName({ baseUrl }, async () => ({ cloudId: fake.cloudId.toUpperCase() }));
      expect(id).toBe(fake.cloudId);
    }
    expect(siteUrl({ baseUrl: "https://jira.example./x" })).toBe("https://jira.example/x");
  });

  it("is unknown if Atlassian's servers do not name the site", async () => {
    for (const json of [{}, { cloudId: "a b" }, { cloudId: "x".repeat(101) }, { cloudId: 7 }]) {
      fake.twists.set("GET /_edge/tenant_info", () => ({ status: 200, json }));
      expect(await faultOf(jira.check(access, destination, { writes: true }))).toMatchObject({ kind: "unknown" });
    }
    fake.twists.set("GET /_edge/tenant_info", () => ({ status: 404, json: {} }));
    expect(await faultOf(jira.check(access, destination, { writes: true }))).toMatchObject({ kind: "unknown" });
    const nobody = { ...access, baseUrl: fake.gatewayUrl.replace(/ex.jira.*/, "ex") };
    expect(await faultOf(siteName(nobody, async () => ({})))).toMatchObject({ kind: "unknown" });
  });

  it("has an address for people at the site's own host, or the one that Atlassian's gateway gives", () => {
    const given = "https://jira.acme.example/";
    expect(pagesUrl(given, { baseUrl: "https://api.atlassian.com/ex/jira/1-2" })).toBe("https://jira.acme.example");
    for (const baseUrl of ["https://acme.atlassian.net", "https://a.jira.com", "https://x.example/ex/jira/1"])
      expect(pagesUrl(given, { baseUrl })).toBe(baseUrl);
    expect(pagesUrl("https://x.example/jira/", { baseUrl: "https://x.example/ex/jira/1" })).toBe(
      "https://x.example/jira",
    );
  });

  it("is unknown if the server gives no usable address for people", async () => {
    for (const baseUrl of [
      "http://localhost",
      "https://a:b@localhost",
      "nothing",
      `https://localhost/${"x".repeat(2_100)}`,
    ]) {
      fake.settings.baseUrl = baseUrl;
      expect(await faultOf(jira.check(access, destination, { writes: true }))).toEqual({
        kind: "unknown",
        reason: "unreadable_answer",
      });
    }
  });
});

describe("a hostile server", () => {
  const destination = { project: "SHOP", issueType: null };
  const check = () => jira.check(access, destination, { writes: true });
  const nasty = `a\u0000b\u001f \ud800 ${"x".repeat(100_000)}`;
  const twist = (operation: string, json: unknown, status = 200) =>
    fake.twists.set(`${operation.replace(" ", " /rest/api/3")}`, () => ({ status, json }));
  const TYPES = "GET /issue/createmeta/{projectIdOrKey}/issuetypes";
  const CREATES = "POST /issue/bulk";

  it("cannot introduce long texts, or texts that the database refuses", async () => {
    const isClean = (text: string) => text.length <= 502 && text.isWellFormed() && !/\p{Cc}/u.test(text);
    for (const json of [
      { message: nasty },
      { errorMessages: [nasty] },
      { message: `${"x".repeat(499)}😀` },
      { errorMessages: [`${"x".repeat(499)}😀`] },
    ]) {
      twist(CREATES, json, 400);
      const [outcome] = await jira.create(reached, [compose("A")], prepared);
      expect(outcome?.outcome === "refused" && isClean(outcome.reason)).toBe(true);
    }
    // It can be parsed as JSON, but not written as JSON again.
    const text = `{"errors":{"a":${"[".repeat(20_000)}${"]".repeat(20_000)}}}`;
    fake.twists.set("POST /rest/api/3/issue/bulk", () => ({ status: 400, json: {}, text }));
    expect(await jira.create(reached, [compose("A")], prepared)).toMatchObject([{ outcome: "refused" }]);
    twist("GET /project/{projectIdOrKey}", { message: nasty }, 403);
    const [problem] = (await check()).problems;
    expect(
      isClean(problem?.message.slice("The token's user lacks a permission in the project: ".length, -1) ?? nasty),
    ).toBe(true);
  });

  it("cannot introduce ids and keys of another form", async () => {
    for (const [id, key] of [
      ["1", nasty],
      ["1", "\ud800"],
      ["1", "A/../B-1"],
      ["x", "A-1"],
      ["1".repeat(21), "A-1"],
      ["1", `A-${"1".repeat(21)}`],
    ]) {
      twist(CREATES, { issues: [{ id, key }], errors: [] }, 201);
      expect(await faultOf(created("A"))).toEqual({ kind: "unknown", reason: "unreadable_answer" });
      twist("POST /issue/bulkfetch", { issues: [{ id: "1", key, fields: { summary: "" } }] });
      if (id === "1")
        expect(await faultOf(jira.read(reached, ["1"], { hours: false }))).toMatchObject({ kind: "unknown" });
      twist("POST /search/jql", { issues: [{ id, key, properties: { "estimation-task": { marker: "m" } } }] });
      expect(await faultOf(find(["m"]))).toMatchObject({ kind: "unknown" });
    }
    for (const json of [
      { id: "1".repeat(21), key: "SHOP" },
      { id: "x", key: "SHOP" },
      { id: "1", key: nasty },
    ]) {
      twist("GET /project/{projectIdOrKey}", json);
      expect((await check()).problems).toMatchObject([{ code: "destination_missing" }]);
    }
  });

  it("cannot introduce a list that is larger than any of Jira's", async () => {
    const types = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ id: String(at), name: nasty.slice(0, 150), hierarchyLevel: 0 }));
    twist(TYPES, { issueTypes: types(500), total: 500 });
    const listed = await jira.issueTypes(access, "SHOP");
    expect(listed).toHaveLength(500);
    expect(listed[0]?.name.length).toBeLessThanOrEqual(100);
    const [missing] = (await jira.check(access, { ...destination, issueType: "None" }, { writes: true })).problems;
    expect(missing?.message.length).toBeLessThan(5_000);
    twist(TYPES, { issueTypes: types(501), total: 501 });
    expect(await faultOf(jira.issueTypes(access, "SHOP"))).toMatchObject({ kind: "refused" });
    // More values than are parsed.
    twist(TYPES, { issueTypes: Array(300_000).fill(0), total: 300_000 });
    expect(await faultOf(jira.issueTypes(access, "SHOP"))).toMatchObject({ kind: "unknown" });
    const values = Array.from({ length: 101 }, (_, at) => ({ key: `P${at}`, name: nasty.slice(0, 1_000) }));
    twist("GET /project/search", { values: [{ key: nasty }, ...values] });
    const { listed: projects } = await jira.projects(access, "");
    expect([projects.length, projects[0]?.name.length]).toEqual([100, 100]);
    const found = Array(15_001).fill({ id: "1", key: "A-1" });
    twist("POST /search/jql", { issues: found.slice(1), isLast: true });
    expect((await find(["m"])).size).toBe(0);
    twist("POST /search/jql", { issues: found, isLast: true });
    expect(await faultOf(find(["m"]))).toMatchObject({ kind: "refused" });
  });

  it("cannot introduce more than ten levels of types", async () => {
    fake.settings.pageSize = 50;
    const types = Array.from({ length: 30 }, (_, at) => ({ id: "10102", name: `L${at}`, hierarchyLevel: -at }));
    twist(TYPES, { issueTypes: types, total: 30 });
    expect((await check()).layout?.nesting.levels).toBe(10);
  });

  it("cannot make all requests of a check take longer than a minute", async () => {
    for (const _ of [1, 2, 3]) fake.faults.next("slow_before");
    const fault = faultOf(check());
    for (const [at, ms] of [29_000, 29_000, 2_000].entries()) {
      await until(() => fake.asked.filter((one) => one.fault === "slow_before").length === at + 1);
      await clock.advance(ms);
      if (at < 2) fake.release();
    }
    expect(await fault).toEqual({ kind: "unknown", reason: "aborted" });
    fake.release();
  });

  it("cannot introduce a time that the database refuses", async () => {
    const { issue } = await created("A");
    fake.site.issue(issue.ref).doneAt = new Date(-200_000, 1, 1);
    const read = async () => (await jira.read(reached, [issue.ref], { hours: false })).get(issue.ref);
    expect(await read()).toMatchObject({ closedAt: clock.now() });
    const odd = { summary: "A", project: { id: "10001" }, status: { statusCategory: { key: "done" } }, updated: "x" };
    twist("POST /issue/bulkfetch", { issues: [{ id: issue.ref, key: issue.key, fields: odd }] });
    expect(await faultOf(read())).toMatchObject({ kind: "unknown" });
  });
});

describe("creating issues", () => {
  it("sets text, estimate, label, parent and property, and returns which issue is which", async () => {
    const top = await created("Sign-in");
    const items = ["A", "B", "C"].map((title) => compose(title, { depth: 1, parentRef: top.issue.ref }));
    const outcomes = await jira.create(reached, items, prepared);
    for (const [at, outcome] of outcomes.entries()) {
      if (outcome.outcome !== "created") throw new Error(outcome.outcome);
      const issue = fake.site.issue(outcome.issue.ref);
      expect(issue).toMatchObject({ summary: ["A", "B", "C"][at], parent: top.issue.ref, typeId: SUBTASK });
      expect(outcome.issue).toEqual({ ref: issue.id, key: issue.key, url: `${fake.siteUrl()}/browse/${issue.key}` });
    }
    expect(fake.site.issue(top.issue.ref)).toMatchObject({
      ...{ summary: "Sign-in", typeId: TASK, estimate: 45_000, labels: ["estimation-efghjkmnpqrs"] },
      properties: { "estimation-task": { marker: top.marker } },
    });
  });

  it("returns Jira's message for each refused issue, and makes the others", async () => {
    const good = [compose("A"), compose("B")];
    const bad = { ...compose("C"), fields: { ...compose("C").fields, summary: "x".repeat(256) } };
    const orphan = compose("D", { depth: 1, parentRef: "999" });
    const outcomes = await jira.create(reached, [bad, ...good, orphan], prepared);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(["refused", "created", "created", "refused"]);
    expect(outcomes[0]).toMatchObject({ reason: "“summary: Summary can't exceed 255 characters.”" });
    expect(outcomes[3]).toMatchObject({ reason: expect.stringContaining("appropriate hierarchy") });
    expect((await jira.create(reached, [bad, orphan], prepared)).map(({ outcome }) => outcome)).toEqual([
      "refused",
      "refused",
    ]);
    expect(fake.site.issues).toHaveLength(2);
  });

  it("refuses issues that no longer have a type, and makes the others", async () => {
    const [good, bad] = [compose("A"), compose("B", { depth: 2, parentRef: "1" })];
    expect(await jira.create(reached, [bad, good], prepared)).toMatchObject([
      { outcome: "refused", reason: expect.stringContaining("no type") },
      { outcome: "created", issue: { key: "SHOP-1" } },
    ]);
  });

  it("makes 50 in one request", async () => {
    const items = Array.from({ length: jira.batch }, (_, at) => compose(`Task ${at}`));
    const outcomes = await jira.create(reached, items, prepared);
    expect(outcomes.filter(({ outcome }) => outcome === "created")).toHaveLength(50);
    for (const [at, outcome] of outcomes.entries())
      expect(outcome.outcome === "created" && fake.site.issue(outcome.issue.ref).summary).toBe(`Task ${at}`);
  });

  it("sends no field that the screen does not have", async () => {
    for (const field of ["labels", "timetracking", "description"]) fake.site.dropField(TASK, field);
    reached = await reach(null);
    const { issue } = await created("Sign-in");
    expect(fake.site.issue(issue.ref)).toMatchObject({ labels: [], estimate: null, description: null });
    expect([...(await find([`marker-${counted}`])).keys()]).toHaveLength(1);
  });

  it("has an unknown outcome if the issue may have been made, and a certain one if nothing was done", async () => {
    const kinds = ["error_after", "reset_after", "truncated", "late", "reset_before", "error_before"] as const;
    for (const kind of kinds) {
      fake.faults.next(kind, CREATE);
      expect(await faultOf(created(kind)), kind).toMatchObject({ kind: "unknown" });
    }
    // The response does not say which is which, but the issues exist.
    for (const kind of ["error_before", "retry_after_429", "unauthorized"] as const) {
      fake.faults.next(kind, /bulkfetch$/);
      const pauses: Date[] = [];
      const call: Call = { onPause: (until) => pauses.push(until) };
      const two = [compose(kind), compose(kind)];
      const among = [fake.site.issues.length + 2, fake.site.issues.length + 1].map((number) => ({
        key: `SHOP-${number}`,
      }));
      expect(await jira.create(reached, two, prepared, call)).toMatchObject(Array(2).fill({ outcome: "made", among }));
      expect(pauses).toHaveLength(kind === "retry_after_429" ? 1 : 0);
    }
    expect(fake.site.issues).toHaveLength(10);
    fake.faults.next("unauthorized", CREATE);
    expect(await faultOf(created("A"))).toEqual({ kind: "token_rejected" });
    const until = (seconds: number) => new Date(clock.now().getTime() + seconds * 1_000);
    fake.faults.next("retry_after_429", CREATE);
    expect(await faultOf(created("A"))).toEqual({ kind: "wait", until: until(30), grows: false });
    fake.faults.next("used_up", CREATE);
    expect(await faultOf(created("A"))).toEqual({ kind: "wait", until: until(30), grows: false });
    fake.faults.next("secondary", CREATE);
    expect(await faultOf(created("A"))).toEqual({ kind: "wait", until: until(60), grows: true });
    fake.settings.permissions.delete("CREATE_ISSUES");
    expect(await faultOf(created("A"))).toMatchObject({ kind: "blocked", problem: { code: "permission_missing" } });
    expect(fake.site.issues).toHaveLength(10);
    reached = { ...reached, access: { ...access, baseUrl: "https://127.0.0.1:1" } };
    expect(await faultOf(created("A"))).toMatchObject({ kind: "not_sent" });
  });

  it("forgets no issue that Jira has named: a single one is known, and several that Jira does not show count as made", async () => {
    fake.settings.hidesIssues = true;
    const { issue } = await created("Alone");
    expect(issue).toEqual({ ref: "20001", key: "SHOP-1", url: `${fake.siteUrl()}/browse/SHOP-1` });
    const bad = { ...compose("Bad"), fields: { ...compose("Bad").fields, summary: "x".repeat(256) } };
    const [refused, other] = await jira.create(reached, [bad, compose("Other")], prepared);
    expect([refused?.outcome, other]).toMatchObject(["refused", { outcome: "created", issue: { key: "SHOP-2" } }]);
    const outcomes = await jira.create(reached, [compose("A"), compose("B")], prepared);
    for (const outcome of outcomes)
      expect(outcome).toMatchObject({ outcome: "made", among: [{ key: "SHOP-4" }, { key: "SHOP-3" }] });
    fake.settings.hidesIssues = false;
    // All but one are identified, so the remaining one is known too.
    fake.twists.set("POST /rest/api/3/issue/bulkfetch", (done) => {
      const { issues } = done.json as { issues: object[] };
      return { ...done, json: { issues: issues.slice(1) } };
    });
    for (const [at, outcome] of (await jira.create(reached, [compose("0"), compose("1")], prepared)).entries())
      expect(outcome.outcome === "created" && fake.site.issue(outcome.issue.ref).summary).toBe(String(at));
  });

  it("counts as done if Jira's response names issues, even if its numbers do not add up", async () => {
    fake.twists.set("POST /rest/api/3/issue/bulk", (done) => {
      const { issues } = done.json as { issues: object[] };
      return { ...done, json: { issues: issues.slice(1), errors: [] } };
    });
    const outcomes = await jira.create(reached, [compose("A"), compose("B")], prepared);
    expect(outcomes).toMatchObject(Array(2).fill({ outcome: "made", among: [{ key: "SHOP-1" }] }));
    expect(fake.site.issues).toHaveLength(2);
  });

  it("refuses the issue whose number Jira gives, even if another refusal has no number", async () => {
    fake.twists.set("POST /rest/api/3/issue/bulk", (done) => {
      const [error, ...errors] = (done.json as { errors: object[] }).errors;
      return {
        ...done,
        json: { ...(done.json as object), errors: [{ ...error, failedElementNumber: null }, ...errors] },
      };
    });
    const bad = () => ({ ...compose("Bad"), fields: { ...compose("Bad").fields, summary: "x".repeat(256) } });
    const outcomes = await jira.create(reached, [bad(), compose("A"), bad(), compose("B")], prepared);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(["made", "made", "refused", "made"]);
    expect(outcomes[2]).toMatchObject({ reason: expect.stringContaining("255") });
  });

  it("keeps no more issues than were sent, however many a server names", async () => {
    const issues = Array.from({ length: 30_000 }, (_, at) => ({ id: String(at + 1), key: `SHOP-${at + 1}` }));
    fake.twists.set("POST /rest/api/3/issue/bulk", () => ({ status: 201, json: { issues, errors: [] } }));
    const outcomes = await jira.create(reached, [compose("A"), compose("B")], prepared);
    const among = [{ key: "SHOP-1" }, { key: "SHOP-2" }];
    expect(outcomes).toMatchObject(Array(2).fill({ outcome: "made", among }));
  });

  it("has an unknown outcome if a gateway timed out, the token is refused, and anybody may create issues", async () => {
    Object.assign(fake.settings, { tokenRevoked: true, anonymous: true, publicCreates: true });
    for (const status of [408, 499, 500, 502, 504]) {
      fake.twists.set("POST /rest/api/3/issue/bulk", (done) => ({ ...done, status, json: {} }));
      expect(await faultOf(created("A")), String(status)).toMatchObject({ kind: "unknown" });
    }
    fake.twists.set("POST /rest/api/3/issue/bulk", (done) => ({ ...done, status: 403, json: {} }));
    expect(await faultOf(created("A"))).toEqual({ kind: "token_rejected" });
  });

  it("has an unknown outcome if the token is refused, and Jira created the issue as for anybody", async () => {
    Object.assign(fake.settings, { tokenRevoked: true, anonymous: true, publicCreates: true });
    expect(await faultOf(created("A"))).toMatchObject({ kind: "unknown" });
    expect(fake.site.issues).toHaveLength(1);
    expect(await faultOf(find(["any"]))).toEqual({ kind: "token_rejected" });
  });
});

describe("finding issues", () => {
  it("uses the property, over all pages, with twins, once a search shows them", async () => {
    fake.settings.pageSize = 2;
    const items = Array.from({ length: 5 }, (_, at) => compose(`Task ${at}`));
    await jira.create(reached, items, prepared);
    const [twice] = items;
    await jira.create(reached, [twice as (typeof items)[number]], prepared);
    const found = await find(items.map(({ marker }) => marker));
    expect([...found].map(([marker, all]) => [marker, all.length]).toSorted()).toEqual(
      items.map(({ marker }, at) => [marker, at === 0 ? 2 : 1]).toSorted(),
    );
    const first = found.get(twice?.marker ?? "")?.map(({ issue }) => Number(issue.ref)) ?? [];
    expect(first).toEqual(first.toSorted((a, b) => a - b));
    expect((await find(["nobody's"])).size).toBe(0);
    fake.settings.searchLagMs = 60_000;
    const { marker } = await created("Late");
    expect((await find([marker])).size).toBe(0);
    await clock.advance(60_000);
    expect((await find([marker])).size).toBe(1);
  });

  it("does not treat a page as the last one if it announces more", async () => {
    for (const nextPageToken of [undefined, 7]) {
      fake.twists.set("POST /rest/api/3/search/jql", () => ({
        status: 200,
        json: { issues: [], isLast: false, nextPageToken },
      }));
      expect(await faultOf(find(["any"]))).toEqual({ kind: "unknown", reason: "unreadable_answer" });
    }
    fake.twists.set("POST /rest/api/3/search/jql", () => ({ status: 200, json: { issues: [], nextPageToken: 7 } }));
    expect(await faultOf(find(["any"]))).toMatchObject({ kind: "unknown" });
    fake.twists.set("POST /rest/api/3/search/jql", () => ({ status: 200, json: { issues: [] } }));
    expect((await find(["any"])).size).toBe(0);
  });

  it("compares ages by Jira's clock, so that a difference between the clocks hides no issue", async () => {
    const { marker } = await created("Sign-in");
    await clock.advance(9 * 60_000);
    const since = new Date(clock.now().getTime() - 9 * 60_000);
    expect((await jira.find(reached, { markers: [marker], since })).size).toBe(1);
    await clock.advance(10 * 60_000);
    const later = new Date(clock.now().getTime() - 9 * 60_000);
    expect((await jira.find(reached, { markers: [marker], since: later })).size).toBe(0);
  });
});

describe("an issue that exists", () => {
  it("has the fields that were sent, although Jira formats documents in its own way", async () => {
    const { fields, issue } = await created("Sign-in");
    const read = await jira.read(reached, [issue.ref], { hours: false });
    expect(read.get(issue.ref)).toEqual({
      ...{ outcome: "present", issue, closedAt: null, resolution: null, actualHours: null },
      fields: { summary: "Sign-in", description: fields.description, estimate: "750" },
    });
  });

  it("is updated field by field, and gone once it is deleted or moved", async () => {
    const { fields, issue } = await created("Sign-in");
    const update = (changes: Record<string, string>) => jira.update(reached, issue.ref, changes, prepared);
    expect(await update({ summary: "Log-in", estimate: "30" })).toEqual({ outcome: "updated", warnings: [], left: [] });
    expect(fake.site.issue(issue.ref)).toMatchObject({ summary: "Log-in", estimate: 1_800 });
    expect(await update({ description: fields.description ?? "", estimate: "0" })).toMatchObject({
      outcome: "updated",
    });
    expect(fake.site.issue(issue.ref).estimate).toBeNull();
    expect(await update({ summary: "x".repeat(256) })).toEqual({
      outcome: "refused",
      reason: "“summary: Summary can't exceed 255 characters.”",
    });
    // The first thousand of another server's errors are read: a field among them is left out of a second request.
    for (const [others, requests] of [
      [999, 2],
      [1_000, 1],
    ] as const) {
      const errors = Object.fromEntries([
        ...Array.from({ length: others }, (_, at) => [`x${at}`, ""]),
        ["summary", ""],
      ]);
      fake.twists.set("PUT /rest/api/3/issue/{issueIdOrKey}", (done) => ({ ...done, status: 400, json: { errors } }));
      fake.asked.length = 0;
      expect(await update({ summary: "A", estimate: "0" })).toMatchObject({ outcome: "refused" });
      expect(fake.asked.filter(({ operation }) => operation.startsWith("PUT"))).toHaveLength(requests);
    }
    fake.twists.clear();
    // The screen for editing has no time tracking: the rest is updated all the same.
    fake.site.type(TASK).notEdited.add("timetracking");
    expect(await update({ summary: "Sign in", estimate: "60" })).toEqual({
      outcome: "updated",
      left: ["estimate"],
      warnings: [
        { code: "field_refused", message: expect.stringMatching(/the estimate .*'timetracking' cannot be set/) },
      ],
    });
    expect(fake.site.issue(issue.ref)).toMatchObject({ summary: "Sign in", estimate: null });
    expect(await update({ estimate: "60" })).toMatchObject({ outcome: "refused" });
    fake.site.issue(issue.ref).projectId = "10002";
    const state = async () => (await jira.read(reached, [issue.ref], { hours: false })).get(issue.ref);
    expect(await state()).toEqual({ outcome: "gone", reason: "moved" });
    fake.site.issue(issue.ref).deleted = true;
    expect(await state()).toEqual({ outcome: "gone", reason: "deleted" });
    expect(await update({ summary: "A" })).toEqual({ outcome: "gone", reason: "deleted" });
    fake.settings.permissions.delete("BROWSE_PROJECTS");
    expect(await faultOf(state())).toMatchObject({ kind: "blocked", problem: { code: "destination_missing" } });
  });

  it("has the estimate as what remains, until work is logged: then that stays as it is", async () => {
    const { issue } = await created("Sign-in");
    const stored = fake.site.issue(issue.ref);
    const update = (estimate: string) => jira.update(reached, issue.ref, { estimate }, prepared);
    expect(stored).toMatchObject({ estimate: 45_000, remaining: 45_000 });
    await update("60");
    expect(stored).toMatchObject({ estimate: 3_600, remaining: 3_600 });
    await update("0");
    expect(stored).toMatchObject({ estimate: null, remaining: 0 });
    await update("60");
    Object.assign(stored, { remaining: 1_800 });
    stored.worklogs.push(1_800);
    await update("120");
    expect(stored).toMatchObject({ estimate: 7_200, remaining: 1_800 });
  });

  it("is placed below another if the types allow it, and left where people have placed it", async () => {
    reached = await reach("Epic");
    const [one, two] = [await created("One"), await created("Two")];
    const child = await created("Child", { depth: 1, parentRef: one.issue.ref });
    const link = (parentRef: string, from: string | null) => jira.link(reached, child.issue.ref, { parentRef, from });
    expect(await link(one.issue.ref, null)).toEqual({ outcome: "linked" });
    expect(await link(two.issue.ref, null)).toMatchObject({ outcome: "refused" });
    expect(await link(two.issue.ref, one.issue.ref)).toEqual({ outcome: "linked" });
    expect(fake.site.issue(child.issue.ref).parent).toBe(two.issue.ref);
    const other = await created("Other");
    expect(await jira.link(reached, other.issue.ref, { parentRef: two.issue.ref, from: null })).toMatchObject({
      outcome: "refused",
      reason: expect.stringContaining("appropriate hierarchy"),
    });
  });

  it("returns when it was done, and how long people worked on it, from all pages of work logs", async () => {
    fake.settings.pageSize = 2;
    const { issue } = await created("Sign-in");
    const state = async () => (await jira.read(reached, [issue.ref], { hours: true })).get(issue.ref);
    expect(await state()).toMatchObject({ closedAt: null, actualHours: null });
    fake.site.issue(issue.ref).worklogs.push(3_600, 1_800, 900, 36, 3_600);
    fake.site.issue(issue.ref).doneAt = clock.now();
    expect(await state()).toMatchObject({ closedAt: clock.now(), actualHours: 2.76 });
    fake.site.issue(issue.ref).resolves = false;
    expect(await state()).toMatchObject({ closedAt: clock.now() });
    // Jira no longer has them, but it has the issue.
    fake.twists.set("GET /rest/api/3/issue/{issueIdOrKey}/worklog", () => ({ status: 404, json: {} }));
    expect(await state()).toMatchObject({ outcome: "present", actualHours: null });
    fake.twists.clear();
    // Deleted between its reading and that of its work logs.
    const { site } = fake;
    fake.onRequest(() => Object.assign(site.issue(issue.ref), { deleted: true }), /worklog$/);
    expect(await state()).toEqual({ outcome: "gone", reason: "deleted" });
    Object.assign(site.issues[0] ?? {}, { deleted: false });
    const without = await jira.read(reached, [issue.ref], { hours: false });
    expect(without.get(issue.ref)).toMatchObject({ actualHours: null });
  });
});

it("the address of a page is accepted, and every spelling is the same address", () => {
  const address = (baseUrl: string) => siteUrl({ baseUrl });
  const site = "https://acme.atlassian.net";
  for (const text of [site, `${site}/`, `${site}/jira/software/projects/SHOP/boards/1`, `${site}/rest/api/3`])
    expect(address(text)).toBe(site);
  const gateway = "https://api.atlassian.com/ex/jira/11223344-a1b2-3b33-c444-def123456789";
  for (const text of [gateway, `${gateway}/`, `${gateway}/rest/api/3/myself`]) expect(address(text)).toBe(gateway);
  expect(address("https://jira.example.com/proxy/")).toBe("https://jira.example.com/proxy");
});
