import { fail } from "../failure.ts";
import { WorkFirst } from "../work-first.ts";
import { isWrite } from "./open-transaction.ts";
import type { Step, Wrap } from "./step.ts";

/** So often a request begins anew because what its work rested on changed meanwhile; then it is given up (503). */
const TIMES_MOST = 5;

/** Does what a handler needs done before its transaction and its turn, and then begins the request anew. */
export const doWorkFirst: Step<Wrap> = (endpoint) => {
  if (!endpoint.heavy || !isWrite(endpoint)) return null;
  return async (exchange, next) => {
    for (let times = 0; times < TIMES_MOST; times += 1) {
      try {
        return await next(exchange);
      } catch (error) {
        if (!(error instanceof WorkFirst)) throw error;
        await error.work();
      }
    }
    return fail("service_unavailable");
  };
};
