import { setImmediate as nextTurn } from "node:timers/promises";
import { isDatabaseUnavailable } from "../db/failures.ts";

/**
 * Combines many calls into one. `runMany` gets the inputs of all calls made within one turn of the event loop or while
 * it was running, at most `most` at a time, and returns their results in the same order. A single call is not delayed.
 * If a batch fails, each input is tried alone, so that one bad input does not fail the others; not if the database is
 * unreachable.
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

  const reject = (calls: readonly Call[], error: unknown): void => {
    for (const call of calls) call.reject(error);
  };

  const settleEach = async (calls: readonly Call[]): Promise<void> => {
    for (const [at, call] of calls.entries()) {
      try {
        const [output] = await runMany([call.input]);
        call.resolve(output as O);
      } catch (error) {
        if (isDatabaseUnavailable(error)) return reject(calls.slice(at), error);
        call.reject(error);
      }
    }
  };

  const settle = async (calls: readonly Call[]): Promise<void> => {
    try {
      const outputs = await runMany(calls.map(({ input }) => input));
      for (const [at, call] of calls.entries()) call.resolve(outputs[at] as O);
    } catch (error) {
      if (calls.length === 1 || isDatabaseUnavailable(error)) reject(calls, error);
      else await settleEach(calls);
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
