import Type, { type Static } from "typebox";
import { component, Hours, hundredths, Id, Nullable, OneOf, Shape } from "../shapes.ts";

const percentiles = { p50: Hours(), p80: Hours(), p90: Hours(), p95: Hours() };
const figures = {
  optimistic: Hours(),
  likely: Hours(),
  pessimistic: Hours(),
  expected: Hours(),
  standardDeviation: Hours(),
  ...percentiles,
};
const money = Type.Number({ minimum: 0, ...hundredths });

const expectedCost = Nullable(
  Type.Number({ minimum: 0, ...hundredths, description: "Expected hours times the rate; null if no rate is set" }),
);

/** The roll-up of a tree. Percentiles come from the distribution of the sum; they are never added up. */
export const TreeHours = component(
  "TreeHours",
  Shape({
    ...figures,
    byNode: Type.Array(Shape({ nodeId: Id("node"), title: Type.String(), ...figures, expectedCost }), {
      description:
        "Each active node with everything that counts below it. Optimistic, likely, pessimistic, expected and expectedCost add up exactly: root nodes to the total, and nested nodes together with a node's own options to that node",
    }),
    byRole: Type.Array(Shape({ role: Nullable(Type.String()), ...figures, expectedCost }), {
      description: "Optimistic, likely, pessimistic, expected and expectedCost add up exactly to the total",
    }),
    uncertainty: Type.Array(
      Shape({
        optionId: Id("option"),
        title: Type.String(),
        share: Type.Number({ minimum: 0, maximum: 1, description: "At most six decimals" }),
      }),
      {
        description:
          "Share of each counted option in the variance, that is, in the uncertainty, the largest first. The shares add up to 1, or are all 0 if nothing is uncertain",
      },
    ),
    withoutRange: Type.Array(Id("option"), { description: "Counted options with three equal points" }),
    cost: Nullable(
      Shape({
        currency: Nullable(Type.String()),
        expected: money,
        p50: money,
        p80: money,
        p90: money,
        p95: money,
      }),
    ),
  }),
);
export type TreeHours = Static<typeof TreeHours.schema>;

const Formula = (description: string) => Type.String({ description });

/** How the hours are calculated: the formulas, what goes into them, and where a clearer scope would help most. */
export const HoursExplanation = component(
  "HoursExplanation",
  Shape({
    formulas: Shape({
      mean: Formula("Mean of an option"),
      deviation: Formula("Standard deviation of an option"),
      total: Formula("Mean and variance of all counted options"),
      percentile: Formula("Percentile of the total"),
    }),
    correlation: Type.Number({ minimum: 0, maximum: 1, description: "ρ" }),
    options: Type.Integer({ minimum: 0, description: "Counted options that have hours" }),
    expected: Type.Number({ minimum: 0, description: "M, in hours" }),
    sumOfDeviations: Type.Number({ minimum: 0, description: "Σσ, in hours" }),
    sumOfVariances: Type.Number({ minimum: 0, description: "Σσ², in square hours" }),
    variance: Type.Number({ minimum: 0, description: "S², in square hours" }),
    standardDeviation: Type.Number({ minimum: 0, description: "S, in hours" }),
    optimistic: Type.Number({ minimum: 0, description: "A, the sum of the optimistic hours" }),
    pessimistic: Type.Number({ minimum: 0, description: "B, the sum of the pessimistic hours" }),
    alpha: Nullable(
      Type.Number({ minimum: 1, description: "α, to two decimals; null where every percentile is the mean" }),
    ),
    beta: Nullable(
      Type.Number({ minimum: 1, description: "β, to two decimals; null where every percentile is the mean" }),
    ),
    percentiles: Type.Array(
      Shape({
        name: OneOf(["p50", "p80", "p90", "p95"]),
        probability: Type.Number({ minimum: 0, maximum: 1, description: "q" }),
        hours: Hours(),
      }),
    ),
    clarify: Type.Array(
      Shape({
        optionId: Id("option"),
        title: Type.String(),
        lowersP80: Type.Number({
          minimum: 0,
          description: "By how many hours P80 falls if this option takes exactly its mean",
        }),
      }),
      { description: "At most five options whose clarification would lower P80 most, the largest effect first" },
    ),
  }),
);
export type HoursExplanation = Static<typeof HoursExplanation.schema>;

const Difference = Type.Number({ ...hundredths, description: "Hours; negative if they would fall" });

/** How much selecting one option would change the hours. */
export const WhatIf = component(
  "WhatIf",
  Shape({
    optionId: Id("option"),
    expected: Difference,
    p50: Difference,
    p80: Difference,
    p90: Difference,
    p95: Difference,
  }),
);
export type WhatIf = Static<typeof WhatIf.schema>;
