import type { Step, Wrap } from "./step.ts";

/** Records what the call of a row with an `activity` did, in its transaction; not for a replay, which does nothing. */
export const recordActivity: Step<Wrap> = ({ activity, copies, reply }, { recordCall }) => {
  if (activity === undefined || recordCall === undefined) return null;
  const found = "data" in reply ? reply.found : undefined;
  return async (exchange, next) => {
    const answer = await next(exchange);
    const { request, body, db, now, estimation, kept } = exchange;
    if (kept !== undefined || request.actor === null || answer.changedNothing === true) return answer;
    const isFound = answer.status !== undefined && answer.status !== reply.status;
    await recordCall(db, {
      kind: (isFound ? found?.activity : undefined) ?? activity,
      personId: request.actor.userId,
      estimation,
      answer,
      isFound: isFound && answer.changedNothing === undefined,
      isCopy: copies === true,
      body,
      params: request.params as Readonly<Record<string, string>>,
      now,
    });
    return answer;
  };
};
