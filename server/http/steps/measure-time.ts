import type { Step, Wrap } from "./step.ts";

/** Notes how long the work takes, for what the request costs its user. Waiting for others is not its own time. */
export const measureTime: Step<Wrap> =
  (_, { services: { clock } }) =>
  async (exchange, next) => {
    const begin = clock.now().getTime();
    try {
      return await next(exchange);
    } finally {
      exchange.request.spentMs = Math.max(0, clock.now().getTime() - begin);
    }
  };
