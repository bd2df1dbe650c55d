import Type, { type Static } from "typebox";
import { limits } from "../limits.ts";
import { component, Hours, hundredths, Id, Nullable, OneOf, Shape, Text, Title } from "../shapes.ts";
import { type NodeKind, nodeKinds } from "./node-kinds.ts";

export type { NodeKind } from "./node-kinds.ts";

/** Three-point hours of one unit of an option. */
export interface ThreePoint {
  optimistic: number;
  likely: number;
  pessimistic: number;
}

/** What a node or an option was made from, when a template was applied. */
export interface Origin {
  templateId: string;
  /** The node or option of the template. */
  id: string;
}

/** A choice in a node. While it counts, its hours are added and its nested nodes are active. */
export interface Option {
  id: string;
  title: string;
  description: string;
  hours: ThreePoint | null;
  quantity: number;
  unit: string | null;
  role: string | null;
  requires: string[];
  excludes: string[];
  selected: boolean;
  override: ThreePoint | null;
  nodes: Node[];
  /** Stored only for what came from a template; null in responses otherwise. It never changes. */
  origin?: Origin | null;
}

/** A question (`single`, `multi`) or a fixed scope (`group`: every option of it counts). */
export interface Node {
  id: string;
  title: string;
  description: string;
  kind: NodeKind;
  required: boolean;
  min: number | null;
  max: number | null;
  options: Option[];
  /** As for options. */
  origin?: Origin | null;
}

export interface Tree {
  nodes: Node[];
}

export const pointProperties = {
  optimistic: Hours(limits.optionHoursMax),
  likely: Hours(limits.optionHoursMax),
  pessimistic: Hours(limits.optionHoursMax),
};

/** Hours in a response. */
const points = Nullable(Shape(pointProperties, { description: "0 ≤ optimistic ≤ likely ≤ pessimistic" }));

const Quantity = Type.Number({
  minimum: 0,
  maximum: limits.quantityMax,
  ...hundredths,
  description: "How often the work is done: it multiplies the hours of the option and of all below it",
});
const Bound = (description: string) => Nullable(Type.Integer({ minimum: 0, maximum: limits.nodeOptions, description }));
const Links = (description: string) =>
  Type.Array(Type.String({ maxLength: limits.refLength }), { maxItems: limits.optionLinks, description });

export const nodeFields = {
  title: Title(limits.nodeTitleLength),
  description: Text(limits.descriptionLength, { description: "What the question is about" }),
  kind: OneOf(nodeKinds, {
    description: "`single`: at most one option is selected. `multi`: any number. `group`: every option counts",
  }),
  required: Type.Boolean({ description: "Whether the tree is incomplete until an option is selected" }),
  min: Bound("Options to be selected at least, in a `multi` node; null: no limit"),
  max: Bound("Options to be selected at most, in a `multi` node; null: no limit"),
};
export const optionFields = {
  title: Title(limits.nodeTitleLength),
  description: Text(limits.descriptionLength, { description: "What choosing it means" }),
  quantity: Quantity,
  unit: Nullable(Text(limits.unitLength, { description: "What the quantity counts, such as `screen`" })),
  role: Nullable(Text(limits.roleLength, { description: "Who does it, such as `backend`" })),
  requires: Links("Options that must count if this one counts"),
  excludes: Links("Options that must not count if this one counts; applies in both directions"),
};

const Origin = Type.Optional(
  Nullable(
    Shape(
      {
        templateId: Id("template", "Id of the template, which may be deleted by now"),
        id: Type.String({ description: "Id of the node or option of the template" }),
      },
      {
        description:
          "Where it came from when a template was applied; null: not from a template. The content of a version leaves it out then",
      },
    ),
  ),
);

export const NodeRecord = component(
  "Node",
  Shape({
    id: Id("node"),
    ...nodeFields,
    options: Type.Array(Type.Unsafe<Option>({ $ref: "Option#" }), { description: "In order" }),
    origin: Origin,
  }),
);
export const OptionRecord = component(
  "Option",
  Shape({
    id: Id("option"),
    ...optionFields,
    hours: points,
    selected: Type.Boolean({ description: "Whether it is chosen; it counts if the options above it count too" }),
    override: points,
    nodes: Type.Array(Type.Unsafe<Node>({ $ref: "Node#" }), {
      description: "Questions that arise where the option is chosen, in order",
    }),
    origin: Origin,
  }),
);

/** What keeps a tree from being complete, and how to fix it. */
export const Problem = component(
  "Problem",
  Shape({
    path: Type.String({ description: "JSON pointer into the tree; empty for the whole tree" }),
    nodeId: Nullable(Id("node", "Id of the node that has it")),
    optionId: Nullable(Id("option", "Id of the option that has it")),
    problem: OneOf([
      "too_few_selected",
      "too_many_selected",
      "max_above_options",
      "requirement_missing",
      "excluded_together",
      "nothing_counted",
    ]),
    remedy: Type.String({ description: "How to fix it, in words" }),
  }),
);
export type Problem = Static<typeof Problem.schema>;
