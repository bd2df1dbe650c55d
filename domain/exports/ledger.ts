import { limits } from "../../contract/limits.ts";

/**
 * What is known of the issue of a task in a destination. `pending`: nothing was sent that could have made one; `sending`:
 * the intent is stored, the outcome not yet; `created`: the issue is known; `failed`: the tracker refused it; `unknown`: it
 * was sent, and may exist or not.
 */
export type LedgerState = "pending" | "sending" | "created" | "failed" | "unknown";

/** A row of the ledger, as far as it decides what comes next. Times are milliseconds since 1970. */
export interface LedgerEntry {
  readonly state: LedgerState;
  /** How often creating was sent. */
  readonly sends: number;
  /**
   * Of `sending` when the intent was stored; after that the latest moment at which the request can have done anything. null:
   * it was never sent.
   */
  readonly sentAt: number | null;
  /** Look-ups at the tracker that found nothing since then. */
  readonly lookUps: number;
}

/** What to do next about an issue that is to exist. */
export type Next =
  | { readonly do: "send" }
  | { readonly do: "look_up" }
  | { readonly do: "wait"; readonly until: number }
  | { readonly do: "nothing" };

/** A request that has not left so long after its intent was stored does not leave any more, in milliseconds. */
export const FRESH_MS = 10_000;
/** How long after its intent a request can do something, in milliseconds: it leaves, and takes the time that it may take. */
export const ACTS_MS = FRESH_MS + limits.trackerTimeoutSeconds * 1_000;

/** Look-ups that have to find nothing before an issue counts as absent. */
export const LOOK_UPS = 2;

/** The latest moment at which the last request can have done anything. */
export const actedUntil = ({ state, sentAt }: Pick<LedgerEntry, "state" | "sentAt">): number | null =>
  sentAt === null ? null : sentAt + (state === "sending" ? ACTS_MS : 0);

export const blank: LedgerEntry = { state: "pending", sends: 0, sentAt: null, lookUps: 0 };

/**
 * Returns what comes next. Nothing is sent again before {@link LOOK_UPS} look-ups found nothing, the last of them at
 * least `settleMs` milliseconds after the request can have done anything: for so long a tracker may not show what it has. `sending` counts as
 * `unknown`: whoever asks is not the one who sent.
 */
export function nextFor(entry: LedgerEntry, nowMs: number, settleMs: number): Next {
  const { state, lookUps } = entry;
  const until = actedUntil(entry);
  if (state === "created" || state === "failed") return { do: "nothing" };
  if (state === "pending" || until === null) return { do: "send" };
  if (lookUps >= LOOK_UPS) return { do: "send" };
  if (lookUps < LOOK_UPS - 1) return { do: "look_up" };
  const settledAt = until + settleMs;
  return nowMs >= settledAt ? { do: "look_up" } : { do: "wait", until: settledAt };
}

/**
 * Returns how many look-ups count after one that began at `atMs` and found nothing. The last one counts only if it began
 * when the tracker had to show the issue, `settleMs` milliseconds after the request can have done anything.
 */
export function lookUpsAfter(
  { lookUps, ...entry }: Pick<LedgerEntry, "lookUps" | "sentAt" | "state">,
  atMs: number,
  settleMs: number,
): number {
  const isLast = lookUps >= LOOK_UPS - 1;
  const until = actedUntil(entry);
  return isLast && until !== null && atMs < until + settleMs ? lookUps : lookUps + 1;
}

/** What happened to an entry. */
export type LedgerEvent =
  /** The intent, stored before the request leaves. */
  | { readonly event: "intent"; readonly at: number }
  | { readonly event: "created" }
  /** The tracker refused it for good. */
  | { readonly event: "refused" }
  /** It certainly did not arrive. */
  | { readonly event: "not_sent" }
  | { readonly event: "lost"; readonly at: number }
  /** A look-up that began at this time, and found it or not. */
  | { readonly event: "looked_up"; readonly at: number; readonly settleMs: number; readonly found: boolean };

/** Returns the entry after an event. An event that cannot follow leaves it as it is. */
export function entryAfter(entry: LedgerEntry, happened: LedgerEvent): LedgerEntry {
  switch (happened.event) {
    case "intent":
      return { state: "sending", sends: entry.sends + 1, sentAt: happened.at, lookUps: 0 };
    case "created":
      return { ...entry, state: "created" };
    case "refused":
      return entry.state === "sending" ? { ...entry, state: "failed" } : entry;
    case "not_sent":
      return entry.state === "sending" ? { ...entry, state: "pending" } : entry;
    case "lost":
      return entry.state === "sending"
        ? { ...entry, state: "unknown", sentAt: Math.min(happened.at, actedUntil(entry) ?? happened.at) }
        : entry;
    case "looked_up":
      if (entry.state !== "sending" && entry.state !== "unknown") return entry;
      return happened.found
        ? { ...entry, state: "created" }
        : {
            ...entry,
            state: "unknown",
            sentAt: actedUntil(entry),
            lookUps: lookUpsAfter(entry, happened.at, happened.settleMs),
          };
  }
}
