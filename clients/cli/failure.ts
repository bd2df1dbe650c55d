import type { ExitCode } from "./exit-codes.ts";

/** What a person has to be told, in one line or a few, before the program ends. */
export class Failure extends Error {
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** The program was called wrongly: nothing was sent. */
export class UsageError extends Failure {
  constructor(message: string) {
    super(message, 2);
  }
}

/** Somebody pressed Ctrl-C, or ended the program. */
export class Interrupted extends Failure {
  constructor() {
    super("stopped", 130);
  }
}
