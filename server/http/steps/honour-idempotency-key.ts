import { isRepeatable } from "../../../contract/endpoint.ts";
import { fingerprintOf, type KeyUse, keepAnswer, readIdempotencyKey, takeKey } from "../idempotency.ts";
import { isWrite } from "./open-transaction.ts";
import type { Step, Wrap } from "./step.ts";

/** Does the work of an `Idempotency-Key` once: returns the first response, or takes the key and stores the response. */
export const honourIdempotencyKey: Step<Wrap> = (endpoint) => {
  if (!isRepeatable(endpoint) || !isWrite(endpoint)) return null;
  const { reply: declared, secrets = [] } = endpoint;
  return async (exchange, next) => {
    const { request, reply, db, now } = exchange;
    const key = readIdempotencyKey(request.headers["idempotency-key"]);
    if (key === undefined || !request.actor) return next(exchange);
    const { userId } = request.actor;
    const use: KeyUse = { userId, key, fingerprint: fingerprintOf(request.method, request.url, request.body), now };
    const first = await takeKey(db, use);
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
