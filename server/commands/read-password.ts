import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import type { ReadStream } from "node:tty";
import { sleep } from "../platform/clock.ts";

/** How long to wait for a password from a pipe: the user may have to unlock a password manager first. */
const PIPE_WAIT_MS = 30_000;
/** A longer line is not accepted. */
const LINE_LENGTH_MAX = 10_000;

/** The user left the prompt with Ctrl-C or Ctrl-D. */
class Left extends Error {}

/**
 * Reads a password from a terminal without showing it, twice, or the first line of what is piped in. Returns an empty text
 * if none is given: nothing typed, an empty line, or an empty pipe.
 * @throws Error if the two differ, or if the pipe delivers neither a line nor its end within `pipeWaitMs`.
 */
export async function readPassword(
  input: ReadStream,
  prompt: (text: string) => void,
  pipeWaitMs = PIPE_WAIT_MS,
): Promise<string> {
  if (!input.isTTY) return readLine(input, pipeWaitMs);
  const first = await ask(input, prompt, "Password (none: one is made): ");
  if (first === "") return "";
  const second = await ask(input, prompt, "Again: ");
  if (first !== second) throw new Error("the two passwords differ");
  return first;
}

async function ask(input: ReadStream, prompt: (text: string) => void, question: string): Promise<string> {
  // The line editor echoes what is typed to its output, which is discarded.
  const silent = new Writable({ write: (_, __, done) => done() });
  const editor = createInterface({ input, output: silent, terminal: true });
  prompt(question);
  try {
    return await new Promise((resolve, reject) => {
      editor.once("line", resolve);
      editor.once("SIGINT", () => reject(new Left("no account was made")));
      editor.once("close", () => reject(new Left("no account was made")));
    });
  } finally {
    editor.close();
    prompt("\n");
  }
}

async function readLine(input: ReadStream, waitMs: number): Promise<string> {
  let text = "";
  const reading = async () => {
    for await (const chunk of input.setEncoding("utf8")) {
      text += chunk;
      if (text.includes("\n") || text.length > LINE_LENGTH_MAX) break;
    }
    return true;
  };
  const whole = await Promise.race([reading(), sleep(waitMs).then(() => false)]);
  input.destroy();
  // Half a password, or one that the user could not check, must not become the account's.
  if (!whole) {
    throw new Error(
      `no line came through standard input within ${waitMs / 1000} s; pipe a password in, or </dev/null to have one made`,
    );
  }
  return text.split("\n", 1)[0]?.replace(/\r$/, "") ?? "";
}
