import Type, { type Static } from "typebox";
import { Id, Nullable, OneOf, Shape } from "../shapes.ts";
import { type FaultCode, faultCodes } from "./faults.ts";

/** The two lines of a merge: the thread that is merged `from`, and the one that it is merged `into`. */
export const mergeSides = ["into", "from"] as const;
export type MergeSide = (typeof mergeSides)[number];

const conflictKinds = ["changed", "removed", "moved", "moved_into_itself", "structure"] as const;

const choice = (of: string) =>
  Shape(
    {
      value: Type.Unknown({
        description:
          "The value of the unit: of a field, for `bounds` of `min` and `max`, for `choice` the selected option, for `parentId` the parent. For `removed`: the record, null on the side that removed it. Of `moved_into_itself` and `structure`: the units that it is about",
      }),
      hoursDelta: Nullable(
        Type.Number({
          description:
            "By how much choosing it changes the expected hours, to two decimals: compared with `base`, or for `moved_into_itself` and `structure` with what both sides make together. For these two kinds, only the first conflicts have it; the others get it once those are decided",
        }),
      ),
    },
    { description: `What ${of} changes it to` },
  );

/** One conflict that a merge cannot decide by itself. */
const MergeConflict = Shape({
  id: Type.String({
    description: "Used in `resolutions`. If the value of any side changes, the conflict gets another id",
  }),
  kind: OneOf(conflictKinds, {
    description:
      "`changed`: both changed a unit to different values. `removed`: one removed what the other one changed. `moved`: both moved it, each below another parent. `moved_into_itself`: the moves of both put things below themselves. `structure`: both together break a rule",
  }),
  target: Nullable(OneOf(["node", "option", "milestone", "setting"], { description: "Null: the whole tree" })),
  thingId: Nullable(Type.String({ description: "The node, option or milestone" })),
  title: Nullable(Type.String({ description: "Its title" })),
  field: Nullable(
    Type.String({
      description:
        "The unit: a field, `bounds` (`min` and `max`), `choice` (of a `single` node) or `parentId`; null for a whole thing",
    }),
  ),
  base: Type.Unknown({ description: "The value in the common ancestor; null if there is none" }),
  into: choice("the thread that is merged into"),
  from: choice("the thread that is merged"),
  things: Type.Array(Type.String(), { description: "Others that are decided with it, or are the reason for it" }),
  rule: Nullable(
    Shape(
      { code: OneOf(Object.keys(faultCodes) as FaultCode[]), message: Type.String() },
      { description: "Of `structure`: the rule" },
    ),
  ),
});
export type MergeConflict = Static<typeof MergeConflict>;

export const conflicts = Type.Array(MergeConflict, {
  description: "What has to be decided; conflicts that depend on others come once those are decided",
});

/** The latest versions of both threads. */
export const mergeHeads = Shape({ from: Nullable(Id("version")), into: Nullable(Id("version")) });
