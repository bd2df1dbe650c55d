import Type, { type Static } from "typebox";
import { component, hundredths, Id, Nullable, OneOf, Shape } from "../shapes.ts";
import { nodeKinds } from "./node-kinds.ts";
import type { NodeKind, ThreePoint } from "./tree.ts";

const Shown = (description: string) => Type.Number({ minimum: 0, ...hundredths, description });

/** Money or hours, as a client sees them. */
export const Amount = component(
  "Amount",
  Shape(
    {
      figure: Shown("Money or hours, as the link shows them: a multiple of its step"),
      low: Nullable(Shown("The lower end; null where the link shows no ranges")),
      high: Nullable(Shown("The upper end; null where the link shows no ranges")),
    },
    { description: "What a client sees of a price, or of hours" },
  ),
);
export type Amount = Static<typeof Amount.schema>;

/** An option, as a client sees it. */
export interface ShownOption {
  id: string;
  title: string;
  description: string | null;
  selected: boolean;
  amount: Amount | null;
  points: ThreePoint | null;
  questions: ShownQuestion[];
}

/** A question or a fixed scope, as a client sees it. */
export interface ShownQuestion {
  id: string;
  title: string;
  description: string | null;
  kind: NodeKind;
  required: boolean;
  min: number | null;
  max: number | null;
  options: ShownOption[];
}

const description = Nullable(
  Type.String({ description: "Null where the link shows no descriptions, or there is none" }),
);
const count = (text: string) => Nullable(Type.Integer({ minimum: 0, description: text }));

export const ShownQuestionRecord = component(
  "ShownQuestion",
  Shape({
    id: Id("node"),
    title: Type.String(),
    description,
    kind: OneOf(nodeKinds, { description: "`group`: all of it is included. Otherwise a question, with its answers" }),
    required: Type.Boolean(),
    min: count("Options to be chosen at least; null: no limit"),
    max: count("Options to be chosen at most; null: no limit"),
    options: Type.Array(Type.Unsafe<ShownOption>({ $ref: "ShownOption#" }), {
      description: "In order; without `choices` only those that count",
    }),
  }),
);

// The questions refer to it by its name.
component(
  "ShownOption",
  Shape({
    id: Id("option"),
    title: Type.String(),
    description,
    selected: Type.Boolean({ description: "Whether it counts where the options above it do" }),
    amount: Type.Unsafe<Amount | null>({
      anyOf: [Amount.ref, { type: "null" }],
      description:
        "What it adds, with everything below it that comes with it; null where the client cannot choose it. The figures of what counts and `fixed` add up to the total",
    }),
    points: Nullable(
      Shape(
        { optimistic: Shown("Hours"), likely: Shown("Hours"), pessimistic: Shown("Hours") },
        { description: "Its own hours, rounded to the step; only where the link shows `hoursRange`" },
      ),
    ),
    questions: Type.Array(ShownQuestionRecord.ref, { description: "What arises where it is chosen" }),
  }),
);
