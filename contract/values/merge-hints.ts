import Type, { type Static } from "typebox";
import { OneOf, Shape } from "../shapes.ts";

const AddedTwice = Shape({
  target: OneOf(["node", "option", "milestone"]),
  intoId: Type.String({ description: "That of the thread that is merged into" }),
  fromId: Type.String({ description: "That of the merged thread" }),
  title: Type.String({ description: "Title of the latter" }),
  hours: Type.Number({
    description:
      "By how much the expected hours would be smaller without the latter, to two decimals; of a milestone 0",
  }),
});
export type AddedTwice = Static<typeof AddedTwice>;

export const additionsTwice = Type.Array(AddedTwice, {
  description:
    "Only in a dry run: what both threads have added, each for itself, below the same parent: of the same origin, or of the same title with the same hours (of a milestone: the same date). The merge keeps both; at most 100 are listed",
});
