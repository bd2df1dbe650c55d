import { isRepeatable } from "../../../contract/endpoint.ts";
import { keepAnswer, keyUseOf, takeKey } from "../idempotency.ts";
import { isWrite } from "./open-transaction.ts";
import type { Step, Wrap } from "./step.ts";

/** Does the work of an `Idempotency-Key` once: returns the first response, or takes the key and stores the response. */
export const honourIdempotencyKey: Step<Wrap> = (endpoint) => {
  if (!isRepeatable(endpoint) || !isWrite(endpoint)) return null;
  const { reply: declared, secrets = [] } = endpoint;
  return async (exchange, next) => {
    const { reply, db, keyIsTaken } = exchange;
    const use = keyUseOf(exchange);
    if (!use) return next(exchange);
    const first = keyIsTaken ? null : await takeKey(db, use);
    if (first) {
      reply.header("idempotent-replayed", "true");
      return first;
    }
    const answer = await next(exchange);
    const data = withoutSecrets(answer.data, secrets);
    await keepAnswer(db, use, { status: answer.status ?? declared.status, data, revision: answer.revision ?? null });
    return answer;
  };
};

const withoutSecrets = (data: unknown, names: readonly string[]): unknown =>
  Object.fromEntries(Object.entries(data as object).filter(([name]) => !names.includes(name)));
