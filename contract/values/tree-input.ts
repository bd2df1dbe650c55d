import Type from "typebox";
import { limits } from "../limits.ts";
import { Change, component, hundredths, Nullable, OneOf, Shape } from "../shapes.ts";
import {
  type Node,
  type NodeKind,
  nodeFields,
  type Option,
  optionFields,
  pointProperties,
  type ThreePoint,
} from "./tree.ts";

/** Hours in a request: three points, a bare number for all three, or null for none. One type list, so that faults are named exactly. */
const HoursInput = Type.Unsafe<ThreePoint | number | null>({
  type: ["object", "number", "null"],
  minimum: 0,
  maximum: limits.optionHoursMax,
  ...hundredths,
  properties: pointProperties,
  required: ["optimistic", "likely", "pessimistic"],
  additionalProperties: false,
  "x-form": "a number of hours, an object with optimistic, likely and pessimistic",
  description: "Three points, a bare number (the same for all three), or null",
});

/** A node of a whole-tree import: `id` for a known one, none or an unused one for a new one. */
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

const origin = Type.Optional(Type.Unknown({ readOnly: true, description: "Read-only: ignored" }));

const importId = Type.String({
  maxLength: limits.refLength,
  description:
    "Id of an existing node or option that is kept; none for a new one, or one of `POST /api/estimations/:id/ids`",
});

component(
  "NodeInput",
  Shape({
    ...optional({ id: importId, ...nodeFields }),
    title: nodeFields.title,
    kind: nodeFields.kind,
    origin,
    options: Type.Optional(
      Type.Array(Type.Unsafe<OptionInput>({ $ref: "OptionInput#" }), {
        maxItems: limits.nodeOptions,
        description: "In order",
      }),
    ),
  }),
);
component(
  "OptionInput",
  Shape({
    ...optional({
      id: importId,
      ref: Type.String({
        minLength: 1,
        maxLength: limits.refLength,
        description: "Names a new option within the request, for `requires` and `excludes`",
      }),
      ...optionFields,
    }),
    title: optionFields.title,
    hours: Type.Optional(HoursInput),
    override: Type.Optional(HoursInput),
    selected: Type.Optional(Type.Boolean({ description: "Whether it is chosen" })),
    origin,
    nodes: Type.Optional(
      Type.Array(Type.Unsafe<NodeInput>({ $ref: "NodeInput#" }), {
        maxItems: limits.treeNodes,
        description: "Questions that arise where the option is chosen, in order",
      }),
    ),
  }),
);

/** Fields of a node that a caller may set. */
export type NodeFields = Pick<Node, "title" | "description" | "kind" | "required" | "min" | "max">;
/** Fields of an option that a caller may set, as they come in. */
export type OptionFields = Omit<OptionInput, "id" | "ref" | "selected" | "nodes" | "origin">;

const Index = Type.Integer({
  minimum: 0,
  maximum: limits.treeNodes,
  description: "Position among its siblings; the end by default",
});
const parentOptionId = Nullable(
  Type.String({ description: "The option that the node is nested in; null: a root node" }),
);
const writableOption = { ...optionFields, hours: HoursInput, override: HoursInput };

export const ReplaceTree = Shape({
  nodes: Type.Array(Type.Unsafe<NodeInput>({ $ref: "NodeInput#" }), {
    maxItems: limits.treeNodes,
    description: "The root nodes, in order",
  }),
  problems: Type.Optional(Type.Unknown({ readOnly: true, description: "Read-only: ignored" })),
});

export const MakeIds = Shape({
  kind: OneOf(["node", "option"], { description: "What the ids are for" }),
  count: Type.Integer({ minimum: 1, maximum: limits.newIds, description: "How many" }),
});

export const CreateNode = Type.Unsafe<
  Partial<NodeFields> & { title: string; kind: NodeKind; parentOptionId?: string | null; position?: number }
>(
  Shape({
    ...optional(nodeFields),
    title: nodeFields.title,
    kind: nodeFields.kind,
    parentOptionId: Type.Optional(parentOptionId),
    position: Type.Optional(Index),
  }),
);
export const UpdateNode = Change(
  { ...nodeFields, parentOptionId, position: Index },
  { matching: ["id", "options"], derived: ["origin"] },
);
export const MoveNode = Shape({ parentOptionId, position: Type.Optional(Index) });

export const CreateOption = Type.Unsafe<OptionFields & { position?: number }>(
  Shape({ ...optional(writableOption), title: optionFields.title, position: Type.Optional(Index) }),
);
export const UpdateOption = Change(
  { ...writableOption, position: Index },
  { matching: ["id", "selected", "nodes"], derived: ["origin"] },
);
export const MoveOption = Shape({
  nodeId: Type.String({ description: "Id of the node that it moves to" }),
  position: Type.Optional(Index),
});
