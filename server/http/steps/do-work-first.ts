import { fail } from "../failure.ts";
import { WorkFirst } from "../work-first.ts";
import { isWrite } from "./open-transaction.ts";
import type { Step, Wrap } from "./step.ts";

/** How often a request begins again because the input of its work has changed; after that it is given up (503). */
const TIMES_MOST = 5;

/** Does the work that a handler needs before its transaction and its turn, and then begins the request again. */
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
