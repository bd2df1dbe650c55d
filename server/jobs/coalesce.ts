import { setImmediate as nextTurn } from "node:timers/promises";
import { codeOf } from "../db/failures.ts";

/** SQLSTATE classes that blame what was sent rather than the database: data exceptions and broken constraints. */
const BLAMES_DATA = /^(22|23)/;

/**
 * Makes one call of many: `runMany` gets the inputs of all calls made within a turn of the event loop or while it was at
 * work, at most `most` at a time, and answers in their order. A single call is not delayed. Where the database refuses
 * a batch because of what is in it, each input is tried alone, so that one cannot spoil it for the others.
 */
export function coalesce<I, O>(
  runMany: (inputs: readonly I[]) => Promise<readonly O[]>,
  most = 200,
): (input: I) => Promise<O> {
  interface Call {
    readonly input: I;
    readonly resolve: (output: O) => void;
    readonly reject: (error: unknown) => void;
  }
  const waiting: Call[] = [];
  let working = false;

  const settle = async (calls: readonly Call[]): Promise<void> => {
    try {
      const outputs = await runMany(calls.map(({ input }) => input));
      for (const [at, call] of calls.entries()) call.resolve(outputs[at] as O);
    } catch (error) {
      if (calls.length > 1 && BLAMES_DATA.test(codeOf(error) ?? "")) for (const call of calls) await settle([call]);
      else for (const call of calls) call.reject(error);
    }
  };

  const work = async (): Promise<void> => {
    working = true;
    await nextTurn();
    while (waiting.length > 0) await settle(waiting.splice(0, most));
    working = false;
  };

  return (input) =>
    new Promise((resolve, reject) => {
      waiting.push({ input, resolve, reject });
      if (!working) void work();
    });
}
