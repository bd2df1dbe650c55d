/** For one request that creates many issues, which a tracker makes one after the other. */
export const BULK_TIMEOUT_SECONDS = 120;

/**
 * What is known about the issue of a task in a destination. `pending`: nothing was sent that could have made one;
 * `sending`: the intent is stored, the outcome not yet; `created`: the issue is known; `failed`: the tracker refused
 * it; `unknown`: it was sent, and may exist or not; `made`: the tracker has said that it made the issue, but not which
 * of several it is, so that it is only looked up, and never sent again.
 */
export type LedgerState = "pending" | "sending" | "created" | "failed" | "unknown" | "made";

/**
 * The fields of a ledger row that decide what comes next. Times are milliseconds since 1970: `lookAt` by our clock,
 * which may be wrong and jump, `settlesAt` by the tracker's clock, the only one that decides.
 */
export interface LedgerEntry {
  readonly state: LedgerState;
  /** How often it was sent. */
  readonly sends: number;
  /**
   * Look-ups that count and found nothing since the last send that may have made an issue. Later sends that made none, or
   * whose outcome is not known yet, leave them.
   */
  readonly lookUps: number;
  /**
   * After the first look-up: when to look again. After the last one: until when it allows a send. null: there was no
   * look-up.
   */
  readonly lookAt: number | null;
  /**
   * From this time on, the tracker shows everything that it was sent, so that a look-up is the last one. null: there
   * was no look-up.
   */
  readonly settlesAt: number | null;
}

/** What to do next about an issue that is to exist. */
export type Next =
  | { readonly do: "send" }
  | { readonly do: "look_up" }
  | { readonly do: "wait"; readonly until: number }
  /** It exists, but the tracker does not show it. */
  | { readonly do: "give_up" }
  | { readonly do: "nothing" };

/** A request that has not left this long after its intent was stored is not sent any more, in milliseconds. */
export const FRESH_MS = 10_000;
/** How long after its intent a request can have an effect, in milliseconds: until it leaves, and its timeout. */
export const actsMs = (timeoutSeconds: number): number => FRESH_MS + timeoutSeconds * 1_000;
const ACTS_MS_MAX = actsMs(BULK_TIMEOUT_SECONDS);

/** Look-ups that have to find nothing before an issue counts as absent. */
export const LOOK_UPS = 2;
/** How long the last look-up allows a send, in milliseconds. */
export const WORTH_MS = 300_000;
/** Trackers give their time in whole seconds. */
const SECOND_MS = 1_000;

/** States in which an unknown issue may exist: also `failed`, if an earlier send may have made one. */
export const LOOKED_UP: readonly LedgerState[] = ["sending", "unknown", "failed", "made"];

export const blank: LedgerEntry = { state: "pending", sends: 0, lookUps: 0, lookAt: null, settlesAt: null };

/** The longest time between two look-ups, in milliseconds. */
const waitMsMax = (settleMs: number): number => ACTS_MS_MAX + settleMs + 2 * SECOND_MS;

/** Returns how many look-ups count for the last send. */
const counted = ({ state, lookUps, settlesAt }: Omit<LedgerEntry, "sends" | "lookAt">): number =>
  state === "sending" || settlesAt === null ? 0 : lookUps;

/**
 * Returns what comes next. Nothing is sent again before {@link LOOK_UPS} look-ups found nothing, the last of them when
 * the tracker had to show what it was sent, and not long ago. `sending` counts as `unknown`, because the caller is not
 * the sender. A time by our clock that is too far in the future means that the clock was set back: then it is time to
 * look.
 */
export function nextFor(entry: LedgerEntry, nowMs: number, settleMs: number): Next {
  const { state, lookAt } = entry;
  if (state === "created" || state === "failed") return { do: "nothing" };
  if (state === "pending") return { do: "send" };
  const lookUps = counted(entry);
  const leftMs = lookUps === 0 || lookAt === null ? 0 : lookAt - nowMs;
  if (lookUps >= LOOK_UPS) {
    const isWorth = leftMs > 0 && leftMs <= WORTH_MS;
    return isWorth ? { do: state === "made" ? "give_up" : "send" } : { do: "look_up" };
  }
  return leftMs > 0 && leftMs <= waitMsMax(settleMs) ? { do: "wait", until: nowMs + leftMs } : { do: "look_up" };
}

/** A look-up that found nothing. */
export interface LookUp {
  /** When it began, by our clock. */
  readonly at: number;
  /** When the tracker responded, by its own clock. */
  readonly trackerAt: number;
  /** How long the tracker may take to show what it was sent, in milliseconds. */
  readonly settleMs: number;
  /** See `actsMs`. */
  readonly actsMs: number;
  /** It found others of the same request: the tracker may still be making them, one after the other. */
  readonly progresses: boolean;
}

/**
 * Returns how an entry changes by a look-up that found nothing. The first one starts the settle time, by the tracker's
 * clock, so that changes of ours have no effect. If no outcome was stored, the request may still be under way for
 * {@link LookUp.actsMs}. The settle time starts again as long as other issues of the same request appear.
 */
export function afterLookUp(
  entry: Omit<LedgerEntry, "sends">,
  { at, trackerAt, settleMs, actsMs, progresses }: LookUp,
): {
  readonly state: "unknown" | "made";
  readonly lookUps: number;
  readonly lookAt: number;
  readonly settlesAt: number;
} {
  const isFirst = progresses || counted(entry) === 0;
  const leftToActMs = entry.state === "sending" ? actsMs : 0;
  const settlesAt =
    isFirst || entry.settlesAt === null ? trackerAt + leftToActMs + settleMs + SECOND_MS : entry.settlesAt;
  const state = entry.state === "made" ? "made" : "unknown";
  const leftMs = settlesAt - trackerAt;
  return !isFirst && leftMs <= 0
    ? { state, lookUps: LOOK_UPS, lookAt: at + WORTH_MS, settlesAt }
    : { state, lookUps: LOOK_UPS - 1, lookAt: at + leftMs + SECOND_MS, settlesAt };
}

/** Whether an earlier send may have made an issue, so that a later one that made none does not reset the entry. */
export const wasSentBefore = ({ lookUps }: Pick<LedgerEntry, "lookUps">): boolean => lookUps >= LOOK_UPS;

/** The changes of an entry that is given up: the next run looks once more. */
export const lookedForAgain = { lookUps: LOOK_UPS - 1, lookAt: null } as const;

/** The changes of an entry once the tracker has said that it made the issue. */
export const madeOfSeveral = { state: "made", lookUps: 0, lookAt: null, settlesAt: null } as const;

/** What happened to an entry. */
export type LedgerEvent =
  /** The intent, stored before the request leaves. */
  | { readonly event: "intent" }
  | { readonly event: "created" }
  /** The tracker refused it for good. */
  | { readonly event: "refused" }
  /** It certainly did not arrive. */
  | { readonly event: "not_sent" }
  | { readonly event: "lost" }
  /** The tracker has said that it made several, but not which is which. */
  | { readonly event: "made" }
  /** It is `made`, and this run no longer looks for it. */
  | { readonly event: "given_up" }
  | ({ readonly event: "looked_up"; readonly found: boolean } & LookUp);

/** Returns the entry after an event. An event that cannot follow leaves it as it is. */
export function entryAfter(entry: LedgerEntry, happened: LedgerEvent): LedgerEntry {
  if (happened.event === "intent") return { ...entry, state: "sending", sends: entry.sends + 1 };
  if (happened.event === "created") return { ...entry, state: "created" };
  if (happened.event === "looked_up") {
    if (!LOOKED_UP.includes(entry.state)) return entry;
    return happened.found ? { ...entry, state: "created" } : { ...entry, ...afterLookUp(entry, happened) };
  }
  if (happened.event === "given_up") return entry.state === "made" ? { ...entry, ...lookedForAgain } : entry;
  // Others may have looked for it before this is stored.
  if (happened.event === "made" && entry.state === "unknown") return { ...entry, ...madeOfSeveral };
  if (entry.state !== "sending") return entry;
  switch (happened.event) {
    case "refused":
      return { ...entry, state: "failed" };
    case "not_sent":
      return { ...entry, state: wasSentBefore(entry) ? "unknown" : "pending" };
    case "lost":
      return { ...entry, state: "unknown", lookUps: 0, lookAt: null, settlesAt: null };
    case "made":
      return { ...entry, ...madeOfSeveral };
  }
}
