import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { Failure } from "./failure.ts";

/** Whether somebody is there to answer. */
export const isAnswered = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true;

interface Asking {
  readonly signal: AbortSignal;
  /** What is typed is not shown. */
  readonly hidden?: boolean;
}

/** Asks on the terminal and returns the answer without spaces around it. Throws `Failure` if the input ends. */
export async function ask(question: string, { signal, hidden = false }: Asking): Promise<string> {
  signal.throwIfAborted();
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: hidden ? nowhere : process.stderr, terminal: true });
  // A terminal in raw mode makes a key of Ctrl-C, not a signal.
  lines.on("SIGINT", () => process.kill(process.pid, "SIGINT"));
  if (hidden) process.stderr.write(question);
  try {
    const ended = new Promise<never>((_, reject) => {
      lines.once("close", () => reject(new Failure("the input has ended without an answer", 2)));
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    });
    return (await Promise.race([lines.question(hidden ? "" : question), ended])).trim();
  } finally {
    lines.close();
    if (hidden) process.stderr.write("\n");
  }
}

/** Asks a question that is answered with yes by Enter. */
export async function agrees(question: string, signal: AbortSignal): Promise<boolean> {
  return /^(y|yes)?$/i.test(await ask(`${question} [Y/n] `, { signal }));
}

/** Returns all of the standard input. */
export const readInput = (): Promise<string> => text(process.stdin);
