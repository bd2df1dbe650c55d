import { readdir } from "node:fs/promises";
import type { OutgoingHttpHeaders } from "node:http";

/** A response to the attacker; `status` is 0 where none came. */
export interface Response {
  readonly status: number;
  readonly text: string;
}

export interface Sending {
  readonly token?: string;
  /** Sent as JSON, or as it is where it is text or bytes. */
  readonly body?: unknown;
  readonly headers?: OutgoingHttpHeaders;
}

/** The means of an attack: the running service, seen from another address than the innocent users'. */
export interface Stage {
  readonly url: string;
  /** Folder of the service's data, for instance for authorities to trust. */
  readonly dataDir: string;
  /** Aborted when the attack is to end. Requests end with it. */
  readonly signal: AbortSignal;
  send(method: string, path: string, sending?: Sending): Promise<Response>;
  signUp(): Promise<{ readonly token: string }>;
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
  /** Settings of the service. */
  readonly env?: Readonly<Record<string, string>>;
  /** Whether innocent users' deliveries are measured as well as their requests. */
  readonly deliveries?: boolean;
  /** Prepares the attack, before the quiet time is measured. */
  prepare?(stage: Stage): Promise<void>;
  /** Continues until `stage.signal` is aborted. */
  run(stage: Stage): Promise<void>;
}

/** A file has one attack, named as the file is, or several with their names. */
type AttackFile = { readonly attack: Attack } | { readonly attacks: Readonly<Record<string, Attack>> };

/** Returns all attacks of `attacks/` with their names. */
export async function knownAttacks(): Promise<ReadonlyMap<string, Attack>> {
  const folder = new URL("./attacks/", import.meta.url);
  const known = new Map<string, Attack>();
  for (const file of (await readdir(folder)).sort()) {
    const made = (await import(new URL(file, folder).href)) as AttackFile;
    const attacks = "attacks" in made ? made.attacks : { [file.replace(/\.ts$/, "")]: made.attack };
    for (const [name, attack] of Object.entries(attacks)) known.set(name, attack);
  }
  return known;
}
