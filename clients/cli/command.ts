import type { EndpointId } from "../../contract/index.ts";
import type { Connection } from "./connect.ts";
import type { Flag, Given } from "./flags.ts";
import type { Stop } from "./stop.ts";

/** What a command is given to work with. */
export interface Tools {
  readonly stop: Stop;
  /** Whether the result is to be JSON, and nothing else. */
  readonly json: boolean;
  /** Connects with the stored key. Throws `Failure` without one. */
  connect(): Connection;
  /** Prints a line of the result. */
  print(line: string): void;
  /** Prints data of the service as they are. */
  printJson(data: unknown, indent?: number): void;
  /** Tells the person something that is not the result, on the standard error output. */
  note(line: string): void;
  /** Shows how far it is, on a terminal only; each call replaces the one before, and null ends it. */
  progress(line: string | null): void;
}

/** A command, its help, and the rows of the contract that it stands for. */
export interface Command {
  /** What follows the name, such as `ID`. In brackets: may be left out. */
  readonly takes: string;
  readonly summary: string;
  /** More about it, as paragraphs. */
  readonly says?: string;
  /** Endpoints that it calls: the scopes that a key needs follow from them. */
  readonly calls: readonly EndpointId[];
  readonly flags: readonly Flag[];
  /** Commands to copy, each with what it does. */
  readonly examples: readonly (readonly [command: string, does: string])[];
  /** Whether it makes use of `--json`: all but those whose result is no data. */
  run(words: readonly string[], given: Given, tools: Tools): Promise<void>;
}
