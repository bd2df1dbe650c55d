import Type from "typebox";
import { Estimation } from "../endpoints/estimations.ts";
import { limits } from "../limits.ts";
import { Hours, Id, Nullable, OneOf, paging, Shape } from "../shapes.ts";
import { nodeKinds } from "./node-kinds.ts";

const { hours, currency } = Estimation.schema.properties;

/** The ways in which a node can differ. */
export const nodeDifferences = ["presence", "place", "title", "kind", "active", "counted", "details"] as const;
export type NodeDifference = (typeof nodeDifferences)[number];

export const comparisonQuery = Shape({
  versions: Type.Array(
    Type.String({
      minLength: 1,
      maxLength: limits.refLength,
      pattern: "^[^,]*$",
      "x-form": "the id of a version or thread, or `current`",
    }),
    {
      minItems: 2,
      maxItems: limits.comparedVersions,
      uniqueItems: true,
      description:
        "What to compare: ids of versions, ids of threads for their latest version, `current` for the content as it is now",
    },
  ),
  ...paging(limits.pageSizeInside),
});

const Column = Shape({
  of: Type.String({ description: "As it was named in the request" }),
  versionId: Nullable(Id("version", "Null for the content as it is now")),
  threadTitle: Nullable(Type.String({ description: "Where a thread was named" })),
  label: Nullable(Type.String({ description: "Of the version" })),
  hours,
  cost: Nullable(
    Shape(
      { currency, expected: Type.Number({ minimum: 0 }), p80: Type.Number({ minimum: 0 }) },
      { description: "The hours times the rate, to two decimals; null without a rate" },
    ),
  ),
  nodes: Type.Integer({ minimum: 0, description: "How many there are" }),
  countedOptions: Type.Integer({ minimum: 0, description: "How many options count" }),
});

const Cell = Shape({
  title: Type.String(),
  kind: OneOf(nodeKinds),
  active: Type.Boolean({
    description: "Whether its options can count: it is a root node, or the option above it counts",
  }),
  expected: Hours(),
  countedOptions: Type.Integer({ minimum: 0 }),
  options: Type.Array(Shape({ optionId: Id("option"), title: Type.String(), expected: Hours() }), {
    description: `The options that count, with the expected hours that each adds itself; at most ${limits.comparedOptions}`,
  }),
});

export const comparison = Shape({
  columns: Type.Array(Column, { description: "In the order of the request" }),
  rowCount: Type.Integer({ minimum: 0, description: "How many nodes differ" }),
});

export const comparedRows = Type.Array(
  Shape({
    nodeId: Id("node"),
    level: Type.Integer({ minimum: 1, description: "1 for a root node" }),
    differences: Type.Array(OneOf(nodeDifferences), {
      description:
        "`presence`: not every column has it. `place`: it stands below different options. `title`, `kind`, `active`: as in the cells. `counted`: the options that count, or their hours. `details`: anything else, such as descriptions, or options that do not count",
    }),
    cells: Type.Array(Nullable(Cell), {
      description:
        "One for each column: the hours are those of the node's own options, without nested nodes; null where it does not have the node",
    }),
  }),
  { description: "The nodes that differ between any two columns, in the order of the tree" },
);
