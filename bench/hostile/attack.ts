import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http";
import type { Socket } from "node:net";
import type pg from "pg";

/** An answer to the attacker; `status` is 0 where none came. */
export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers: IncomingHttpHeaders;
}

/** What an attack found out about its own success, in a line, and whether that is as wanted. */
export interface Finding {
  readonly line: string;
  readonly ok: boolean;
}

export interface Sending {
  readonly token?: string;
  /** Sent as JSON, or as it is where it is text or bytes. */
  readonly body?: unknown;
  readonly headers?: OutgoingHttpHeaders;
  /** The sender's address, one of 127.0.0.0/8; the attacker's by default. */
  readonly from?: string;
}

/** The means of an attack: the running service, seen from another address than the innocent users'. */
export interface Stage {
  readonly url: string;
  /** Folder of the service's data, for instance for authorities to trust. */
  readonly dataDir: string;
  /** The service's database, to fill with what an attack would take days to store. */
  readonly pool: pg.Pool;
  /** Number of PostgreSQL's first process. */
  readonly postgresPid: number;
  /** Aborted when the attack is to end. Requests end with it. */
  readonly signal: AbortSignal;
  send(method: string, path: string, sending?: Sending): Promise<Answer>;
  /** A bare connection to the service from an address, the attacker's by default; closed with `signal`. */
  connect(from?: string): Socket;
  signUp(): Promise<{ readonly token: string; readonly userId: string }>;
  /** Runs `work` repeatedly, `atOnce` times in parallel, until the attack ends. */
  repeat(atOnce: number, work: () => Promise<unknown>): Promise<void>;
}

/** One attack, in a file of its own in `attacks/` that exports it as `attack`. */
export interface Attack {
  /** What it does, in a line. */
  readonly what: string;
  /** The limit of the service's resident memory in MiB: beyond it, it is killed, as a container would be. */
  readonly memoryMiB?: number;
  /** The largest allowed ratio of innocent users' times to quiet ones; 3 by default. */
  readonly mostRatio?: number;
  /** How long the quiet time and the attack are measured each: the p99 of few requests is mostly chance. */
  readonly seconds?: number;
  /** Whether the service's standard error is a full disk. */
  readonly hasFullLog?: boolean;
  /** Settings of the service, or what has to be started for them before. */
  readonly env?: Readonly<Record<string, string>> | (() => Promise<Readonly<Record<string, string>>>);
  /** Whether innocent users' deliveries are measured as well as their requests. */
  readonly deliveries?: boolean;
  /** Prepares the attack, before the quiet time is measured. */
  prepare?(stage: Stage): Promise<void>;
  /** Continues until `stage.signal` is aborted. */
  run(stage: Stage): Promise<void>;
  /** Says what came of it, after the attack on the service has ended. */
  find?(stage: Stage): Promise<readonly Finding[]>;
}
