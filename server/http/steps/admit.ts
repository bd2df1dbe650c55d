import { whenAdmitted } from "../admission.ts";
import type { Step, Wrap } from "./step.ts";

/** Lets a request that turns out to work on large contents wait until it is admitted, without a lock of a record or a connection. */
export const admitLarge: Step<Wrap> =
  (_, { admit }) =>
  (exchange, next) =>
    whenAdmitted(admit, exchange.request, () => next(exchange));
