import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { limits } from "../../../../../contract/limits.ts";
import { markersIn } from "../../../../../domain/exports/github/marker.ts";
import { createFakeClock, type FakeClock } from "../../../../../tests/fake-clock.ts";
import { until } from "../../../../../tests/harness.ts";
import { type FakeGithub, startGithub } from "../../../../../tests/support/github/server.ts";
import { createOutbound, type Outbound } from "../../../../platform/outbound/index.ts";
import { problemsOf } from "../../check.ts";
import type { Created } from "../issues.ts";
import type { Access, Call, Reached } from "../reach.ts";
import type { Tracker } from "../tracker.ts";
import { type Fault, TrackerFault } from "../tracker-fault.ts";
import { createGithub, nesting } from "./index.ts";
import { organizationFault } from "./refusals.ts";

const dataDir = mkdtempSync(join(tmpdir(), "github-"));
const estimation = { id: "est_01k0000000abcdefghjkmnpqrs", title: "Shop", url: "https://estimates.example/1" };
const CREATE = /^POST .*\/issues$/;
let clock: FakeClock;
let fake: FakeGithub;
let outbound: Outbound;
let github: Tracker;
let access: Access;
let reached: Reached;

beforeEach(async () => {
  clock = createFakeClock(new Date("2027-01-31T12:00:00.000Z"));
  fake = await startGithub({ now: clock.now, lateMs: 90_000 });
  fake.trustedBy(dataDir);
  outbound = createOutbound({
    clock,
    log: pino({ level: "silent" }),
    allowedNetworks: ["127.0.0.0/8"],
    allowedPorts: [],
    trustedFolder: join(dataDir, "trusted-ca"),
  });
  github = createGithub({ outbound, clock, githubApiUrl: "https://api.github.com", githubWritesPerMinute: 60 });
  access = { baseUrl: fake.url, email: null, token: fake.token };
  reached = { access, destination: { project: fake.name, issueType: null }, layout };
});
afterEach(async () => {
  expect(fake.violations).toEqual([]);
  expect(fake.faults.left()).toBe(0);
  await outbound.close();
  await fake.close();
});
afterAll(() => rmSync(dataDir, { recursive: true }));

let counted = 0;
const nextMarker = () => {
  counted += 1;
  return `exi_01k${String(counted).padStart(23, "0")}`;
};
const task = (title: string, marker = nextMarker()) => ({
  ...{ title, description: "Ask @anna", hours: 12.5, role: "backend", milestone: null, depth: 0, parentLink: null },
  marker,
});
const layout = { project: "acme/shop", nesting };
const label = "estimation-efghjkmnpqrs";
const prepared = { ids: { label }, missing: [] };
const compose = (title: string, marker?: string) => {
  const one = task(title, marker);
  return { marker: one.marker, fields: github.compose(one, estimation, layout).fields, depth: 0, parentRef: null };
};
/** The message about a 403 with this header; null: it is none of single sign-on. */
function problemOfHeader(header: string): string | null {
  const response = { status: 403, headers: { "x-github-sso": header }, body: Buffer.alloc(0) };
  const judged = { message: "", now: clock.now(), writes: false, access };
  const fault = organizationFault(response, judged);
  return fault?.kind === "blocked" ? fault.problem.message : null;
}
const inBeta = () => {
  const item = compose("Sign-in");
  return { ...item, fields: { ...item.fields, milestone: "beta" } };
};
/** The codes of the warnings about an issue; null: it was not created. */
const warningsOf = (outcome: Created | undefined) =>
  outcome?.outcome === "created" ? outcome.warnings.map(({ code }) => code) : null;
const create = async (title: string, call?: Call) => {
  const item = compose(title);
  const [outcome] = await github.create(reached, [item], prepared, call);
  return { ...item, outcome };
};
const created = async (title: string) => {
  const { outcome, ...item } = await create(title);
  if (outcome?.outcome !== "created") throw new Error(`${title} was refused`);
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
const codesOf = async (destination = true) =>
  (await problemsOf(github, access, destination ? reached.destination : null, clock)).map(({ code }) => code);
const find = async (markers: readonly string[], since = clock.now()) => {
  const found = await github.find(reached, { markers, since: new Date(since.getTime() - 300_000) });
  return markers.map((marker) => (found.get(marker) ?? []).map(({ issue }) => issue.key));
};
const inSeconds = (seconds: number) => new Date(clock.now().getTime() + seconds * 1_000);
const asked = (operation: RegExp) => fake.asked.filter((one) => operation.test(one.operation)).length;

it("stops reading if each response comes just in time, but all of them together too late", async () => {
  const { issue } = await created("One");
  const refs = Array.from({ length: github.readBatch }, () => issue.ref);
  const slowly = (nth: number) => void fake.onRequest(() => void clock.advance(25_000), /./, nth);
  for (let nth = 1; nth <= refs.length; nth += 1) slowly(nth);
  expect(await faultOf(github.read(reached, refs, { hours: false }))).toMatchObject({ kind: "unknown" });
});

describe("checking a connection", () => {
  it("finds no problem if everything works, also below /api/v3 and at an address of the API itself", async () => {
    expect([await codesOf(), await codesOf(false)]).toEqual([[], []]);
    access = { ...access, baseUrl: `${fake.url}/api/v3/` };
    expect(await codesOf()).toEqual([]);
  });

  it("reports each problem, with its remedy", async () => {
    const { settings } = fake;
    const problemsWith = async (change: Partial<typeof settings>) => {
      const before = { ...settings };
      Object.assign(settings, change);
      const problems = await problemsOf(github, access, reached.destination, clock);
      Object.assign(settings, before);
      for (const { message, remedy } of problems) expect([message, remedy]).not.toContain("");
      return problems.map(({ code }) => code);
    };
    expect(await problemsWith({ tokenRevoked: true })).toEqual(["token_rejected"]);
    expect(await problemsWith({ exists: false })).toEqual(["destination_missing"]);
    expect(await problemsWith({ signOn: true })).toEqual(["sign_on_missing"]);
    expect(await problemsWith({ addressList: true })).toEqual(["address_not_allowed"]);
    expect(await problemsWith({ renamed: true })).toEqual(["destination_moved"]);
    expect(await problemsWith({ fullName: "acme/shop-2" })).toEqual(["destination_moved"]);
    expect(await problemsWith({ fullName: "ACME/Shop" })).toEqual([]);
    expect(await problemsWith({ archived: true })).toEqual(["destination_archived"]);
    expect(await problemsWith({ hasIssues: false })).toEqual(["issues_disabled"]);
    expect(await problemsWith({ push: false })).toEqual(["permission_missing"]);
    expect(await problemsWith({ scopes: "gist, public_repo" })).toEqual(["scope_missing"]);
    expect(await problemsWith({ scopes: "public_repo", isPrivate: false })).toEqual([]);
    expect(await problemsWith({ scopes: "repo, gist" })).toEqual([]);
    expect(await problemsWith({ push: false, hasIssues: false })).toEqual(["issues_disabled", "permission_missing"]);
  });

  it("says where the token is authorized for single sign-on, in the middle of a run too, and what refuses the address", async () => {
    const { fields } = compose("Sign-in");
    fake.settings.signOn = true;
    const url = `${fake.url}/orgs/acme/sso?authorization_request=AZSCKL4B7WQ`;
    const message = `The organization requires single sign-on for the token: “${url}”.`;
    const [found] = await problemsOf(github, access, reached.destination, clock);
    expect(found).toMatchObject({ code: "sign_on_missing", message });
    const item = { marker: "m", fields, depth: 0, parentRef: null };
    for (const asking of [
      () => github.create(reached, [item], prepared),
      () => github.read(reached, ["1:5000000017"], { hours: false }),
      () => github.survey(reached, { estimation, milestones: [] }),
    ])
      expect(await faultOf(asking())).toMatchObject({ kind: "blocked", problem: { code: "sign_on_missing", message } });
    // A page elsewhere is not shown.
    expect(problemOfHeader("required; url=https://elsewhere.example/orgs/acme/sso?x=1")).not.toContain("elsewhere");
    expect(problemOfHeader("required")).toContain("single sign-on");
    expect(problemOfHeader("partial-results; organizations=1")).toBeNull();
    Object.assign(fake.settings, { signOn: false, addressList: true });
    expect(await faultOf(github.create(reached, [item], prepared))).toMatchObject({
      problem: { code: "address_not_allowed", message: expect.stringContaining("IP allow list enabled") },
    });
  });

  it("finds no problem if issues can only be read and are not to be written", async () => {
    const { settings } = fake;
    const before = { ...settings };
    const reading = async (change: Partial<typeof settings>) => {
      Object.assign(settings, before, change);
      const { problems, destination } = await github.check(access, reached.destination, { writes: false });
      Object.assign(settings, before);
      return [problems.map(({ code }) => code), destination !== null];
    };
    expect(await reading({ archived: true, push: false })).toEqual([[], true]);
    expect(await reading({ scopes: "read:user", isPrivate: false })).toEqual([[], true]);
    expect(await reading({ scopes: "public_repo" })).toEqual([["scope_missing"], true]);
    expect(await reading({ hasIssues: false })).toEqual([["issues_disabled"], true]);
    expect(await reading({ exists: false })).toEqual([["destination_missing"], false]);
  });

  it("reports that the tracker is busy or unreachable", async () => {
    fake.faults.next("used_up");
    fake.faults.next("error_before");
    expect([await codesOf(), await codesOf()]).toEqual([["busy"], ["unreachable"]]);
    access = { ...access, baseUrl: "https://127.0.0.1:1" };
    expect(await codesOf(false)).toEqual(["unreachable"]);
  });

  it("refuses names that would lead to another path", async () => {
    for (const project of ["acme", "acme/shop/issues", "acme/..", "../acme", "acme/a?b", "acme/", "a b/c"]) {
      reached = { access, destination: { project, issueType: null }, layout };
      expect(await codesOf()).toEqual(["destination_missing"]);
    }
    expect(fake.asked).toEqual([]);
  });
});

describe("listing repositories", () => {
  const name = (at: number) => `acme/shop-${at}`;

  const namesOf = async (words: string) => {
    const { listed, problems } = await github.projects(access, words);
    return [listed.map(({ key }) => key), problems.map(({ code }) => code)];
  };

  it("finds words in their names, page by page, up to the limit", async () => {
    fake.repository.reached = Array.from({ length: 250 }, (_, at) => name(at));
    expect(await github.projects(access, " SHOP-24")).toEqual({
      listed: [24, 240, 241, 242, 243, 244, 245, 246, 247, 248, 249].map((at) => ({
        key: name(at),
        name: `shop-${at}`,
      })),
      problems: [],
    });
    const { listed, problems } = await github.projects(access, "");
    expect([listed.length, problems]).toEqual([limits.trackerProjectsListed, []]);
    expect(await namesOf("nothing")).toEqual([[], []]);
    expect(await github.issueTypes(access, "acme/shop")).toEqual([]);
  });

  it("finds one that is named in full behind 300 others, and says otherwise that not all were searched", async () => {
    fake.repository.reached = Array.from({ length: 341 }, (_, at) => name(at));
    expect(await namesOf("acme/SHOP-340")).toEqual([["acme/shop-340"], []]);
    expect(await namesOf("shop-340")).toEqual([[], ["list_incomplete"]]);
    expect(await namesOf("acme/shop-399")).toEqual([[], ["list_incomplete"]]);
    // Each of the first 300 is found, and more than the limit need no search of the others.
    expect(await namesOf("acme/shop-299")).toEqual([["acme/shop-299"], []]);
    expect((await namesOf("shop"))[1]).toEqual([]);
    fake.repository.reached = fake.repository.reached.slice(0, 299);
    expect(await namesOf("shop-340")).toEqual([[], []]);
    for (const words of ["../..", "acme/..", "a.b/c", "acme/shop/issues"])
      expect(await namesOf(words)).toEqual([[], []]);
  });

  it("says how many organizations hide their repositories, and that the token may list none", async () => {
    fake.repository.reached = [name(1)];
    fake.settings.hiddenOrganizations = 2;
    const { listed, problems } = await github.projects(access, "shop");
    expect(listed).toHaveLength(1);
    expect(problems).toMatchObject([{ code: "sign_on_missing", message: expect.stringContaining("2 organizations") }]);
    fake.settings.listsNothing = true;
    expect(await faultOf(github.projects(access, "shop"))).toMatchObject({
      ...{ kind: "blocked", problem: { code: "permission_missing" } },
    });
    expect(await namesOf("acme/shop-1")).toEqual([["acme/shop-1"], ["permission_missing"]]);
  });

  it("is refused if the token is", async () => {
    fake.settings.tokenRevoked = true;
    expect(await faultOf(github.projects(access, ""))).toEqual({ kind: "token_rejected" });
  });
});

describe("creating an issue", () => {
  it("sends the fields of the task, and returns the issue's address", async () => {
    const { marker, issue } = await created("Sign-in");
    expect(issue).toEqual({ ref: "1:5000000017", key: "#1", url: `${fake.url}/acme/shop/issues/1` });
    const [stored] = fake.repository.issues;
    expect(stored).toMatchObject({ title: "Sign-in", labels: [label], milestone: null });
    expect(markersIn(stored?.body ?? "")).toEqual([marker]);
    expect(stored?.body).toContain("**Estimate:** 12.5 h");
  });

  it("warns of labels and milestones that were dropped", async () => {
    fake.settings.push = false;
    fake.repository.milestones.push({ number: 1, title: "Beta", dueOn: null });
    const [outcome] = await github.create(reached, [inBeta()], { ids: { label, "milestone beta": "1" }, missing: [] });
    expect(warningsOf(outcome)).toEqual(["label_dropped", "milestone_dropped"]);
  });

  it("returns GitHub's message for a refusal", async () => {
    const { fields } = compose("Sign-in");
    const [outcome] = await github.create(
      reached,
      [{ marker: "m", fields: { ...fields, title: "x".repeat(257) }, depth: 0, parentRef: null }],
      prepared,
    );
    expect(outcome).toEqual({
      outcome: "refused",
      reason: "“Validation Failed; title is too long (maximum is 256 characters)”",
    });
    expect(fake.repository.issues).toEqual([]);
  });

  it.each(["error_after", "reset_after", "truncated", "late"] as const)("%s: it may exist, and does", async (kind) => {
    fake.faults.next(kind, CREATE);
    expect((await faultOf(create("Sign-in"))).kind).toBe("unknown");
    expect(fake.repository.byMarker().size).toBe(1);
    expect(asked(CREATE)).toBe(1);
  });

  it.each(["error_before", "reset_before"] as const)("%s: it may exist, and does not", async (kind) => {
    fake.faults.next(kind, CREATE);
    expect((await faultOf(create("Sign-in"))).kind).toBe("unknown");
    expect(fake.repository.issues).toEqual([]);
    expect(asked(CREATE)).toBe(1);
  });

  it("a response that takes too long leaves open whether the issue exists", async () => {
    fake.faults.next("slow", CREATE);
    const fault = faultOf(create("Sign-in"));
    await until(() => fake.repository.issues.length === 1);
    await clock.advance(29_999);
    await clock.advance(1);
    expect(await fault).toEqual({ kind: "unknown", reason: "timeout" });
  });

  it("may be made only after the service has stopped waiting for the response", async () => {
    fake.faults.next("slow_before", CREATE);
    const fault = faultOf(create("Sign-in"));
    await until(() => asked(CREATE) === 1);
    await clock.advance(30_000);
    expect((await fault).kind).toBe("unknown");
    expect(fake.repository.issues.length).toBe(0);
    fake.release();
    await until(() => fake.repository.issues.length === 1);
  });

  it("ends when it is aborted", async () => {
    fake.faults.next("slow", CREATE);
    const ended = new AbortController();
    const fault = faultOf(create("Sign-in", { signal: ended.signal }));
    await until(() => fake.repository.issues.length === 1);
    ended.abort();
    expect(await fault).toEqual({ kind: "unknown", reason: "aborted" });
  });

  it.each([
    ["retry_after_429", 30, true],
    ["retry_after_403", 30, true],
    ["used_up", 30, false],
    ["secondary", 60, true],
    ["too_quickly", 60, true],
  ] as const)("%s: nothing was done, and nothing may be sent for %i seconds", async (kind, seconds, grows) => {
    fake.faults.next(kind, CREATE);
    expect(await faultOf(create("Sign-in"))).toEqual({ kind: "wait", until: inSeconds(seconds), grows });
    expect(fake.repository.issues).toEqual([]);
  });

  it("obeys GitHub's own limit of 80 writes a minute", async () => {
    for (let count = 0; count < 80; count += 1) await create(`Task ${count}`);
    expect(await faultOf(create("One more"))).toEqual({ kind: "wait", until: inSeconds(60), grows: true });
    await clock.advance(60_000);
    expect((await create("One more")).outcome).toMatchObject({ outcome: "created" });
  });

  it("reports that the token is not accepted, or what blocks the repository", async () => {
    const { settings } = fake;
    fake.faults.next("unauthorized", CREATE);
    expect(await faultOf(create("Sign-in"))).toEqual({ kind: "token_rejected" });
    const blockedBy = async (change: Partial<typeof settings>) => {
      const before = { ...settings };
      Object.assign(settings, change);
      const fault = await faultOf(create("Sign-in"));
      Object.assign(settings, before);
      return fault.kind === "blocked" ? fault.problem.code : fault.kind;
    };
    expect(await blockedBy({ exists: false })).toBe("destination_missing");
    expect(await blockedBy({ renamed: true })).toBe("destination_moved");
    expect(await blockedBy({ archived: true })).toBe("destination_archived");
    expect(await blockedBy({ hasIssues: false })).toBe("issues_disabled");
    expect(fake.repository.issues).toEqual([]);
  });

  it("was not sent if nothing listens", async () => {
    reached = { ...reached, access: { ...access, baseUrl: "https://127.0.0.1:1" } };
    expect(await faultOf(create("Sign-in"))).toEqual({ kind: "not_sent", reason: "connection_refused" });
    reached = { ...reached, access: { ...access, baseUrl: "https://10.1.2.3" } };
    expect(await faultOf(create("Sign-in"))).toEqual({ kind: "not_sent", reason: "no_usable_address" });
  });
});

describe("finding issues by their markers", () => {
  it("finds all of them, over all pages, with closed ones and twins", async () => {
    fake.settings.writesPerMinute = Number.POSITIVE_INFINITY;
    const first = await created("First");
    for (let count = 0; count < 120; count += 1) fake.repository.create({ title: `Other ${count}` });
    const second = await created("Second");
    fake.repository.close(1);
    fake.repository.create({ title: "Copy", body: `Copied:\r\n${second.fields.body}` });
    expect(await find([first.marker, second.marker, "none"])).toEqual([["#1"], ["#122", "#123"], []]);
    expect(asked(/^GET .*\/issues$/)).toBe(2);
  });

  it("does not see what the list does not show yet", async () => {
    fake.settings.listLagMs = 60_000;
    const { marker } = await created("Sign-in");
    expect(await find([marker])).toEqual([[]]);
    await clock.advance(60_000);
    expect(await find([marker])).toEqual([["#1"]]);
  });

  it("finds issues whose label was dropped, and leaves out pull requests and older issues", async () => {
    const old = await created("Old");
    await clock.advance(3_600_000);
    fake.settings.push = false;
    const { marker, fields } = await created("Sign-in");
    fake.repository.create({ title: "Pull request", body: String(fields.body), isPullRequest: true });
    fake.repository.edit(1, { title: "Changed lately" });
    expect(await find([old.marker, marker])).toEqual([[], ["#2"]]);
  });

  it("requests fewer issues if their texts do not fit into a response", async () => {
    // 60 texts of 250 KB each are 15 MB: only a page of a few fits into 4 MiB.
    const { marker } = await created("First");
    for (let count = 0; count < 60; count += 1) fake.repository.create({ title: `${count}`, body: "€".repeat(65_536) });
    expect(await find([marker])).toEqual([["#1"]]);
    expect(asked(/^GET .*\/issues$/)).toBeLessThan(20);
  });

  it("reports what prevents it", async () => {
    fake.faults.next("truncated", /^GET .*\/issues$/);
    expect((await faultOf(find(["none"]))).kind).toBe("unknown");
    fake.faults.next("retry_after_403", /^GET .*\/issues$/);
    expect((await faultOf(find(["none"]))).kind).toBe("wait");
    fake.settings.hasIssues = false;
    expect(await faultOf(find(["none"]))).toMatchObject({ kind: "blocked", problem: { code: "issues_disabled" } });
  });
});

describe("preparing a repository", () => {
  const milestones = [
    { title: "Beta", dueDate: "2027-03-31" },
    { title: "Launch", dueDate: null },
    { title: " beta ", dueDate: null },
    { title: "constructor", dueDate: null },
  ];
  const survey = () => github.survey(reached, { estimation, milestones });
  const make = async () => github.make(reached, { estimation, milestones }, await survey());

  it("reads what exists, then makes one thing at a time, each once", async () => {
    fake.repository.createMilestone({ title: "LAUNCH" });
    expect(await survey()).toEqual({
      ids: { label, "milestone launch": "1" },
      missing: ["label", "milestone beta", "milestone constructor"],
    });
    const first = await make();
    expect(first.missing).toEqual(["milestone beta", "milestone constructor"]);
    const second = await github.make(reached, { estimation, milestones }, first);
    const ids = { label, "milestone launch": "1", "milestone beta": "2" };
    expect(second).toEqual({ ids, missing: ["milestone constructor"] });
    const last = { ids: { ...ids, "milestone constructor": "3" }, missing: [] };
    expect([await make(), await survey(), await make()]).toEqual([last, last, last]);
    expect(fake.repository.milestones.map(({ title, dueOn }) => [title, dueOn])).toEqual([
      ["LAUNCH", null],
      ["Beta", "2027-03-31T12:00:00Z"],
      ["constructor", null],
    ]);
    expect(fake.repository.labels).toEqual([{ name: label, description: "Shop", color: "1d76db" }]);
  });

  it("takes a title with characters that GitHub accepts in no label's description", async () => {
    for (const [title, description] of [
      ["Shop 🛒 relaunch", "Shop relaunch"],
      ["👩🏽‍💻 𝔸 面", "面"],
      ["🚀", ""],
    ] as const) {
      fake.repository.labels.splice(0);
      const wanted = { estimation: { ...estimation, title }, milestones: [] };
      expect(await github.make(reached, wanted, await github.survey(reached, wanted))).toEqual({
        ids: { label },
        missing: [],
      });
      expect(fake.repository.labels).toEqual([{ name: label, description, color: "1d76db" }]);
    }
  });

  it("goes without a label's description, a label and a milestone that GitHub refuses", async () => {
    fake.faults.next("invalid", /^POST .*\/labels$/);
    expect((await make()).ids).toEqual({ label });
    expect(fake.repository.labels).toEqual([{ name: label, description: "", color: "1d76db" }]);

    fake.repository.labels.splice(0);
    const refuse = (what: RegExp) => fake.faults.next("invalid", what);
    for (let times = 0; times < 2; times += 1) refuse(/^POST .*\/labels$/);
    for (let times = 0; times < 3; times += 1) refuse(/^POST .*\/milestones$/);
    let prepared = await survey();
    while (prepared.missing.length > 0) prepared = await github.make(reached, { estimation, milestones }, prepared);
    expect(prepared.ids).toEqual({});
    const [outcome] = await github.create(reached, [inBeta()], prepared);
    expect(warningsOf(outcome)).toEqual(["label_dropped", "milestone_dropped"]);
    expect(fake.repository.issues).toMatchObject([{ labels: [], milestone: null }]);
  });

  it("goes without a milestone that was deleted since", async () => {
    const gone = { ids: { label, "milestone beta": "7" }, missing: [] };
    const [outcome] = await github.create(reached, [inBeta()], gone);
    expect(warningsOf(outcome)).toEqual(["label_dropped", "milestone_dropped"]);
    const { ref } = outcome?.outcome === "created" ? outcome.issue : { ref: "" };
    const updated = await github.update(reached, ref, { title: "Log-in", milestone: "beta" }, gone);
    expect(updated).toMatchObject({ outcome: "updated", left: ["milestone"] });
    expect(fake.repository.issues).toMatchObject([{ title: "Log-in", milestone: null }]);
  });

  it("finds an issue whose response was lost", async () => {
    fake.faults.next("reset_after", /^POST .*\/labels$/);
    expect((await faultOf(make())).kind).toBe("unknown");
    fake.faults.next("error_after", /^POST .*\/milestones$/);
    expect((await faultOf(make())).kind).toBe("unknown");
    for (let missing = 3; missing > 0; ) missing = (await make()).missing.length;
    expect([fake.repository.labels.length, fake.repository.milestones.length]).toEqual([1, 3]);
  });

  it("reports what blocks it", async () => {
    fake.settings.push = false;
    expect(await faultOf(make())).toMatchObject({ kind: "blocked", problem: { code: "permission_missing" } });
  });
});

describe("placing an issue below another", () => {
  type Known = Awaited<ReturnType<typeof created>>;
  const link = (child: Known, parent: Known, from: Known | null = null) =>
    github.link(reached, child.issue.ref, { parentRef: parent.issue.ref, from: from?.issue.ref ?? null });

  it("uses the id of the child, and the second time changes nothing", async () => {
    const [parent, child] = [await created("Parent"), await created("Child")];
    expect([await link(child, parent), await link(child, parent)]).toEqual([
      { outcome: "linked" },
      { outcome: "linked" },
    ]);
    expect(fake.repository.issues.map((issue) => issue.parent)).toEqual([null, 1]);
  });

  it("is requested again after a lost response", async () => {
    const [parent, child] = [await created("Parent"), await created("Child")];
    fake.faults.next("reset_after", /sub_issues$/);
    expect((await faultOf(link(child, parent))).kind).toBe("unknown");
    expect(await link(child, parent)).toEqual({ outcome: "linked" });
  });

  it("leaves an issue where people have placed it, and reports that", async () => {
    const [parent, other, child] = [await created("Parent"), await created("Other"), await created("Child")];
    await link(child, other);
    expect(await link(child, parent)).toMatchObject({
      outcome: "refused",
      reason: expect.stringContaining("only have one parent"),
    });
    expect(fake.repository.issues[2]?.parent).toBe(2);
  });

  it("moves an issue from where an earlier export has placed it, unless people have moved it since", async () => {
    const issues = [await created("Former"), await created("Parent"), await created("Other"), await created("Child")];
    const [former, parent, other, child] = issues as [Known, Known, Known, Known];
    await link(child, former);
    expect(await link(child, parent, former)).toEqual({ outcome: "linked" });
    expect(fake.repository.issue(4).parent).toBe(2);
    const before = asked(/sub_issues$/);
    expect(await link(child, parent, former)).toEqual({ outcome: "linked" });
    expect(asked(/sub_issues$/)).toBe(before);
    expect((await link(child, other, former)).outcome).toBe("refused");
    expect(fake.repository.issue(4).parent).toBe(2);
  });

  it("is refused by GitHub if it happens at the same time as another, and nothing is done", async () => {
    const [parent, one, two] = [await created("Parent"), await created("One"), await created("Two")];
    fake.faults.next("slow_before", /sub_issues$/);
    const first = link(one, parent);
    await until(() => asked(/sub_issues$/) === 1);
    expect((await faultOf(link(two, parent))).kind).toBe("not_sent");
    fake.release();
    expect(await first).toEqual({ outcome: "linked" });
    expect(fake.repository.issues.map((issue) => issue.parent)).toEqual([null, 1, null]);
  });

  it("reports that the child is gone", async () => {
    const [parent, child] = [await created("Parent"), await created("Child")];
    fake.repository.issue(2).gone = "deleted";
    expect(await link(child, parent)).toEqual({ outcome: "gone", reason: "deleted" });
  });
});

describe("updating and reading issues", () => {
  const read = async (refs: readonly string[], hours = false) => [
    ...(await github.read(reached, refs, { hours })).values(),
  ];

  it("sets only the given fields", async () => {
    const { issue, fields } = await created("Sign-in");
    fake.repository.createMilestone({ title: "Beta" });
    const update = (changes: Record<string, string | null>) =>
      github.update(reached, issue.ref, changes, { ids: { label, "milestone beta": "1" }, missing: [] });
    expect(await update({ title: "Log-in" })).toEqual({ outcome: "updated", warnings: [], left: [] });
    expect(await update({ milestone: "beta" })).toEqual({ outcome: "updated", warnings: [], left: [] });
    expect(await read([issue.ref])).toEqual([
      {
        outcome: "present",
        issue,
        fields: { title: "Log-in", body: fields.body, milestone: "beta" },
        closedAt: null,
        resolution: null,
        actualHours: null,
      },
    ]);
    await update({ milestone: null });
    expect(fake.repository.issues[0]).toMatchObject({ title: "Log-in", milestone: null });
    expect(await update({ title: " " })).toMatchObject({ outcome: "refused" });
  });

  it("distinguishes closed, deleted and moved issues, and another issue with the same number", async () => {
    const refs: string[] = [];
    for (const title of ["Closed", "Deleted", "Moved", "Hidden"]) refs.push((await created(title)).issue.ref);
    fake.repository.close(1);
    fake.repository.issue(2).gone = "deleted";
    fake.repository.issue(3).gone = "transferred";
    fake.repository.issue(4).gone = "hidden";
    const [closed, ...gone] = await read([...refs, "1:1"]);
    expect(closed).toMatchObject({ outcome: "present", closedAt: new Date("2027-01-31T12:00:00.000Z") });
    expect(gone).toEqual([
      { outcome: "gone", reason: "deleted" },
      { outcome: "gone", reason: "moved" },
      { outcome: "gone", reason: "moved" },
      { outcome: "gone", reason: "deleted" },
    ]);
    const update = (ref = "") => github.update(reached, ref, { title: "New" }, prepared);
    expect([await update(refs[1]), await update(refs[2]), await update(refs[3])]).toEqual(gone.slice(0, 3));
    fake.repository.reopen(1);
    expect((await read(refs.slice(0, 1)))[0]).toMatchObject({ closedAt: null });
  });

  it("detects that an issue was turned into a pull request, and leaves that unchanged", async () => {
    const [parent, { issue }] = [await created("Parent"), await created("Sign-in")];
    fake.repository.issue(2).isPullRequest = true;
    const gone = { outcome: "gone", reason: "pull_request" };
    expect(await read([issue.ref])).toEqual([gone]);
    const parents = { parentRef: parent.issue.ref, from: parent.issue.ref };
    expect(await github.link(reached, issue.ref, parents)).toEqual(gone);
    // The repository was made anew: the number is now that of another pull request.
    expect(await read(["2:1"])).toEqual([{ outcome: "gone", reason: "deleted" }]);
  });

  it("detects deleted issues in a repository that was archived", async () => {
    const { issue } = await created("Sign-in");
    fake.repository.issue(1).gone = "deleted";
    Object.assign(fake.settings, { archived: true, push: false });
    expect(await read([issue.ref])).toEqual([{ outcome: "gone", reason: "deleted" }]);
    Object.assign(fake.settings, { archived: false, push: true });
  });

  it("does not report issues as deleted if the repository is unreachable", async () => {
    const { issue } = await created("Sign-in");
    const kindWith = async (change: Partial<typeof fake.settings>) => {
      const before = { ...fake.settings };
      Object.assign(fake.settings, change);
      const faults = [
        await faultOf(read([issue.ref])),
        await faultOf(github.update(reached, issue.ref, { title: "New" }, prepared)),
      ];
      Object.assign(fake.settings, before);
      return faults.map((fault) => (fault.kind === "blocked" ? fault.problem.code : fault.kind));
    };
    expect(await kindWith({ exists: false })).toEqual(["destination_missing", "destination_missing"]);
    expect(await kindWith({ renamed: true })).toEqual(["destination_moved", "destination_moved"]);
    expect(await kindWith({ hasIssues: false })).toEqual(["issues_disabled", "issues_disabled"]);
    expect(await kindWith({ tokenRevoked: true })).toEqual(["token_rejected", "token_rejected"]);
  });

  it("reads hours from a label, else from the last comment of a member that gives them", async () => {
    const { issue } = await created("Sign-in");
    const hours = async () => (await read([issue.ref], true)).map((one) => "actualHours" in one && one.actualHours);
    expect(await hours()).toEqual([null]);
    fake.repository.comment(1, "Actual hours: 3");
    fake.repository.comment(1, "Actual hours: 4.5");
    for (let count = 0; count < 25; count += 1) fake.repository.comment(1, "Thanks!");
    fake.repository.comment(1, "Actual hours: 99", "NONE");
    expect(await hours()).toEqual([4.5]);
    expect(asked(/comments$/)).toBe(3);
    fake.repository.issue(1).labels.push("actual hours: 7");
    expect(await hours()).toEqual([7]);
    expect(asked(/comments$/)).toBe(3);
  });

  it("requests the pause that a success announces", async () => {
    const pauses: Date[] = [];
    const { issue } = await created("Sign-in");
    const onPause = (pause: Date) => pauses.push(pause);
    await github.read(reached, [issue.ref], { hours: false }, { onPause });
    expect(pauses).toEqual([]);
    fake.faults.next("last_allowed");
    await github.read(reached, [issue.ref], { hours: false }, { onPause });
    expect(pauses).toEqual([inSeconds(30)]);
  });
});
