import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { actsMs, BULK_TIMEOUT_SECONDS, blank, entryAfter, type LedgerEntry, nextFor, WORTH_MS } from "./ledger.ts";
import { nextStep, type OpenItem } from "./next-step.ts";

const SETTLE_MS = 120_000;
const ACTS_MS = actsMs(BULK_TIMEOUT_SECONDS);
const LOOKED = { settleMs: SETTLE_MS, actsMs: ACTS_MS, progresses: false } as const;
const BOUNDS = { settleMs: SETTLE_MS, batch: 1, readBatch: 25 };

/** How one call goes, at a tracker that does it `actsAfterMs` after the intent and shows it at most `SETTLE_MS` later. */
type Fate =
  | { readonly kind: "created" | "refused" | "not_sent" }
  /**
   * The tracker says that it made it, and not which one it is; Infinity: it never shows it. Others look so often for it
   * before that is stored.
   */
  | { readonly kind: "made"; readonly shownAfterMs: number; readonly lookUps: number }
  /** The response is lost, or this process dies before it stores it. */
  | {
      readonly kind: "lost" | "crash";
      readonly exists: boolean;
      readonly actsAfterMs: number;
      readonly shownAfterMs: number;
    };

const lostFate = (kind: "lost" | "crash") =>
  fc.record({
    kind: fc.constant(kind),
    exists: fc.boolean(),
    actsAfterMs: fc.oneof(fc.constant(ACTS_MS), fc.integer({ min: 0, max: ACTS_MS })),
    shownAfterMs: fc.oneof(fc.constant(SETTLE_MS), fc.integer({ min: 0, max: SETTLE_MS })),
  });
const fate: fc.Arbitrary<Fate> = fc.oneof(
  fc.record({ kind: fc.constantFrom("created" as const, "refused" as const, "not_sent" as const) }),
  lostFate("lost"),
  lostFate("crash"),
);
const made = fc.record({
  kind: fc.constant("made" as const),
  shownAfterMs: fc.oneof(fc.constant(Number.POSITIVE_INFINITY), fc.integer({ min: 0, max: 3 * SETTLE_MS })),
  lookUps: fc.nat(2),
});

const WRONG_TURNS = 300;

/**
 * Drives one task through calls with these fates, and later calls that succeed. The tracker's time goes on; our clock is off
 * by one of `offsetsMs`, another one at each turn, and right in the end. Returns the issues, the entry, and the tracker's time.
 */
function drive(
  fates: readonly Fate[],
  pausesMs: readonly number[],
  offsetsMs: readonly number[] = [0],
  from = { issues: [] as { shownAt: number }[], entry: blank, trueMs: 10_000_000 },
) {
  const { issues } = from;
  let { entry, trueMs } = from;
  const lookUp = (ourMs: number) => {
    const found = issues.some(({ shownAt }) => shownAt <= trueMs);
    const trackerAt = Math.floor(trueMs / 1_000) * 1_000;
    const looked = { at: ourMs, trackerAt, settleMs: SETTLE_MS, actsMs: ACTS_MS, progresses: false };
    entry = entryAfter(entry, { event: "looked_up", ...looked, found });
  };
  for (let turn = 0; turn < 2_000; turn += 1) {
    trueMs += pausesMs[turn % pausesMs.length] ?? 0;
    const ourMs = trueMs + (turn < WRONG_TURNS ? (offsetsMs[turn % offsetsMs.length] ?? 0) : 0);
    const next = nextStep([{ taskId: "t", level: 0, stage: "start", entry }], { ...BOUNDS, nowMs: ourMs });
    if (next.do === "read" || next.do === "give_up") return { issues, entry, trueMs };
    if (next.do === "wait") {
      expect(next.until).toBeGreaterThan(ourMs);
      expect(next.until - ourMs).toBeLessThanOrEqual(ACTS_MS + SETTLE_MS + 2_000);
      trueMs += next.until - ourMs;
      continue;
    }
    if (next.do === "look_up") {
      lookUp(ourMs);
      continue;
    }
    expect(next.do).toBe("send");
    const fate = fates[turn] ?? { kind: "created" };
    entry = entryAfter(entry, { event: "intent" });
    if (fate.kind === "lost" || fate.kind === "crash") {
      const actsAt = trueMs + fate.actsAfterMs;
      if (fate.exists) issues.push({ shownAt: actsAt + fate.shownAfterMs });
      if (fate.kind === "lost") {
        trueMs = actsAt;
        entry = entryAfter(entry, { event: "lost" });
      }
      continue;
    }
    if (fate.kind === "made") {
      issues.push({ shownAt: trueMs + fate.shownAfterMs });
      for (let time = 0; time < fate.lookUps; time += 1) {
        lookUp(ourMs);
        trueMs += ACTS_MS + SETTLE_MS;
      }
    }
    if (fate.kind === "created") issues.push({ shownAt: trueMs + SETTLE_MS });
    entry = entryAfter(entry, { event: fate.kind });
  }
  throw new Error("it does not end");
}

describe("the ledger", () => {
  const fates = fc.array(fate, { maxLength: 60 });
  const pauses = fc.array(fc.integer({ min: 0, max: 90_000 }), { minLength: 1, maxLength: 10 });

  it("results in exactly one issue, whatever is lost, as long as the tracker shows it within the settle time", () => {
    fc.assert(
      fc.property(fates, pauses, (fated, paused) => {
        const { issues, entry } = drive(fated, paused);
        expect([issues.length, entry.state]).toEqual([1, "created"]);
      }),
      { numRuns: 2_000 },
    );
  });

  it("does so whatever our clock shows, and even if it jumps", () => {
    const offset = fc.oneof(fc.integer({ min: -9_000_000, max: 90_000_000 }), fc.constantFrom(0, -600_000, 600_000));
    fc.assert(
      fc.property(fates, pauses, fc.array(offset, { minLength: 1, maxLength: 5 }), (fated, paused, offsets) => {
        const { issues, entry } = drive(fated, paused, offsets);
        expect([issues.length, entry.state]).toEqual([1, "created"]);
      }),
      { numRuns: 2_000 },
    );
  });

  it("never sends an issue again that the tracker reports as made, and looks for it in every run", () => {
    fc.assert(
      fc.property(
        fc.nat(5),
        made,
        fates,
        pauses,
        fc.integer({ min: 1, max: 4 }),
        (tries, fated, after, paused, runs) => {
          const before = Array.from({ length: tries }, () => ({ kind: "not_sent" as const }));
          let end = drive([...before, fated, ...after], paused);
          for (let run = 0; run < runs; run += 1) {
            expect(end.issues).toHaveLength(1);
            const isShown = end.issues.every(({ shownAt }) => shownAt <= end.trueMs);
            if (end.entry.state === "created") expect(isShown).toBe(true);
            else end = drive(after, paused, [0], { ...end, entry: entryAfter(end.entry, { event: "given_up" }) });
          }
          const isHidden = end.issues.some(({ shownAt }) => shownAt === Number.POSITIVE_INFINITY);
          const entry = entryAfter(end.entry, { event: "given_up" });
          end = drive(after, paused, [0], { ...end, entry, trueMs: end.trueMs + 3 * SETTLE_MS });
          expect([end.issues.length, end.entry.state]).toEqual([1, isHidden ? "made" : "created"]);
        },
      ),
      { numRuns: 500 },
    );
  });

  const lost = entryAfter(entryAfter(blank, { event: "intent" }), { event: "lost" });
  const looked = (at: number, trackerAt = at) => ({
    ...LOOKED,
    event: "looked_up" as const,
    at,
    trackerAt,
    found: false,
  });
  const settledAt = SETTLE_MS + 1_000;

  it("starts the settle time again if other issues of the same request have appeared", () => {
    const once = entryAfter(lost, looked(0));
    const again = entryAfter(once, { ...looked(settledAt), progresses: true });
    expect([again.lookUps, again.settlesAt]).toEqual([1, 2 * settledAt]);
    expect(entryAfter(again, looked(2 * settledAt)).lookUps).toBe(2);
  });

  it("sends nothing again before two look-ups, the last one recent, and late enough that the tracker must show it", () => {
    expect(nextFor(lost, 0, SETTLE_MS)).toEqual({ do: "look_up" });
    const once = entryAfter(lost, looked(0));
    const until = settledAt + 1_000;
    expect(nextFor(once, until - 1, SETTLE_MS)).toEqual({ do: "wait", until });
    expect(nextFor(once, until, SETTLE_MS)).toEqual({ do: "look_up" });
    const early = entryAfter(once, looked(until, settledAt - 1));
    expect([early.lookUps, nextFor(early, until, SETTLE_MS).do]).toEqual([1, "wait"]);
    const twice = entryAfter(once, looked(until, settledAt));
    expect(nextFor(twice, until, SETTLE_MS)).toEqual({ do: "send" });
    expect(nextFor(twice, until + WORTH_MS - 1, SETTLE_MS)).toEqual({ do: "send" });
    expect(nextFor(twice, until + WORTH_MS, SETTLE_MS)).toEqual({ do: "look_up" });
    const again = entryAfter(twice, { event: "intent" });
    expect([again.sends, nextFor(again, until, SETTLE_MS)]).toEqual([2, { do: "look_up" }]);
  });

  it("waits until a request without a stored outcome can no longer have an effect", () => {
    const sending = entryAfter(blank, { event: "intent" });
    expect(entryAfter(sending, looked(0)).settlesAt).toBe(ACTS_MS + settledAt);
    expect(entryAfter(lost, looked(0)).settlesAt).toBe(settledAt);
  });

  it("looks for the issue before sending it again, even if the last send made nothing", () => {
    const absent = entryAfter(entryAfter(lost, looked(0)), looked(settledAt));
    const later = settledAt + WORTH_MS;
    for (const event of ["not_sent", "refused"] as const) {
      const entry = entryAfter(entryAfter(absent, { event: "intent" }), { event });
      const open = [{ taskId: "t", level: 0, stage: "start", entry }] as const;
      expect(nextStep(open, { ...BOUNDS, nowMs: later }).do).toBe("look_up");
      const first = entryAfter(entryAfter(blank, { event: "intent" }), { event });
      expect(nextStep([{ ...open[0], entry: first }], { ...BOUNDS, nowMs: later }).do).toBe("send");
    }
  });

  it("ignores an outcome that comes too late, except that the issue exists", () => {
    expect(entryAfter(lost, { event: "made" }).state).toBe("made");
    for (const event of ["refused", "not_sent", "lost"] as const) expect(entryAfter(lost, { event })).toBe(lost);
    expect(entryAfter(lost, { event: "created" }).state).toBe("created");
  });
});

describe("the next step of a run", () => {
  const item = (taskId: string, more: Partial<OpenItem> = {}): OpenItem => ({
    taskId,
    level: 0,
    stage: "start",
    entry: null,
    ...more,
  });
  const created: LedgerEntry = { state: "created", sends: 1, lookUps: 0, lookAt: null, settlesAt: null };
  const unknown: LedgerEntry = { state: "unknown", sends: 1, lookUps: 1, lookAt: SETTLE_MS, settlesAt: SETTLE_MS };
  const step = (open: readonly OpenItem[], nowMs = 0) => nextStep(open, { ...BOUNDS, nowMs });

  it("finishes a level before it begins the next", () => {
    const open = [item("a", { entry: unknown }), item("b"), item("c", { level: 1 })];
    expect(step(open)).toEqual({ do: "send", taskIds: ["b"] });
    expect(step([open[0] as OpenItem, open[2] as OpenItem])).toEqual({ do: "wait", until: SETTLE_MS });
    expect(step([item("c", { level: 1 })])).toEqual({ do: "send", taskIds: ["c"] });
  });

  it("reads existing issues, looks up unknown ones, and places new ones, before it makes more", () => {
    const open = [
      item("new"),
      item("made", { stage: "link", entry: created }),
      item("changed", { stage: "update", entry: created }),
      item("lost", { entry: { ...unknown, lookUps: 0 } }),
      item("known", { entry: created }),
    ];
    const order = ["known", "lost", "made", "changed", "new"];
    for (let left = open; left.length > 0; ) {
      const next = step(left);
      const [id] = "taskIds" in next ? next.taskIds : "taskId" in next ? [next.taskId] : [];
      expect(id).toBe(order.shift());
      left = left.filter(({ taskId }) => taskId !== id);
    }
    expect(step([])).toEqual({ do: "close" });
  });

  it("looks up issues that the tracker reports as made in a step of its own, after lost issues, and gives them up before it makes more", () => {
    const made: LedgerEntry = { ...unknown, state: "made", lookUps: 0 };
    const absent: LedgerEntry = { ...made, lookUps: 2, lookAt: 1_000 };
    const open = [
      item("new"),
      item("made", { entry: made }),
      item("lost", { entry: { ...unknown, lookUps: 0 } }),
      item("hidden", { entry: absent }),
    ];
    expect(step(open)).toEqual({ do: "look_up", taskIds: ["lost"] });
    expect(step(open.filter(({ taskId }) => taskId !== "lost"))).toEqual({ do: "look_up", taskIds: ["made"] });
    expect(step([item("new"), item("hidden", { entry: absent })])).toEqual({ do: "give_up", taskIds: ["hidden"] });
  });

  it("retries issues that were refused in an earlier run", () => {
    expect(step([item("a", { entry: { ...created, state: "failed" } })])).toEqual({ do: "send", taskIds: ["a"] });
  });

  it("always does something for open items, in any state, and waits only if it has to", () => {
    const entries = fc.record({
      state: fc.constantFrom(
        "pending" as const,
        "sending" as const,
        "created" as const,
        "failed" as const,
        "unknown" as const,
        "made" as const,
      ),
      sends: fc.integer({ min: 1, max: 9 }),
      lookUps: fc.integer({ min: 0, max: 2 }),
      lookAt: fc.option(fc.integer({ min: 0, max: 400_000 })),
      settlesAt: fc.option(fc.integer({ min: 0, max: 400_000 })),
    });
    const items = fc.array(
      fc.record({
        taskId: fc.uuid(),
        level: fc.integer({ min: 0, max: 3 }),
        stage: fc.constantFrom("start" as const, "update" as const, "link" as const),
        entry: fc.option(entries),
      }),
      { minLength: 1, maxLength: 30 },
    );
    fc.assert(
      fc.property(items, fc.integer({ min: 0, max: 400_000 }), (open, nowMs) => {
        const next = step(open, nowMs);
        expect(next.do).not.toBe("close");
        if (next.do === "wait") expect(next.until).toBeGreaterThan(nowMs);
        const ids = "taskIds" in next ? next.taskIds : "taskId" in next ? [next.taskId] : [];
        expect(next.do === "wait" || ids.length > 0).toBe(true);
        const level = Math.min(...open.map((one) => one.level));
        for (const id of ids) expect(open.find(({ taskId }) => taskId === id)?.level).toBe(level);
        if (next.do === "send")
          for (const id of ids)
            expect(["created", "made"]).not.toContain(open.find(({ taskId }) => taskId === id)?.entry?.state);
      }),
    );
  });
});
