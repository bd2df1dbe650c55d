/**
 * What goes wrong with one request. `after`, `truncated`, `late` and `slow`: the tracker has done what was asked, and no response
 * says so; `late`: lists do not show it for long. `slow_before`: it is done only after `release`. `last_allowed`: a success
 * that uses up the budget of the hour. `trickle`: there is no response, and the issues are made one after the other. `invalid`: refused for good. `dropped`: done, but without labels and milestone.
 */
export const faultKinds = [
  "error_before",
  "error_after",
  "unavailable",
  "reset_before",
  "reset_after",
  "truncated",
  "retry_after_429",
  "retry_after_403",
  "used_up",
  "secondary",
  "too_quickly",
  "invalid",
  "slow",
  "slow_before",
  "late",
  "last_allowed",
  "dropped",
  "unauthorized",
  "trickle",
] as const;
export type FaultKind = (typeof faultKinds)[number];

interface Scripted {
  readonly kind: FaultKind;
  /** Operations that it waits for. */
  readonly on: RegExp;
}

interface Drawn {
  readonly kinds: readonly FaultKind[];
  /** Part of the requests that fail, 0 to 1. */
  readonly part: number;
  readonly on: RegExp;
  readonly next: () => number;
}

/** Decides which requests fail: those of a script first, then some that a seed chooses. */
export function createFaults() {
  const script: Scripted[] = [];
  let drawn: Drawn | null = null;
  return {
    /** The next request whose operation matches fails like this. */
    next(kind: FaultKind, on = /./): void {
      script.push({ kind, on });
    },
    /** From now on a part of the requests fails; the same seed and requests give the same faults. `part` 0 ends it. */
    draw(seed: number, part: number, kinds: readonly FaultKind[], on = /./): void {
      drawn = { kinds, part, on, next: randoms(seed) };
    },
    /** Faults of the script that have not happened yet. */
    left: () => script.length,
    take(operation: string): FaultKind | null {
      const at = script.findIndex(({ on }) => on.test(operation));
      if (at >= 0) return script.splice(at, 1)[0]?.kind ?? null;
      if (!drawn?.on.test(operation) || drawn.next() >= drawn.part) return null;
      return drawn.kinds[Math.floor(drawn.next() * drawn.kinds.length)] ?? null;
    },
  };
}

/** Numbers from 0 to 1 that depend on the seed only (mulberry32). */
export function randoms(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
