import type { Step, Wrap } from "./step.ts";

/** Measures how long the work takes, to charge its user. Waiting for other requests does not count. */
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
