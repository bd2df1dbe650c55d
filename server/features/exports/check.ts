import type { ConnectionCheck } from "../connections/index.ts";
import type { Trackers } from "./run.ts";

/** Returns what asks the tracker of a connection what prevents exports. */
export const checkWith =
  (trackers: Trackers): ConnectionCheck =>
  async ({ target, baseUrl }, token, repository) => {
    const access = { baseUrl, email: null, token };
    const problems = await trackers[target].check(access, repository === null ? null : { project: repository });
    return problems.map(({ code, message, mend }) => ({ code, message, mend }));
  };
