import Type, { type Static } from "typebox";
import { limits } from "../limits.ts";
import { component, hundredths, Id, Nullable, OneOf, OrNull, Person, Shape, Timestamp } from "../shapes.ts";
import { DISAGREES_BELOW, estimatesNeeded, roundStatuses } from "./round-statuses.ts";
import { pointProperties } from "./tree.ts";

const at = (description: string) => Type.String({ ...Timestamp, description });
const points = Shape(pointProperties, { description: "0 ≤ optimistic ≤ likely ≤ pessimistic" });
const count = (description: string) => Type.Integer({ minimum: 0, description });

const roundNumber = Type.Integer({ minimum: 1, description: "Counts the rounds of the estimation from 1" });

/** How far the caller has come in a round. */
export const OwnPart = Shape(
  {
    answered: count("Options that you have estimated or skipped"),
    remaining: count("Options that you have not; 0: you have answered"),
  },
  { description: "Your part in it; null: you are not asked, or it is no longer open" },
);
export type OwnPart = Static<typeof OwnPart>;

/** Several people estimate the same options, apart from each other. */
export const Round = component(
  "Round",
  Shape({
    id: Id("round"),
    estimationId: Id("estimation"),
    estimationTitle: Type.String(),
    number: roundNumber,
    title: Nullable(Type.String()),
    status: OneOf(roundStatuses, {
      description:
        "`open`: people estimate, and see nothing of each other. `revealed`: all estimates are shown, and none changes any more. `closed`: it has ended; what was shown still is, and where nothing was, nothing ever is",
    }),
    anonymous: Type.Boolean({ description: "Whether nobody ever learns whose an estimate is" }),
    deadline: Nullable(
      at("When it is revealed, if enough people have answered by then, or before, once all have; null: only then"),
    ),
    version: Shape(
      { id: Id("version"), number: Type.Integer({ minimum: 1 }) },
      { description: "What people estimate: the content when it was opened" },
    ),
    repeats: Nullable(
      Shape(
        { id: Id("round"), number: roundNumber },
        { description: "The round of which it repeats options; null: none" },
      ),
    ),
    openedBy: Person("Who opened it"),
    participants: Type.Array(
      Shape({
        user: OrNull(Person("Who is asked; null: nobody has accepted the invitation yet")),
        email: Nullable(
          Type.String({ description: "The invited address until somebody accepts; null for whoever may not edit" }),
        ),
      }),
      { description: "Who is asked, in the order of the request" },
    ),
    optionIds: Type.Array(Id("option"), { description: "What is estimated, in tree order" }),
    answered: count(
      "Participants who have estimated or skipped every option: all that is known of them before it is revealed",
    ),
    you: Nullable(OwnPart),
    openedAt: Timestamp,
    revealedAt: Nullable(Timestamp),
    closedAt: Nullable(Timestamp),
  }),
);
export type Round = Static<typeof Round.schema>;

/** The hours that all estimates of an option together say. */
const Pool = Shape(
  {
    hours: points,
    mean: Type.Number({ minimum: 0, ...hundredths, description: "Mean of all estimates together, in hours" }),
    varianceKept: Type.Boolean({
      description:
        "False where no three points are as uncertain as the estimates together: `hours` are then the widest with their mean",
    }),
  },
  { description: "Three points with the mean and the variance of all estimates together, each counting the same" },
);

const RoundEstimate = Shape({
  id: Id("estimate"),
  person: OrNull(Person("Whose it is; null: the round is anonymous")),
  ...pointProperties,
  note: Nullable(Type.String({ description: "Why" })),
  isOutlier: Type.Boolean({
    description: "Whether it is the lowest or the highest of an option that people disagree about: to be heard first",
  }),
});
export type RoundEstimate = Static<typeof RoundEstimate>;

/** Where the hours of an option came from. */
export const adoptedFrom = ["pool", "median", "estimate"] as const;
export type AdoptedFrom = (typeof adoptedFrom)[number];

/** Hours that an option was given by a round. */
export const AdoptedHours = component(
  "AdoptedHours",
  Shape({
    optionId: Id("option"),
    round: Shape({ id: Id("round"), number: roundNumber, title: Nullable(Type.String()) }),
    from: OneOf(adoptedFrom, { description: "What of the round they are: one person's `estimate`, or all together" }),
    hours: points,
    people: count("How many people estimated the option"),
    agreement: Nullable(
      Type.Number({ minimum: 0, maximum: 1, description: "How far they agreed; null: only one person estimated it" }),
    ),
    person: Person("Who adopted them"),
    adoptedAt: Timestamp,
  }),
);
export type AdoptedHours = Static<typeof AdoptedHours.schema>;

/** What came of an option once the round was revealed. */
export const RoundResult = Shape({
  people: count("How many people estimated it"),
  skipped: count("How many people said that they cannot judge it"),
  tooFew: Type.Boolean({
    description: `Whether fewer than ${estimatesNeeded.named} people estimated it, or than ${estimatesNeeded.anonymous} in an anonymous round: then nothing is made of the estimates, and in an anonymous round they are removed`,
  }),
  agreement: Nullable(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description:
        "Mean over all pairs of people of the hours that both of their 80 % ranges hold, divided by those that either holds; null: too few",
    }),
  ),
  disagrees: Type.Boolean({ description: `Whether the agreement is below ${DISAGREES_BELOW}` }),
  pool: Nullable(Pool),
  median: Nullable(points),
  estimates: Type.Array(RoundEstimate, {
    maxItems: limits.roundParticipants,
    description: "In an order that is drawn for each option",
  }),
});
export type RoundResult = Static<typeof RoundResult>;

/** An option of a round, with what the caller may see of its estimates. */
export const RoundOption = component(
  "RoundOption",
  Shape({
    optionId: Id("option"),
    title: Type.String(),
    path: Type.Array(Type.String(), {
      description: "Titles of the nodes and options above it, from the root, its question last",
    }),
    quantity: Type.Number({ minimum: 0, description: "How often the work is done" }),
    unit: Nullable(Type.String({ description: "What the quantity counts; estimates are of one" })),
    role: Nullable(Type.String()),
    hours: Nullable(Shape(pointProperties, { description: "As they were in the version" })),
    yours: Nullable(
      Shape(
        {
          hours: Nullable(Shape(pointProperties, { description: "Null: skipped" })),
          note: Nullable(Type.String()),
        },
        { description: "Your estimate; null: none, or that of an anonymous round which is no longer open" },
      ),
    ),
    result: OrNull(RoundResult),
  }),
);
export type RoundOption = Static<typeof RoundOption.schema>;
