import type { ServerResponse } from "node:http";
import { type Receiver, startReceiver } from "../support/receiver.ts";

/** What a receiver was sent, by the id of the delivery. */
export interface Receipt {
  times: number;
  readonly body: string;
  readonly path: string;
}

/** A receiver that keeps the books. */
export interface Receipts {
  readonly url: string;
  readonly byId: ReadonlyMap<string, Receipt>;
  /** Requests that came under an id with another body, or at another endpoint, than before. */
  readonly changed: () => number;
  /** Requests of an id beyond the first. */
  readonly repeated: () => number;
  /** From now on requests wait for their answers; with `after`, they are answered after so many milliseconds. */
  hold(): void;
  answer(after?: number): void;
  /** Answers what was held. */
  letGo(status: number): void;
  readonly held: () => number;
  /** Called at every request, before its answer. */
  onRequest: (() => void) | null;
  /** The most requests under way at once since the last call, to one endpoint and to all, and the most within a second. */
  takePeaks(): { endpoint: number; all: number; second: number };
  trustedBy(dataDir: string): void;
  close(): Promise<void>;
}

export async function keepReceipts(): Promise<Receipts> {
  const byId = new Map<string, Receipt>();
  const held: ServerResponse[] = [];
  const underWay = new Map<string, number>();
  let peaks = { endpoint: 0, all: 0, second: 0 };
  let [changed, repeated, all, holding, pauseMs] = [0, 0, 0, false, 0];
  let second = { at: 0, count: 0 };

  const note = (id: string, body: string, path: string): void => {
    const known = byId.get(id);
    if (!known) byId.set(id, { times: 1, body, path });
    else {
      known.times += 1;
      repeated += 1;
      if (known.body !== body || known.path !== path) changed += 1;
    }
  };
  /** Counts a request, until its answer is given or its connection ends; answers what gives the answer. */
  const count = (path: string, response: ServerResponse): (() => void) => {
    const here = (underWay.get(path) ?? 0) + 1;
    underWay.set(path, here);
    all += 1;
    const at = Math.floor(performance.now() / 1_000);
    second = { at, count: second.at === at ? second.count + 1 : 1 };
    peaks = {
      endpoint: Math.max(peaks.endpoint, here),
      all: Math.max(peaks.all, all),
      second: Math.max(peaks.second, second.count),
    };
    let counted = true;
    const leave = () => {
      if (!counted) return;
      counted = false;
      underWay.set(path, (underWay.get(path) ?? 0) - 1);
      all -= 1;
    };
    response.on("close", leave);
    return () => {
      leave();
      response.end();
    };
  };

  const receiver: Receiver = await startReceiver(({ headers, body, path }, response) => {
    note(headers["x-service-delivery"] ?? "", body, path);
    const answer = count(path, response);
    receipts.onRequest?.();
    receiver.requests.length = 0;
    if (holding) held.push(response);
    else if (pauseMs > 0) setTimeout(answer, pauseMs);
    else answer();
  });
  const receipts: Receipts = {
    url: receiver.url,
    byId,
    changed: () => changed,
    repeated: () => repeated,
    hold() {
      holding = true;
    },
    answer(after = 0) {
      holding = false;
      pauseMs = after;
    },
    letGo(status) {
      for (const response of held.splice(0)) if (!response.destroyed) response.writeHead(status).end();
    },
    held: () => held.length,
    onRequest: null,
    takePeaks() {
      const taken = peaks;
      peaks = { endpoint: 0, all: 0, second: 0 };
      return taken;
    },
    trustedBy: receiver.trustedBy,
    close: receiver.close,
  };
  return receipts;
}
