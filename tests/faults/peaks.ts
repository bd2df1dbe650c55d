/** Slots of an endpoint at first, and at the most; every response adds one (server/features/webhooks/delivery/outcome-store.ts). */
export const FIRST_SLOTS = 4;
export const SLOTS = 32;

/** The most requests at the same time. */
export interface Peaks {
  /** Requests under way to one endpoint, and to all. */
  readonly endpoint: number;
  readonly all: number;
  /** Requests under way to one endpoint beyond the slots that its responses had opened until then. */
  readonly beyondSlots: number;
  /** Requests to one endpoint within a second. */
  readonly endpointPerSecond: number;
}

const NONE: Peaks = { endpoint: 0, all: 0, beyondSlots: 0, endpointPerSecond: 0 };

interface Endpoint {
  underWay: number;
  responded: number;
  second: { at: number; count: number };
}

/** Counts requests under way at a receiver. */
export function createPeaks() {
  let endpoints = new Map<string, Endpoint>();
  let all = 0;
  let peaks = NONE;
  return {
    /** Counts the start of a request; returns a function that counts its end, and whether it got a response. Only its first call counts. */
    enter(path: string): (responded: boolean) => void {
      const endpoint = endpoints.get(path) ?? { underWay: 0, responded: 0, second: { at: 0, count: 0 } };
      endpoints.set(path, endpoint);
      endpoint.underWay += 1;
      all += 1;
      const at = Math.floor(performance.now() / 1_000);
      endpoint.second = { at, count: endpoint.second.at === at ? endpoint.second.count + 1 : 1 };
      const slots = Math.min(SLOTS, FIRST_SLOTS + endpoint.responded);
      peaks = {
        endpoint: Math.max(peaks.endpoint, endpoint.underWay),
        all: Math.max(peaks.all, all),
        beyondSlots: Math.max(peaks.beyondSlots, endpoint.underWay - slots),
        endpointPerSecond: Math.max(peaks.endpointPerSecond, endpoint.second.count),
      };
      let counted = true;
      return (responded) => {
        if (!counted) return;
        counted = false;
        endpoint.underWay -= 1;
        all -= 1;
        if (responded) endpoint.responded += 1;
      };
    },
    /** Returns the peaks and resets them; no request may be under way. */
    take(): Peaks {
      const taken = peaks;
      peaks = NONE;
      endpoints = new Map();
      all = 0;
      return taken;
    },
  };
}
