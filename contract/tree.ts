import Type, { type Static } from "typebox";
import { limits } from "./limits.ts";
import { component, Hours, hundredths, Id, Nullable, OneOf, Shape, Text, Title } from "./shapes.ts";

export const nodeKinds = ["single", "multi", "group"] as const;
export type NodeKind = (typeof nodeKinds)[number];

/** Three-point hours of one unit of an option. */
export interface ThreePoint {
  optimistic: number;
  likely: number;
  pessimistic: number;
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
}

export interface Tree {
  nodes: Node[];
}

export const pointProperties = {
  optimistic: Hours(limits.optionHoursMax),
  likely: Hours(limits.optionHoursMax),
  pessimistic: Hours(limits.optionHoursMax),
};

/** Hours in an answer. */
const points = Nullable(Shape(pointProperties, { description: "0 ≤ optimistic ≤ likely ≤ pessimistic" }));

const Quantity = Type.Number({ minimum: 0, maximum: limits.quantityMax, ...hundredths });
const Bound = Nullable(Type.Integer({ minimum: 0, maximum: limits.nodeOptions }));
const Links = (description: string) =>
  Type.Array(Type.String({ maxLength: limits.refLength }), { maxItems: limits.optionLinks, description });

export const nodeFields = {
  title: Title(limits.nodeTitleLength),
  description: Text(limits.descriptionLength),
  kind: OneOf(nodeKinds),
  required: Type.Boolean(),
  min: Bound,
  max: Bound,
};
export const optionFields = {
  title: Title(limits.nodeTitleLength),
  description: Text(limits.descriptionLength),
  quantity: Quantity,
  unit: Nullable(Text(limits.unitLength)),
  role: Nullable(Text(limits.roleLength)),
  requires: Links("Options that must count if this one counts"),
  excludes: Links("Options that must not count if this one counts; applies in both directions"),
};

export const NodeRecord = component(
  "Node",
  Shape({ id: Id("node"), ...nodeFields, options: Type.Array(Type.Unsafe<Option>({ $ref: "Option#" })) }),
);
export const OptionRecord = component(
  "Option",
  Shape({
    id: Id("option"),
    ...optionFields,
    hours: points,
    selected: Type.Boolean(),
    override: points,
    nodes: Type.Array(Type.Unsafe<Node>({ $ref: "Node#" })),
  }),
);

/** What keeps a tree from being complete, and how to fix it. */
export const Problem = component(
  "Problem",
  Shape({
    path: Type.String({ description: "JSON pointer into the tree; empty for the whole tree" }),
    nodeId: Nullable(Id("node")),
    optionId: Nullable(Id("option")),
    problem: OneOf([
      "too_few_selected",
      "too_many_selected",
      "max_above_options",
      "requirement_missing",
      "excluded_together",
      "nothing_counted",
    ]),
    mend: Type.String({ description: "How to fix it, in words" }),
  }),
);
export type Problem = Static<typeof Problem.schema>;
