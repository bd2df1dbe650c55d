import type { ServerResponse } from "node:http";
import { type Received, startReceiver } from "../receiver.ts";
import { createArrivals } from "./arrivals.ts";
import { createFaults, type FaultKind } from "./faults.ts";

/** A request as the fake judged it. */
export interface Asked {
  readonly operation: string;
  readonly at: Date;
  readonly fault: FaultKind | null;
  /** null: there was no response. */
  status: number | null;
}

export interface Done {
  readonly status: number;
  readonly json: unknown;
  /** Sent instead of the JSON. */
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A refusal with the tracker's status and message. */
export class Refusal extends Error {
  readonly status: number;
  readonly json: object;
  constructor(status: number, json: object) {
    super(JSON.stringify(json));
    this.status = status;
    this.json = json;
  }
}

/** A request as a tracker understands it. */
export interface Understood {
  readonly operation: string;
  /** What is wrong with its form. */
  readonly faults: readonly string[];
  /** What the tracker returns before anything is done; "reset": it hangs up. null: it does what was asked. */
  refuse(fault: FaultKind | null): Done | "reset" | null;
  /** Does what was asked once `gate` opens, or throws a `Refusal`. null: there is never a response. */
  perform(gate: Promise<void>, fault: FaultKind | null): Promise<Done | null>;
  /** Returns what is wrong with the fake's own response. */
  judge(done: Done): readonly string[];
  /** Returns how to change the issues that were made, for the faults `dropped` and `late`. */
  made(done: Done): { drop(): void; listAt(time: Date): void };
}

/** The parts in which the fakes of trackers differ. */
export interface Parts {
  readonly now: () => Date;
  /** How long lists do not show an issue with the fault `late`, in milliseconds. */
  readonly lateMs: number;
  /** Host names beside `localhost`. */
  readonly names?: readonly string[];
  /** Headers of every response. */
  readonly headers: () => Readonly<Record<string, string>>;
  /** Headers which say that the budget is used up. */
  readonly usedUp: () => Readonly<Record<string, string>>;
  readonly isWrite: (received: Received) => boolean;
  readonly understand: (received: Received) => Understood;
  readonly words: (status: number, message: string) => Done;
}

/**
 * A tracker on loopback with HTTPS. It lives in the process of the test, so that it survives what the test does to workers
 * and databases. `violations` has to be empty in the end.
 */
export async function startTracker({ now, lateMs, names = [], understand, words, ...parts }: Parts) {
  const faults = createFaults();
  const violations: string[] = [];
  const asked: Asked[] = [];
  const held = new Set<() => void>();
  const { onRequest, arrived } = createArrivals();
  let writing = 0;
  let writesAtOnce = 0;

  const send = (response: ServerResponse, { status, json, text: given, headers = {} }: Done) => {
    if (response.destroyed) return;
    const text = given ?? (json === undefined ? "" : JSON.stringify(json));
    const type = text === "" ? {} : { "content-type": "application/json; charset=utf-8" };
    const length = { "content-length": Buffer.byteLength(text) };
    response.writeHead(status, { date: now().toUTCString(), ...type, ...length, ...parts.headers(), ...headers });
    response.end(text);
  };

  const handle = async (received: Received, response: ServerResponse): Promise<void> => {
    const understood = understand(received);
    const { operation } = understood;
    violations.push(...understood.faults);
    const fault = faults.take(operation);
    const entry: Asked = { operation, at: now(), fault, status: null };
    asked.push(entry);
    arrived(operation);
    const respond = (done: Done) => {
      entry.status = done.status;
      send(response, done);
    };
    if (understood.faults.length > 0) return respond(words(400, understood.faults.join("; ")));
    const early = understood.refuse(fault);
    if (early === "reset") return void response.destroy();
    if (early) return respond(early);
    const gate = fault === "slow_before" ? new Promise<void>((open) => held.add(open)) : Promise.resolve();
    let done: Done | null;
    try {
      done = await understood.perform(gate, fault);
      if (done === null) return;
      violations.push(...understood.judge(done).map((said) => `the fake: ${said}`));
    } catch (error) {
      if (!(error instanceof Refusal)) violations.push(String(error));
      done = error instanceof Refusal ? { status: error.status, json: error.json } : words(500, String(error));
    }
    if (fault === "dropped") understood.made(done).drop();
    if (fault === "late") {
      understood.made(done).listAt(new Date(now().getTime() + lateMs));
      return void response.destroy();
    }
    if (fault === "error_after") return respond(words(502, "Bad Gateway"));
    if (fault === "reset_after") return void response.destroy();
    if (fault === "truncated") return truncate(response, done);
    if (fault === "slow") return void held.add(() => send(response, done));
    respond(fault === "last_allowed" ? { ...done, headers: { ...done.headers, ...parts.usedUp() } } : done);
  };

  const receiver = await startReceiver((received, response) => {
    const isWrite = parts.isWrite(received);
    if (isWrite) writing += 1;
    writesAtOnce = Math.max(writesAtOnce, writing);
    response.on("close", () => {
      if (isWrite) writing -= 1;
    });
    handle(received, response).catch((error: unknown) => {
      violations.push(String(error));
      response.destroy();
    });
  }, names);

  return {
    ...receiver,
    faults,
    violations,
    asked,
    /** Writes that were under way at the same time. */
    writesAtOnce: () => writesAtOnce,
    onRequest,
    /** Continues the requests that the faults `slow` and `slow_before` hold back. */
    release(): void {
      for (const goOn of held) goOn();
      held.clear();
    },
  };
}

/** Sends half of a response. */
function truncate(response: ServerResponse, { status, json }: Done): void {
  const text = JSON.stringify(json ?? {});
  const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(text) };
  response.writeHead(status === 204 ? 200 : status, headers);
  response.write(text.slice(0, text.length / 2), () => response.destroy());
}
