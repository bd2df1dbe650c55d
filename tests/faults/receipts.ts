import type { ServerResponse } from "node:http";
import { setImmediate } from "node:timers/promises";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { createPeaks, type Peaks } from "./peaks.ts";
import { until } from "./until.ts";

/** The requests that a receiver got, by the id of the delivery. */
export interface Receipt {
  times: number;
  /** Number, among all requests, and time of the last one. */
  last: number;
  lastAt: Date;
  readonly body: string;
  readonly path: string;
}

/** A receiver that records its requests. */
export interface Receipts {
  readonly url: string;
  readonly byId: ReadonlyMap<string, Receipt>;
  /** Number of requests so far. */
  readonly requests: () => number;
  /** Requests with the id of an earlier one, but another body or endpoint. */
  readonly changed: () => number;
  /** From now on requests are held; with `response` they get it after so many milliseconds. */
  hold(): void;
  respond(how?: { status?: number; afterMs?: number }): void;
  /** Responds to the held requests. */
  letGo(status: number): void;
  /** Deliveries whose requests are held. */
  readonly heldIds: () => string[];
  /** Called at every request, before its response. */
  onRequest: (() => void) | null;
  /** Resolves when nothing can come any more from a worker that was killed: its last request has been read. */
  allGone(): Promise<void>;
  /** Resolves when workers that have lost their database have sent what they had read from it before. */
  quiet(): Promise<void>;
  /** The most requests at the same time since the last call. */
  takePeaks(): Peaks;
  trustedBy(dataDir: string): void;
  close(): Promise<void>;
}

/** A worker does not send what it read from the database longer ago than a second; the rest is for a busy machine. */
const QUIET_MS = 2_000;

export async function keepReceipts(): Promise<Receipts> {
  const byId = new Map<string, Receipt>();
  const held: { id: string; response: ServerResponse; respond(status: number): void }[] = [];
  const peaks = createPeaks();
  let [requests, changed, holding, status, afterMs] = [0, 0, false, 200, 0];
  let lastMs = 0;

  const note = (id: string, body: string, path: string): void => {
    requests += 1;
    lastMs = performance.now();
    const known = byId.get(id);
    if (known && (known.body !== body || known.path !== path)) changed += 1;
    const now = { last: requests, lastAt: new Date() };
    if (known) Object.assign(known, now, { times: known.times + 1 });
    else byId.set(id, { times: 1, ...now, body, path });
  };

  const receiver: Receiver = await startReceiver(({ headers, body, path }, response) => {
    const id = headers["x-service-delivery"] ?? "";
    note(id, body, path);
    const leave = peaks.enter(path);
    response.on("close", () => leave(false));
    const respond = (code: number) => {
      if (response.destroyed) return;
      leave(true);
      response.writeHead(code).end();
    };
    receipts.onRequest?.();
    receiver.requests.length = 0;
    if (holding) held.push({ id, response, respond });
    else if (afterMs > 0) setTimeout(respond, afterMs, status);
    else respond(status);
  });
  const receipts: Receipts = {
    url: receiver.url,
    byId,
    requests: () => requests,
    changed: () => changed,
    hold() {
      holding = true;
    },
    respond(how = {}) {
      holding = false;
      ({ status = 200, afterMs = 0 } = how);
    },
    letGo(code) {
      for (const { respond } of held.splice(0)) respond(code);
    },
    heldIds: () => held.filter(({ response }) => !response.destroyed).map(({ id }) => id),
    onRequest: null,
    async allGone() {
      await until("the connections of the killed worker end", () => receiver.openConnections() === 0);
      // What was read from the last of them has been noted after this.
      await setImmediate();
    },
    async quiet() {
      const begin = performance.now();
      await until("no more requests come", () => performance.now() - Math.max(begin, lastMs) > QUIET_MS);
    },
    takePeaks: peaks.take,
    trustedBy: receiver.trustedBy,
    close: receiver.close,
  };
  return receipts;
}
