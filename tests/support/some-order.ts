import { expect } from "vitest";

/** What a rule says about requests: their statuses, in the order of the requests, and the state that they lead to. */
export interface Explanation<Model> {
  readonly statuses: readonly number[];
  readonly model: Model;
}

interface Happened<Model, Request> {
  readonly before: Model;
  /** Sent at the same time. */
  readonly requests: readonly Request[];
  /** The rule for one request. */
  readonly apply: (model: Model, request: Request) => { readonly status: number; readonly model: Model };
  /** What is compared of an explanation. */
  readonly shown: (explanation: Explanation<Model>) => object;
  /** The same about what really happened. */
  readonly actual: object;
}

/** Requests at the same time happen in some order. Returns the model of an order that explains what happened; fails if none does. */
export function explainByOrder<Model, Request>(happened: Happened<Model, Request>): Model {
  const { before, requests, apply, shown, actual } = happened;
  const explanations = ordersOf(requests.length).map((order) => {
    const statuses: number[] = [];
    let model = before;
    for (const n of order) {
      const outcome = apply(model, requests[n] as Request);
      statuses[n] = outcome.status;
      model = outcome.model;
    }
    return { statuses, model };
  });
  const fits = explanations.find((one) => expect.objectContaining(shown(one)).asymmetricMatch(actual));
  if (fits) return fits.model;
  expect(actual).toEqual(shown(explanations[0] as Explanation<Model>));
  throw new Error("no order explains what happened");
}

/** Returns every order of the numbers below `count`. */
const ordersOf = (count: number): number[][] =>
  count === 0
    ? [[]]
    : ordersOf(count - 1).flatMap((order) =>
        Array.from({ length: count }, (_, place) => order.toSpliced(place, 0, count - 1)),
      );
