import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ACTS_MS, blank, entryAfter, type LedgerEntry, nextFor } from "./ledger.ts";
import { nextStep, type OpenItem } from "./next-step.ts";

const SETTLE_MS = 120_000;
const BOUNDS = { settleMs: SETTLE_MS, batch: 1, readBatch: 25 };

/** How one call goes, at a tracker that does it `actsAfterMs` after the intent and shows it at most `SETTLE_MS` later. */
type Fate =
  | { readonly kind: "created" | "refused" | "not_sent" }
  /** The answer is lost, or this process dies before it stores it. */
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

/** Drives one task through calls with these fates, and later calls that succeed. Returns the issues, and the entry. */
function drive(fates: readonly Fate[], pausesMs: readonly number[]) {
  const issues: { shownAt: number }[] = [];
  let entry: LedgerEntry = blank;
  let nowMs = 0;
  let refusals = 0;
  for (let turn = 0; turn < 1_000; turn += 1) {
    nowMs += pausesMs[turn % pausesMs.length] ?? 0;
    const next = nextFor(entry, nowMs, SETTLE_MS);
    if (next.do === "nothing") {
      if (entry.state === "created") return { issues, entry, nowMs };
      // Another run tries again what was refused.
      entry = blank;
      refusals += 1;
      continue;
    }
    if (next.do === "wait") {
      expect(next.until).toBeGreaterThan(nowMs);
      nowMs = next.until;
      continue;
    }
    if (next.do === "look_up") {
      const found = issues.some(({ shownAt }) => shownAt <= nowMs);
      entry = entryAfter(entry, { event: "looked_up", at: nowMs, settleMs: SETTLE_MS, found });
      continue;
    }
    const at = nowMs;
    const fate = fates[entry.sends + refusals + turn] ?? { kind: "created" };
    entry = entryAfter(entry, { event: "intent", at });
    if (fate.kind === "lost" || fate.kind === "crash") {
      const actsAt = at + fate.actsAfterMs;
      if (fate.exists) issues.push({ shownAt: actsAt + fate.shownAfterMs });
      if (fate.kind === "lost") {
        nowMs = actsAt;
        entry = entryAfter(entry, { event: "lost", at: nowMs });
      }
      continue;
    }
    if (fate.kind === "created") issues.push({ shownAt: at + SETTLE_MS });
    entry = entryAfter(entry, { event: fate.kind });
  }
  throw new Error("it does not end");
}

describe("the ledger", () => {
  it("leads to exactly one issue, whatever is lost, as long as the tracker shows it within the settle time", () => {
    fc.assert(
      fc.property(
        fc.array(fate, { maxLength: 40 }),
        fc.array(fc.integer({ min: 0, max: 90_000 }), { minLength: 1, maxLength: 10 }),
        (fates, pauses) => {
          const { issues, entry } = drive(fates, pauses);
          expect([issues.length, entry.state]).toEqual([1, "created"]);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it("sends nothing again before two look-ups, the last when the tracker must show it", () => {
    const lost = entryAfter(entryAfter(blank, { event: "intent", at: -5_000 }), { event: "lost", at: 0 });
    expect(nextFor(lost, 0, SETTLE_MS)).toEqual({ do: "look_up" });
    const once = entryAfter(lost, { event: "looked_up", at: 0, settleMs: SETTLE_MS, found: false });
    expect(nextFor(once, SETTLE_MS - 1, SETTLE_MS)).toEqual({ do: "wait", until: SETTLE_MS });
    expect(nextFor(once, SETTLE_MS, SETTLE_MS)).toEqual({ do: "look_up" });
    const early = { event: "looked_up", at: SETTLE_MS - 1, settleMs: SETTLE_MS, found: false } as const;
    expect(entryAfter(once, early)).toEqual(once);
    const twice = entryAfter(once, { event: "looked_up", at: SETTLE_MS, settleMs: SETTLE_MS, found: false });
    expect(nextFor(twice, SETTLE_MS, SETTLE_MS)).toEqual({ do: "send" });
    const again = entryAfter(twice, { event: "intent", at: SETTLE_MS });
    expect([again.sends, again.lookUps, nextFor(again, SETTLE_MS, SETTLE_MS)]).toEqual([2, 0, { do: "look_up" }]);
  });

  it("waits for what a request can still do whose outcome nobody stored, and no longer for one that was stored late", () => {
    const sending = entryAfter(blank, { event: "intent", at: 0 });
    const looked = { event: "looked_up", at: 0, settleMs: SETTLE_MS, found: false } as const;
    const once = entryAfter(sending, looked);
    expect(once.lookUps).toBe(1);
    for (const entry of [once, { ...sending, lookUps: 1 }])
      expect(nextFor(entry, 0, SETTLE_MS)).toEqual({ do: "wait", until: ACTS_MS + SETTLE_MS });
    expect(entryAfter(sending, { event: "lost", at: 1_000_000 }).sentAt).toBe(ACTS_MS);
  });

  it("believes no outcome that comes too late, except that the issue exists", () => {
    const unknown = entryAfter(entryAfter(blank, { event: "intent", at: 0 }), { event: "lost", at: 0 });
    for (const event of ["refused", "not_sent", "lost"] as const)
      expect(entryAfter(unknown, { event, at: 0 })).toBe(unknown);
    expect(entryAfter(unknown, { event: "created" }).state).toBe("created");
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
  const created: LedgerEntry = { state: "created", sends: 1, sentAt: 0, lookUps: 0 };
  const unknown: LedgerEntry = { state: "unknown", sends: 1, sentAt: 0, lookUps: 1 };
  const step = (open: readonly OpenItem[], nowMs = 0) => nextStep(open, { ...BOUNDS, nowMs });

  it("finishes a level before it begins the next", () => {
    const open = [item("a", { entry: unknown }), item("b"), item("c", { level: 1 })];
    expect(step(open)).toEqual({ do: "send", taskIds: ["b"] });
    expect(step([open[0] as OpenItem, open[2] as OpenItem])).toEqual({ do: "wait", until: SETTLE_MS });
    expect(step([item("c", { level: 1 })])).toEqual({ do: "send", taskIds: ["c"] });
  });

  it("reads what exists, looks up what is unknown, and places what was made, before it makes more", () => {
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

  it("tries again what an earlier run was refused", () => {
    expect(step([item("a", { entry: { ...created, state: "failed" } })])).toEqual({ do: "send", taskIds: ["a"] });
  });

  it("always does something for open items, in any state, and waits only for what it has to", () => {
    const entries = fc.record({
      state: fc.constantFrom(
        "pending" as const,
        "sending" as const,
        "created" as const,
        "failed" as const,
        "unknown" as const,
      ),
      sends: fc.integer({ min: 1, max: 9 }),
      sentAt: fc.integer({ min: 0, max: 400_000 }),
      lookUps: fc.integer({ min: 0, max: 2 }),
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
          for (const id of ids) expect(open.find(({ taskId }) => taskId === id)?.entry?.state).not.toBe("created");
      }),
    );
  });
});
