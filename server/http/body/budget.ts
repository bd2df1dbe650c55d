import { limits } from "../../../contract/limits.ts";
import { fail } from "../failure.ts";

/** The part of the budget that one body uses. */
export interface HeldBody {
  /** Takes more bytes. Refuses if the caller holds too much (429), or all callers together do (503). */
  add(bytes: number): void;
  /** Releases everything; repeated calls do nothing. */
  release(): void;
}

export type BodyBounds = Pick<
  Record<keyof typeof limits, number>,
  | "largeBodyBytes"
  | "largeBodiesPerCaller"
  | "largeBodiesTotalBytes"
  | "smallBodiesPerCallerBytes"
  | "smallBodiesTotalBytes"
>;

/** How long a refused caller is told to wait: bodies are held only for seconds. */
const RETRY_SECONDS = "1";

/**
 * Limits the memory that bodies use, from their first byte until the request has ended. Small bodies have their own
 * part, so that large ones never block them. A body counts for each of its callers: user and address.
 */
export function createBodyBudget(bounds: BodyBounds = limits): (callers: readonly string[]) => HeldBody {
  const small = createPart(bounds.smallBodiesTotalBytes);
  const large = createPart(bounds.largeBodiesTotalBytes);
  return (callers) => {
    let held = 0;
    let part = small;
    const leave = () => {
      part.change(callers, -held, -1);
      held = 0;
    };
    const enter = (next: typeof part, bytes: number) => {
      part = next;
      held = bytes;
      part.change(callers, bytes, 1);
    };
    enter(small, 0);
    let released = false;
    const release = () => {
      if (!released) leave();
      released = true;
    };
    return {
      add(bytes) {
        if (part === small && held + bytes > bounds.largeBodyBytes) {
          if (large.most(callers).bodies >= bounds.largeBodiesPerCaller) refuseCaller();
          const all = held;
          leave();
          enter(large, all);
        }
        if (part === small && small.most(callers).bytes + bytes > bounds.smallBodiesPerCallerBytes) refuseCaller();
        if (part.total() + bytes > part.totalMax) fail("service_unavailable");
        held += bytes;
        part.change(callers, bytes, 0);
      },
      release,
    };
  };
}

const refuseCaller = (): never => fail("rate_limited", { headers: { "retry-after": RETRY_SECONDS } });

interface Share {
  readonly bytes: number;
  readonly bodies: number;
}

function createPart(totalMax: number) {
  const shares = new Map<string, Share>();
  let total = 0;
  return {
    totalMax,
    total: () => total,
    /** Returns the largest share that one of `callers` has. */
    most: (callers: readonly string[]): Share => ({
      bytes: Math.max(...callers.map((caller) => shares.get(caller)?.bytes ?? 0)),
      bodies: Math.max(...callers.map((caller) => shares.get(caller)?.bodies ?? 0)),
    }),
    change(callers: readonly string[], bytes: number, bodies: number): void {
      total += bytes;
      for (const caller of callers) {
        const share = shares.get(caller) ?? { bytes: 0, bodies: 0 };
        const next = { bytes: share.bytes + bytes, bodies: share.bodies + bodies };
        if (next.bodies === 0) shares.delete(caller);
        else shares.set(caller, next);
      }
    },
  };
}
