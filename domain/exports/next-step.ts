import { blank, type LedgerEntry, nextFor, wasSentBefore } from "./ledger.ts";

/**
 * The stage of an item of a run: not looked at yet, to be made again because its issue was deleted there, to be
 * updated, or to be placed below its parent.
 */
export type ItemStage = "start" | "recreate" | "update" | "link";

/** A task of a run that has no outcome yet. */
export interface OpenItem {
  readonly taskId: string;
  /** Issues of a lower level are made first. */
  readonly level: number;
  readonly stage: ItemStage;
  /** null: nothing was ever sent. */
  readonly entry: LedgerEntry | null;
}

/** What a run does next. Each step is one job, and at most one write at the tracker. */
export type Step =
  /** Read issues that exist, to compare them. */
  | { readonly do: "read"; readonly taskIds: readonly string[] }
  | { readonly do: "look_up"; readonly taskIds: readonly string[] }
  /** End items whose issue exists but is not shown. */
  | { readonly do: "give_up"; readonly taskIds: readonly string[] }
  | { readonly do: "update"; readonly taskId: string }
  | { readonly do: "link"; readonly taskId: string }
  | { readonly do: "send"; readonly taskIds: readonly string[] }
  | { readonly do: "wait"; readonly until: number }
  /** No item is open. */
  | { readonly do: "close" };

interface Bounds {
  readonly nowMs: number;
  readonly settleMs: number;
  /** Issues in one creating request. */
  readonly batch: number;
  /** Issues that are read in one step. */
  readonly readBatch: number;
}

/**
 * Returns the next step for the open items of a run, which are given in order; the first ones are enough. Items of a
 * level are all finished before the next level begins: a parent is there when its children are made. Reading comes
 * before writing, because it is not paced; an issue is finished before another is begun.
 */
export function nextStep(open: readonly OpenItem[], { nowMs, settleMs, batch, readBatch }: Bounds): Step {
  const level = Math.min(...open.map((item) => item.level));
  const items = open.filter((item) => item.level === level);
  if (items.length === 0) return { do: "close" };
  const starting = items.filter(({ stage }) => stage === "start" || stage === "recreate");
  const idsOf = (wanted: readonly OpenItem[]) => wanted.map(({ taskId }) => taskId);

  const existing = starting.filter(({ entry }) => entry?.state === "created");
  if (existing.length > 0) return { do: "read", taskIds: idsOf(existing.slice(0, readBatch)) };

  const absent = starting.map((item) => ({ item, next: nextFor(retried(item.entry), nowMs, settleMs) }));
  const lookedUp = absent.filter(({ next }) => next.do === "look_up");
  // Items that an earlier run gave up are looked up separately: they may be so old that the look-up is refused.
  const lost = lookedUp.filter(({ item }) => item.entry?.state !== "made");
  const wanted = lost.length > 0 ? lost : lookedUp;
  if (wanted.length > 0) return { do: "look_up", taskIds: wanted.map(({ item }) => item.taskId) };
  const givenUp = absent.filter(({ next }) => next.do === "give_up");
  if (givenUp.length > 0) return { do: "give_up", taskIds: givenUp.map(({ item }) => item.taskId) };

  const linked = items.find(({ stage }) => stage === "link");
  if (linked) return { do: "link", taskId: linked.taskId };
  const updated = items.find(({ stage }) => stage === "update");
  if (updated) return { do: "update", taskId: updated.taskId };

  const sent = absent.filter(({ next }) => next.do === "send");
  if (sent.length > 0) return { do: "send", taskIds: sent.slice(0, batch).map(({ item }) => item.taskId) };

  const until = absent.flatMap(({ next }) => (next.do === "wait" ? [next.until] : []));
  return { do: "wait", until: Math.min(...until) };
}

/** A run retries what an earlier one was refused; within a run, a refusal is an outcome. */
function retried(entry: LedgerEntry | null): LedgerEntry {
  if (entry?.state !== "failed") return entry ?? blank;
  return wasSentBefore(entry) ? { ...entry, state: "unknown" } : blank;
}
