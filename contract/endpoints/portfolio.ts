import Type, { type Static } from "typebox";
import { endpoints } from "../endpoint.ts";
import { limits } from "../limits.ts";
import { AnyOf, component, DateText, Hours, hundredths, Id, Nullable, Shape, Title } from "../shapes.ts";
import { estimationFilters } from "./estimations.ts";

const percentiles = { expected: Hours(), p50: Hours(), p80: Hours(), p90: Hours(), p95: Hours() };

const Cost = Type.Number({ minimum: 0, ...hundredths, description: "Cost, in the currency" });
const costs = { expected: Cost, p50: Cost, p80: Cost, p90: Cost, p95: Cost };

const Portfolio = component(
  "Portfolio",
  Shape({
    count: Type.Integer({ minimum: 0, description: "Number of estimations" }),
    correlation: Type.Number({ minimum: 0, maximum: 1 }),
    hours: Shape(percentiles, {
      description: "The expected hours of all together, and percentiles of their sum",
    }),
    sumOfP80: Type.Number({
      ...Hours(),
      description:
        "The P80 of each, added up: usually more than the P80 of the sum, because seldom is everything late at once",
    }),
    costs: Type.Array(
      Shape({
        currency: Nullable(Type.String({ description: "Code of ISO 4217; null: none was set" })),
        count: Type.Integer({ minimum: 1, description: "Number of estimations with a rate in this currency" }),
        ...costs,
      }),
      {
        description:
          "The costs of the estimations that have a rate, by currency: the most frequent first. With one rate they are the hours together times that rate",
      },
    ),
    drivers: Type.Array(
      Shape({
        estimationId: Id("estimation"),
        title: Title(limits.titleLength),
        hours: Shape({ expected: Hours(), p80: Hours() }),
        share: Type.Number({ minimum: 0, maximum: 1, description: "Its part of the variance of the sum" }),
      }),
      { description: "Every estimation, the one that makes the sum most uncertain first" },
    ),
    capacity: Nullable(
      Shape({
        hours: Type.Number({ ...Hours(), description: "What these people work from the first to the last day" }),
        probability: Type.Number({ minimum: 0, maximum: 1, description: "How likely all is done with these hours" }),
      }),
    ),
  }),
);
export type Portfolio = Static<typeof Portfolio.schema>;

export const portfolio = endpoints({
  getPortfolio: {
    method: "GET",
    path: "/api/portfolio",
    summary: "Add up the hours of several estimations",
    description:
      "Percentiles cannot be added: seldom is everything late at once. The distribution of the sum follows from the bounds, mean and standard deviation of each, and from how strongly they are correlated with each other.\n\nWith `people`, `hoursPerWeek`, `from` and `until`, `capacity` is the probability that all is done by then, if these people do nothing else, wait for nobody, share the work evenly, and have no days off but Saturdays and Sundays.",
    access: "estimations:read",
    query: Shape({
      ids: AnyOf(
        Type.String({ maxLength: limits.refLength, pattern: "^[^,]*$", "x-form": "an id" }),
        limits.portfolioIds,
        "These estimations; cannot be combined with filters. Without it, all that the filters find",
      ),
      ...estimationFilters,
      correlation: Type.Optional(
        Type.Number({
          minimum: 0,
          maximum: 1,
          default: 0.2,
          description:
            "How strongly the errors of the estimations are correlated with each other: 0 not at all, 1 fully",
        }),
      ),
      people: Type.Optional(
        Type.Number({ minimum: 0.1, maximum: limits.portfolioPeople, description: "How many people do the work" }),
      ),
      hoursPerWeek: Type.Optional(
        Type.Number({
          minimum: 1,
          maximum: 168,
          description: "Hours that each of them works in a week from Monday to Friday",
        }),
      ),
      from: Type.Optional(Type.String({ ...DateText, description: "The first day of the work" })),
      until: Type.Optional(Type.String({ ...DateText, description: "The day by the end of which all is to be done" })),
    }),
    response: { status: 200, data: Shape({ portfolio: Portfolio.ref }) },
    errors: ["not_found"],
  },
});
