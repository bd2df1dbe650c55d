import { limits } from "../../../contract/limits.ts";
import { Failure } from "../failure.ts";
import type { Step, Wrap } from "./step.ts";

const RETRY_SECONDS = "60";

/**
 * Refuses (429) to cause more deliveries for a caller who has caused very many that wait for the caller's own webhooks: they
 * would be made faster than they are sent, and pile up for as long as the caller continues. Those already waiting are sent.
 */
export const boundWaiting: Step<Wrap> = ({ events, delivers }, { countWaiting }) => {
  if (events === undefined && !delivers) return null;
  const most = limits.deliveriesWaitingPerUser;
  return async (exchange, next) => {
    const { actor } = exchange.request;
    if (actor && (await countWaiting(exchange.db, actor.userId, most)) >= most) {
      throw new Failure("rate_limited", {
        headers: { "retry-after": RETRY_SECONDS },
        hint: `${most} deliveries that you caused wait for your webhooks: continue when some have been sent, or removed with a deleted webhook.`,
      });
    }
    return next(exchange);
  };
};
