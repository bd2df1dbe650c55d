import Type, { type Static } from "typebox";
import { component, Hours, Id, Nullable, Shape } from "./shapes.ts";

const percentiles = { p50: Hours(), p80: Hours(), p90: Hours(), p95: Hours() };
const figures = {
  optimistic: Hours(),
  likely: Hours(),
  pessimistic: Hours(),
  expected: Hours(),
  standardDeviation: Hours(),
  ...percentiles,
};
const money = Type.Number({ minimum: 0, multipleOf: 0.01 });

/** The roll-up of a tree. Percentiles come from the distribution of the sum; they are never added up. */
export const TreeHours = component(
  "TreeHours",
  Shape({
    ...figures,
    byNode: Type.Array(Shape({ nodeId: Id("node"), title: Type.String(), ...figures }), {
      description: "Each active node with all that counts below it",
    }),
    byRole: Type.Array(Shape({ role: Nullable(Type.String()), ...figures })),
    uncertainty: Type.Array(
      Shape({ optionId: Id("option"), title: Type.String(), share: Type.Number({ minimum: 0, maximum: 1 }) }),
      {
        description: "Share of each counted option in the variance, largest first: what makes this uncertain",
      },
    ),
    withoutRange: Type.Array(Id("option"), { description: "Counted options whose three points are alike" }),
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
