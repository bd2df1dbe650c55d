import Type from "typebox";
import { endpoints } from "../endpoint.ts";
import { limits } from "../limits.ts";
import { NextCursor, Nullable, paging, Shape, Text, Timestamp, Title } from "../shapes.ts";
import { AdoptedHours, OwnPart, Round, RoundOption } from "../values/round.ts";
import { DISAGREES_BELOW, estimatesNeeded } from "../values/round-statuses.ts";
import { pointProperties } from "../values/tree.ts";
import { TreeHours } from "../values/tree-hours.ts";

const base = "/api/estimations/:id/rounds";

const optionId = Text(limits.refLength, { description: "An option of the round" });
const title = Type.Optional(Nullable(Title(limits.titleLength)));
const deadline = Type.Optional(
  Nullable(
    Type.String({
      ...Timestamp,
      description: `When it is revealed if enough people have answered: later than now, at most ${limits.roundDays} days`,
    }),
  ),
);
const OptionIds = (description: string) =>
  Type.Array(Text(limits.refLength), { minItems: 1, maxItems: limits.roundOptions, uniqueItems: true, description });

const note = Type.Optional(Nullable(Text(limits.roundNoteLength, { description: "Why" })));
const optionalPoints = {
  optimistic: Type.Optional(pointProperties.optimistic),
  likely: Type.Optional(pointProperties.likely),
  pessimistic: Type.Optional(pointProperties.pessimistic),
};
const from = Text(limits.refLength, {
  description: "`pool`, `median`, or the id of an estimate of the option",
});

const one = Shape({ round: Round.ref });
const part = Shape({ you: OwnPart });

/** What people do who estimate together: apart at first, then in sight of each other. */
export const rounds = endpoints({
  listMyRounds: {
    method: "GET",
    path: "/api/rounds",
    summary: "List the open rounds in which you have options left to estimate, newest first",
    access: "estimations:read",
    query: Shape(paging(limits.pageSize)),
    response: { status: 200, data: Shape({ rounds: Type.Array(Round.ref), nextCursor: NextCursor }) },
  },
  openRound: {
    method: "POST",
    path: base,
    summary: "Ask people to estimate options, each without seeing what the others say",
    description: `The current content is stored as a version, which is what they estimate. Those who may not read the estimation yet get a share with the permission \`view\`: a user with a verified address at once, any other address by an invitation; each new share is also the event \`share.invited\`. At most ${limits.roundsPerMinute} times a minute; only users with a verified address can ask.`,
    access: "estimations:write",
    right: "edit",
    perMinute: limits.roundsPerMinute,
    body: Shape({
      title,
      optionIds: Type.Optional(
        OptionIds("Options of the tree; by default those that count and together make up 80 % of the uncertainty"),
      ),
      participants: Type.Array(Text(limits.emailLength), {
        minItems: estimatesNeeded.named,
        maxItems: limits.roundParticipants,
        uniqueItems: true,
        description: `Ids of users, or e-mail addresses: at least ${estimatesNeeded.named}, of an anonymous round ${estimatesNeeded.anonymous}`,
      }),
      deadline,
      anonymous: Type.Optional(
        Type.Boolean({ default: false, description: "Whether nobody ever learns whose an estimate is" }),
      ),
    }),
    response: { status: 201, created: `${base}/:roundId`, data: one },
    errors: ["limit_reached"],
    events: ["round.opened"],
    ifMatch: true,
    activity: "round.opened",
  },
  listRounds: {
    method: "GET",
    path: base,
    summary: "List the rounds of an estimation, newest first",
    access: "estimations:read",
    right: "read",
    query: Shape(paging(limits.pageSize)),
    response: { status: 200, data: Shape({ rounds: Type.Array(Round.ref), nextCursor: NextCursor }) },
  },
  listAdoptedHours: {
    method: "GET",
    path: `${base}/adopted`,
    summary: "List the options whose hours are from a round, in tree order",
    description: "Only while they are: an option whose hours were changed since is left out, and comes back with them.",
    access: "estimations:read",
    right: "read",
    withTree: true,
    response: { status: 200, data: Shape({ adopted: Type.Array(AdoptedHours.ref) }) },
  },
  getRound: {
    method: "GET",
    path: `${base}/:roundId`,
    summary: "Read a round",
    access: "estimations:read",
    right: "read",
    response: { status: 200, data: one },
  },
  listRoundOptions: {
    method: "GET",
    path: `${base}/:roundId/options`,
    summary: "List the options of a round in tree order, once revealed with all estimates, else with yours",
    access: "estimations:read",
    right: "read",
    query: Shape(paging(limits.pageSizeInside)),
    response: { status: 200, data: Shape({ options: Type.Array(RoundOption.ref), nextCursor: NextCursor }) },
  },
  giveEstimates: {
    method: "POST",
    path: `${base}/:roundId/estimates`,
    summary: "Give your estimate of an option, or of several, in place of those you gave before",
    description: `Only participants, while the round is open. One option by its fields, or up to ${limits.roundOptions} in \`estimates\`. Notes of all your estimates together have at most ${limits.roundNotesBytes.toLocaleString("en-US")} bytes. It neither waits for others nor changes the estimation.`,
    access: "estimations:write",
    right: "estimate",
    body: Shape({
      optionId: Type.Optional(optionId),
      ...optionalPoints,
      note,
      estimates: Type.Optional(
        Type.Array(Shape({ optionId, ...pointProperties, note }), {
          minItems: 1,
          maxItems: limits.roundOptions,
          description: "Instead of the other fields: each option once",
        }),
      ),
    }),
    response: { status: 200, data: part },
    errors: ["round_not_open", "limit_reached"],
    ifMatch: true,
  },
  skipOptions: {
    method: "POST",
    path: `${base}/:roundId/skip`,
    summary: "Say that you cannot judge an option, or several, in place of your estimates of them",
    description: "Only participants, while the round is open.",
    access: "estimations:write",
    right: "estimate",
    body: Shape({
      optionId: Type.Optional(optionId),
      optionIds: Type.Optional(OptionIds("Instead of `optionId`: options of the round")),
    }),
    response: { status: 200, data: part },
    errors: ["round_not_open"],
    ifMatch: true,
  },
  revealRound: {
    method: "POST",
    path: `${base}/:roundId/reveal`,
    summary: "Show all estimates of a round; none changes from then on",
    description: `Needs ${estimatesNeeded.named} participants who have answered, in an anonymous round ${estimatesNeeded.anonymous}; and if you are one, you have to be among them. It happens by itself once all have answered, and at the deadline, or later, once one option has that many estimates. Revealing it again changes nothing.`,
    access: "estimations:write",
    right: "edit",
    response: { status: 200, data: one },
    errors: ["round_not_open", "round_too_few", "round_answer_missing"],
    events: ["round.revealed"],
    ifMatch: true,
    activity: "round.revealed",
  },
  repeatRound: {
    method: "POST",
    path: `${base}/:roundId/again`,
    summary: "Open another round of the options that people disagree about, for the same people",
    description: `By default of the options with an agreement below ${DISAGREES_BELOW}; options with too few estimates are left out. It is about the current content: options that are gone are left out, and so are people who may not read the estimation any more.`,
    access: "estimations:write",
    right: "edit",
    perMinute: limits.roundsPerMinute,
    body: Shape({ title, optionIds: Type.Optional(OptionIds("Options of the round")), deadline }),
    bodyOptional: true,
    response: { status: 201, created: `${base}/:nextId`, data: one },
    errors: ["round_not_revealed", "round_agreed", "limit_reached"],
    events: ["round.opened"],
    ifMatch: true,
    activity: "round.opened",
  },
  adoptHours: {
    method: "POST",
    path: `${base}/:roundId/adopt`,
    summary: "Give options the hours that a round came to, in one change",
    description: `One option by its fields, or up to ${limits.roundOptions} in \`options\`. An option that has changed since the round was opened, but for hours of this round, is not given any (409); then none of them is.`,
    access: "estimations:write",
    right: "edit",
    body: Shape({
      optionId: Type.Optional(optionId),
      from: Type.Optional(from),
      options: Type.Optional(
        Type.Array(Shape({ optionId, from }), {
          minItems: 1,
          maxItems: limits.roundOptions,
          description: "Instead of the other fields: each option once",
        }),
      ),
    }),
    response: {
      status: 200,
      data: Shape({
        adopted: Type.Array(AdoptedHours.ref, { description: "In the order of the request" }),
        hours: TreeHours.ref,
      }),
    },
    errors: ["round_not_revealed", "round_option_changed"],
    etag: true,
    ifMatch: true,
    changesContent: true,
    activity: "round.adopted",
  },
  closeRound: {
    method: "POST",
    path: `${base}/:roundId/close`,
    summary: "End a round: where its estimates were not revealed, they are removed",
    description: "Closing it again changes nothing.",
    access: "estimations:write",
    right: "edit",
    response: { status: 200, data: one },
    events: ["round.closed"],
    ifMatch: true,
    activity: "round.closed",
  },
});
