import { limits } from "../../../contract/limits.ts";
import { Failure, fail } from "../failure.ts";

/** The part of the budget that one body uses. */
export interface HeldBody {
  /** Aborted with a failure (503) when the body, while it arrives, has to make room for those of other callers. */
  readonly givenUp: AbortSignal;
  /** Takes more bytes. Refuses if the caller holds too much (429), or all callers together do (503). */
  add(bytes: number): void;
  /** Says that the body is complete: it is not given up any more. */
  complete(): void;
  /** Releases everything; repeated calls do nothing. */
  release(): void;
}

export type BodyBounds = Pick<
  Record<keyof typeof limits, number>,
  | "largeBodyBytes"
  | "largeBodiesPerCaller"
  | "largeBodiesPerCallerBytes"
  | "largeBodiesTotalBytes"
  | "smallBodiesPerCallerBytes"
  | "smallBodiesTotalBytes"
>;

/** How long a refused caller is told to wait: bodies are held only for seconds. */
const RETRY_SECONDS = "1";

/**
 * Limits the memory that bodies use, from their first byte until the request has ended. Small bodies have their own
 * part, so that large ones never block them. A body counts for each of its callers: user and address.
 *
 * Where a part is full, bodies that are still arriving are given up, of callers who hold the most, as long as these hold
 * more than the one who needs room. A few senders who are slow, or wait, therefore keep nobody else out.
 */
export function createBodyBudget(bounds: BodyBounds = limits): (callers: readonly string[]) => HeldBody {
  const small = createPart(bounds.smallBodiesPerCallerBytes, bounds.smallBodiesTotalBytes);
  const large = createPart(bounds.largeBodiesPerCallerBytes, bounds.largeBodiesTotalBytes);
  return (callers) => {
    const giving = new AbortController();
    let part = small;
    const body: Body = {
      callers,
      bytes: 0,
      giveUp() {
        release();
        giving.abort(new Failure("service_unavailable", { hint: NO_ROOM }));
      },
    };
    let released = false;
    const release = () => {
      if (!released) part.leave(body);
      released = true;
    };
    part.enter(body);
    return {
      givenUp: giving.signal,
      add(bytes) {
        if (part === small && body.bytes + bytes > bounds.largeBodyBytes) {
          if (large.most(callers).bodies >= bounds.largeBodiesPerCaller) refuseCaller();
          small.leave(body);
          part = large;
          large.enter(body);
        }
        part.add(body, bytes);
      },
      complete: () => part.keep(body),
      release,
    };
  };
}

const NO_ROOM = "There was no room for this body among those of others. Nothing was carried out: send it again.";

const refuseCaller = (): never => fail("rate_limited", { headers: { "retry-after": RETRY_SECONDS } });

interface Body {
  readonly callers: readonly string[];
  bytes: number;
  /** Releases it and refuses its request. */
  giveUp(): void;
}

/** What one caller holds. */
interface Share {
  bytes: number;
  bodies: number;
  /** Those of the bodies that are still arriving. */
  readonly arriving: Set<Body>;
}

function createPart(perCallerMax: number, totalMax: number) {
  const shares = new Map<string, Share>();
  let total = 0;
  const shareOf = (caller: string): Share => {
    const share = shares.get(caller) ?? { bytes: 0, bodies: 0, arriving: new Set() };
    shares.set(caller, share);
    return share;
  };
  const change = ({ callers }: Body, bytes: number, bodies: number): void => {
    total += bytes;
    for (const caller of callers) {
      const share = shareOf(caller);
      share.bytes += bytes;
      share.bodies += bodies;
      if (share.bodies === 0) shares.delete(caller);
    }
  };
  /** Returns the largest number of bytes, and of bodies, that one of `callers` has. */
  const most = (callers: readonly string[]): Pick<Share, "bytes" | "bodies"> => ({
    bytes: Math.max(...callers.map((caller) => shares.get(caller)?.bytes ?? 0)),
    bodies: Math.max(...callers.map((caller) => shares.get(caller)?.bodies ?? 0)),
  });
  /**
   * Returns the largest arriving body of the callers who hold the most, if that is more than `bytes`. Looks at the bodies of
   * those callers only, however many there are.
   */
  const findLargest = (bytes: number): Body | undefined => {
    let [largest, mostBytes]: [Body | undefined, number] = [undefined, bytes];
    for (const share of shares.values()) {
      if (share.bytes < mostBytes || share.bytes <= bytes) continue;
      const body = largestOf(share.arriving);
      if (!body || (share.bytes === mostBytes && largest && body.bytes <= largest.bytes)) continue;
      [largest, mostBytes] = [body, share.bytes];
    }
    return largest;
  };
  const stopArriving = (body: Body): void => {
    for (const caller of body.callers) shares.get(caller)?.arriving.delete(body);
  };
  return {
    most,
    enter(body: Body): void {
      change(body, body.bytes, 1);
      for (const caller of body.callers) shareOf(caller).arriving.add(body);
    },
    leave(body: Body): void {
      stopArriving(body);
      change(body, -body.bytes, -1);
    },
    keep: stopArriving,
    add(body: Body, bytes: number): void {
      const wanted = most(body.callers).bytes + bytes;
      if (wanted > perCallerMax) refuseCaller();
      while (total + bytes > totalMax) (findLargest(wanted) ?? refuseForRoom()).giveUp();
      body.bytes += bytes;
      change(body, bytes, 0);
    },
  };
}

const refuseForRoom = (): never => fail("service_unavailable", { hint: NO_ROOM });

/** Returns the largest of the bodies of which at least a byte has arrived. */
function largestOf(bodies: ReadonlySet<Body>): Body | undefined {
  let largest: Body | undefined;
  for (const body of bodies) if (body.bytes > (largest?.bytes ?? 0)) largest = body;
  return largest;
}
