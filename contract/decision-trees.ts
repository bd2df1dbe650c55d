import Type, { type Static } from "typebox";
import { endpoints } from "./endpoint.ts";
import { limits } from "./limits.ts";
import { Change, component, Hours, Id, Nullable, OneOf, Shape, Text, Title } from "./shapes.ts";

export const nodeKinds = ["single", "multi", "group"] as const;
export type NodeKind = (typeof nodeKinds)[number];

/** Three-point hours of one unit of an option. */
export interface ThreePoint {
  optimistic: number;
  likely: number;
  pessimistic: number;
}

/** An answer to a node's question: adds its hours and opens its nested nodes while it counts. */
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

const pointProperties = {
  optimistic: Hours(limits.optionHoursMax),
  likely: Hours(limits.optionHoursMax),
  pessimistic: Hours(limits.optionHoursMax),
};

/** Hours going out. */
const points = Nullable(Shape(pointProperties, { description: "0 ≤ optimistic ≤ likely ≤ pessimistic" }));

/** Hours coming in: three points, a bare number for all three, or null for none. One type list, so that faults are named exactly. */
const HoursInput = Type.Unsafe<ThreePoint | number | null>({
  type: ["object", "number", "null"],
  minimum: 0,
  maximum: limits.optionHoursMax,
  multipleOf: 0.01,
  properties: pointProperties,
  required: ["optimistic", "likely", "pessimistic"],
  additionalProperties: false,
  description: "Three points, a bare number (all three alike), or null",
});

const Quantity = Type.Number({ minimum: 0, maximum: limits.quantityMax, multipleOf: 0.01 });
const Bound = Nullable(Type.Integer({ minimum: 0, maximum: limits.nodeOptions }));
const Links = (description: string) =>
  Type.Array(Type.String({ maxLength: limits.refLength }), { maxItems: limits.optionLinks, description });

const nodeFields = {
  title: Title(limits.nodeTitleLength),
  description: Text(limits.descriptionLength),
  kind: OneOf(nodeKinds),
  required: Type.Boolean(),
  min: Bound,
  max: Bound,
};
const optionFields = {
  title: Title(limits.nodeTitleLength),
  description: Text(limits.descriptionLength),
  quantity: Quantity,
  unit: Nullable(Text(limits.unitLength)),
  role: Nullable(Text(limits.roleLength)),
  requires: Links("Options that must count while this one does"),
  excludes: Links("Options that must not count while this one does; holds both ways"),
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

/** A node of a whole-tree import: `id` for a known one, none for a new one. */
export interface NodeInput extends Partial<Omit<Node, "options">> {
  title: string;
  kind: NodeKind;
  options?: OptionInput[];
}

/** An option of a whole-tree import. `ref` names a new one within the request, for `requires` and `excludes`. */
export interface OptionInput extends Partial<Omit<Option, "hours" | "override" | "nodes">> {
  ref?: string;
  title: string;
  hours?: ThreePoint | number | null;
  override?: ThreePoint | number | null;
  nodes?: NodeInput[];
}

const optional = <T extends Record<string, Parameters<typeof Type.Optional>[0]>>(fields: T) =>
  Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, Type.Optional(value)]));

const importId = Type.String({ maxLength: limits.refLength });

component(
  "NodeInput",
  Shape({
    ...optional({ id: importId, ...nodeFields }),
    title: nodeFields.title,
    kind: nodeFields.kind,
    options: Type.Optional(
      Type.Array(Type.Unsafe<OptionInput>({ $ref: "OptionInput#" }), { maxItems: limits.nodeOptions }),
    ),
  }),
);
component(
  "OptionInput",
  Shape({
    ...optional({ id: importId, ref: Type.String({ minLength: 1, maxLength: limits.refLength }), ...optionFields }),
    title: optionFields.title,
    hours: Type.Optional(HoursInput),
    override: Type.Optional(HoursInput),
    selected: Type.Optional(Type.Boolean()),
    nodes: Type.Optional(Type.Array(Type.Unsafe<NodeInput>({ $ref: "NodeInput#" }), { maxItems: limits.treeNodes })),
  }),
);

/** What keeps a tree from being complete, and what would mend it. */
export const Problem = component(
  "Problem",
  Shape({
    path: Type.String({ description: "JSON pointer into the tree" }),
    nodeId: Nullable(Id("node")),
    optionId: Nullable(Id("option")),
    problem: OneOf([
      "too_few_selected",
      "too_many_selected",
      "max_above_options",
      "requirement_missing",
      "excluded_together",
    ]),
    mend: Type.String({ description: "What would mend it, in words" }),
  }),
);
export type Problem = Static<typeof Problem.schema>;

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

const Index = Type.Integer({
  minimum: 0,
  maximum: limits.treeNodes,
  description: "Place among its siblings; the end by default",
});
const parentOptionId = Nullable(Type.String({ description: "Option that opens the node; null: a root node" }));
const CreateNode = Shape({
  ...optional(nodeFields),
  title: nodeFields.title,
  kind: nodeFields.kind,
  parentOptionId: Type.Optional(parentOptionId),
  position: Type.Optional(Index),
});
const writableOption = { ...optionFields, hours: HoursInput, override: HoursInput };
const CreateOption = Shape({ ...optional(writableOption), title: optionFields.title, position: Type.Optional(Index) });

/** Fields of a node that a caller may set. */
export type NodeFields = Pick<Node, "title" | "description" | "kind" | "required" | "min" | "max">;
/** Fields of an option that a caller may set, as they come in. */
export type OptionFields = Omit<OptionInput, "id" | "ref" | "selected" | "nodes">;

const Place = Type.Unsafe<
  Partial<NodeFields> & { title: string; kind: NodeKind; parentOptionId?: string | null; position?: number }
>(CreateNode);

export const decisionTrees = endpoints({
  getTree: {
    method: "GET",
    path: "/api/estimations/:id/tree",
    summary: "Read the decision tree with what is unfinished in it",
    access: "estimations:read",
    reply: {
      status: 200,
      data: Shape({ tree: Shape({ nodes: Type.Array(NodeRecord.ref), problems: Type.Array(Problem.ref) }) }),
    },
    etag: true,
  },
  replaceTree: {
    method: "PUT",
    path: "/api/estimations/:id/tree",
    summary: "Replace the whole decision tree",
    description:
      "Things with a known id keep it; things without one are new. A new option may carry `ref`, unique in the request, to be named in `requires` and `excludes`.",
    access: "estimations:write",
    bodyLimitBytes: limits.treeBodyBytes,
    body: Shape({
      nodes: Type.Array(Type.Unsafe<NodeInput>({ $ref: "NodeInput#" }), { maxItems: limits.treeNodes }),
      problems: Type.Optional(Type.Unknown({ readOnly: true })),
    }),
    reply: {
      status: 200,
      data: Shape({
        tree: Shape({ nodes: Type.Array(NodeRecord.ref), problems: Type.Array(Problem.ref) }),
        hours: TreeHours.ref,
      }),
    },
    etag: true,
  },
  getTreeHours: {
    method: "GET",
    path: "/api/estimations/:id/tree/hours",
    summary: "Roll the counted options up to hours with confidence levels",
    access: "estimations:read",
    reply: { status: 200, data: Shape({ hours: TreeHours.ref }) },
    etag: true,
  },
  createNode: {
    method: "POST",
    path: "/api/estimations/:id/tree/nodes",
    summary: "Add a node",
    access: "estimations:write",
    body: Place,
    reply: { status: 201, data: Shape({ node: NodeRecord.ref, hours: TreeHours.ref }) },
    etag: true,
  },
  updateNode: {
    method: "PATCH",
    path: "/api/estimations/:id/tree/nodes/:nodeId",
    summary: "Change a node",
    access: "estimations:write",
    body: Change({ ...nodeFields, parentOptionId, position: Index }, ["id", "options"]),
    reply: { status: 200, data: Shape({ node: NodeRecord.ref, hours: TreeHours.ref }) },
    etag: true,
  },
  moveNode: {
    method: "POST",
    path: "/api/estimations/:id/tree/nodes/:nodeId/move",
    summary: "Move a node with all below it",
    access: "estimations:write",
    body: Shape({ parentOptionId, position: Type.Optional(Index) }),
    reply: { status: 200, data: Shape({ node: NodeRecord.ref, hours: TreeHours.ref }) },
    etag: true,
  },
  deleteNode: {
    method: "DELETE",
    path: "/api/estimations/:id/tree/nodes/:nodeId",
    summary: "Delete a node with all below it",
    access: "estimations:write",
    reply: { status: 200, data: Shape({ node: NodeRecord.ref, hours: TreeHours.ref }) },
    etag: true,
  },
  createOption: {
    method: "POST",
    path: "/api/estimations/:id/tree/nodes/:nodeId/options",
    summary: "Add an option to a node",
    access: "estimations:write",
    body: Type.Unsafe<OptionFields & { position?: number }>(CreateOption),
    reply: { status: 201, data: Shape({ option: OptionRecord.ref, hours: TreeHours.ref }) },
    etag: true,
  },
  updateOption: {
    method: "PATCH",
    path: "/api/estimations/:id/tree/options/:optionId",
    summary: "Change an option",
    access: "estimations:write",
    body: Change({ ...writableOption, position: Index }, ["id", "selected", "nodes"]),
    reply: { status: 200, data: Shape({ option: OptionRecord.ref, hours: TreeHours.ref }) },
    etag: true,
  },
  moveOption: {
    method: "POST",
    path: "/api/estimations/:id/tree/options/:optionId/move",
    summary: "Move an option with all below it to a node",
    access: "estimations:write",
    body: Shape({ nodeId: Type.String(), position: Type.Optional(Index) }),
    reply: { status: 200, data: Shape({ option: OptionRecord.ref, hours: TreeHours.ref }) },
    etag: true,
  },
  deleteOption: {
    method: "DELETE",
    path: "/api/estimations/:id/tree/options/:optionId",
    summary: "Delete an option with all below it",
    access: "estimations:write",
    reply: { status: 200, data: Shape({ option: OptionRecord.ref, hours: TreeHours.ref }) },
    etag: true,
  },
  selectOption: {
    method: "POST",
    path: "/api/estimations/:id/tree/options/:optionId/select",
    summary: "Select an option; in a single-choice node its siblings are deselected",
    access: "estimations:write",
    reply: {
      status: 200,
      data: Shape({ option: OptionRecord.ref, deselected: Type.Array(Id("option")), hours: TreeHours.ref }),
    },
    etag: true,
  },
  deselectOption: {
    method: "POST",
    path: "/api/estimations/:id/tree/options/:optionId/deselect",
    summary: "Deselect an option; what is selected below it stays stored and counts nothing",
    access: "estimations:write",
    reply: { status: 200, data: Shape({ option: OptionRecord.ref, hours: TreeHours.ref }) },
    etag: true,
  },
});
