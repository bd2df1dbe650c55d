import Type, { type Static } from "typebox";
import { endpoints } from "../endpoint.ts";
import { limits } from "../limits.ts";
import {
  Change,
  component,
  Email,
  hundredths,
  Id,
  NextCursor,
  Nullable,
  OneOf,
  Person,
  paging,
  Shape,
  Text,
  Timestamp,
  Title,
} from "../shapes.ts";
import { clientLinkStates, shownFigures, shownPercentiles } from "../values/client-links.ts";
import { Amount, ShownQuestionRecord } from "../values/proposal.ts";
import { Estimation } from "./estimations.ts";
import { Version as VersionRecord } from "./versions.ts";

const at = (description: string) => Type.String({ ...Timestamp, description });
const Version = Shape(
  { id: Id("version"), number: Type.Integer({ minimum: 1 }) },
  { description: "The version that it shows" },
);

const fields = {
  title: Nullable(Title(limits.titleLength)),
  expiresAt: Nullable(
    Type.String({
      format: "date-time",
      description: "RFC 3339 with any offset; from then on the page only says that it has expired. null: never",
    }),
  ),
  shows: OneOf(shownFigures, {
    description: "Money or hours, as one figure or as a range. Money is the hours times the rate of the estimation",
  }),
  percentile: OneOf(shownPercentiles, {
    description: "The figure that is shown: what is expected, or what is enough in 80 of 100 cases",
  }),
  choices: Type.Boolean({ description: "Whether the client may try other options, and see what each adds" }),
  descriptions: Type.Boolean({ description: "Whether descriptions are shown; they are written for colleagues" }),
  step: Type.Number({
    minimum: 0.01,
    maximum: limits.linkStepMax,
    ...hundredths,
    description: "What every figure is a multiple of",
  }),
};

export const ClientLink = component(
  "ClientLink",
  Shape({
    id: Id("link"),
    estimationId: Id("estimation"),
    title: Nullable(Type.String({ description: "Heading of the page; null: the title of the estimation" })),
    shows: fields.shows,
    percentile: fields.percentile,
    choices: fields.choices,
    descriptions: fields.descriptions,
    step: fields.step,
    state: OneOf(clientLinkStates),
    version: Version,
    edition: Type.Integer({ minimum: 1, description: "Counts what was published by this link, from 1" }),
    total: Amount.ref,
    creator: Person("Who made it"),
    createdAt: Timestamp,
    publishedAt: at("When what it shows was last published"),
    expiresAt: Nullable(Timestamp),
    revokedAt: Nullable(Timestamp),
    acceptedAt: Nullable(at("When a client accepted it; from then on what it shows does not change")),
    appliedAt: Nullable(at("When what the client has chosen was last applied to the estimation")),
  }),
);
export type ClientLink = Static<typeof ClientLink.schema>;

export const Proposal = component(
  "Proposal",
  Shape(
    {
      title: Type.String(),
      description: Nullable(
        Type.String({ description: "Null where the link shows no descriptions, or there is none" }),
      ),
      assumptions: Nullable(
        Type.String({ description: "What the estimate takes for granted; null where nothing is written about it" }),
      ),
      edition: Type.Integer({ minimum: 1, description: "Which publication this is; a newer one has a higher number" }),
      publishedAt: at("As of when it is"),
      expiresAt: Nullable(Timestamp),
      shows: fields.shows,
      percentile: fields.percentile,
      choices: fields.choices,
      accepted: Type.Boolean({ description: "Whether it has been accepted: it can be once" }),
      acceptance: Nullable(
        Shape(
          {
            acceptedAt: Timestamp,
            optionIds: Type.Array(Id("option"), { description: "The options that are included; all others are not" }),
            total: Amount.ref,
          },
          { description: "What was accepted, which may differ from what is published; null: nobody has accepted" },
        ),
      ),
      currency: Nullable(Type.String({ description: "ISO 4217; null for hours" })),
      step: fields.step,
      questions: Type.Array(ShownQuestionRecord.ref),
      fixed: Type.Unsafe<Static<typeof Amount.schema>>({
        ...Amount.ref,
        description: "What is included whatever is chosen; without `choices` all of it",
      }),
      total: Amount.ref,
    },
    { description: "All that a page for a client shows, and nothing else" },
  ),
);
export type Proposal = Static<typeof Proposal.schema>;

const optionIds = (description: string) =>
  Type.Array(Text(limits.refLength), { maxItems: limits.trialOptions, description });
const Selection = Shape(
  {
    select: optionIds("Ids of options to choose beside those that are published"),
    deselect: optionIds("Ids of published options to leave out"),
  },
  {
    description:
      "By what a choice differs from what is published; without it, it is what is published, or once it is accepted what was accepted",
  },
);

export const ClientAnswer = component(
  "ClientAnswer",
  Shape({
    id: Id("answer"),
    linkId: Id("link"),
    kind: OneOf(["accepted", "comment"]),
    name: Type.String({ description: "As it was entered; nobody has proved it" }),
    email: Type.String({ description: "As it was entered; nobody has proved it" }),
    note: Nullable(Type.String()),
    edition: Type.Integer({ minimum: 1, description: "The publication that it is about" }),
    version: Version,
    selection: Selection,
    total: Amount.ref,
    ip: Type.String({ description: "The address that it came from" }),
    createdAt: Timestamp,
  }),
);
export type ClientAnswer = Static<typeof ClientAnswer.schema>;

const said = {
  name: Title(limits.userNameLength),
  email: Email,
  edition: Type.Optional(
    Type.Integer({
      minimum: 1,
      description:
        "The `edition` that the client has read: an answer to another one is refused; without it, the one that shows now",
    }),
  ),
  selection: Type.Optional(Selection),
};
const note = Title(limits.linkNoteLength);
const receipt = Shape({
  receipt: Shape({ edition: Type.Integer({ minimum: 1 }), total: Amount.ref, createdAt: Timestamp }),
});
const byToken = {
  access: "anyone",
  secretParam: "token",
  params: { token: "The last part of the address of the page" },
} as const;

const one = Shape({ link: ClientLink.ref });
const base = "/api/estimations/:id/links";
const access = "shares:manage";
const whatIsShown = {
  confirmRate: Type.Boolean({
    description:
      "Allows hours where a link of the estimation has shown a price, or the other way round: together they tell the rate",
  }),
};
const publishing = ["rate_would_show", "rate_missing", "tree_incomplete", "limit_reached"] as const;

export const clientLinks = endpoints({
  listClientLinks: {
    method: "GET",
    path: base,
    summary: "List the links to pages for clients, newest first, with revoked ones",
    access,
    right: "edit",
    query: Shape(paging(limits.pageSizeInside)),
    response: { status: 200, data: Shape({ links: Type.Array(ClientLink.ref), nextCursor: NextCursor }) },
  },
  createClientLink: {
    method: "POST",
    path: base,
    summary: "Make a link to a page that shows the estimate to a client; only this response has its address",
    description: `Whoever has the address may read the page, without an account. It shows the content as it is now, with its assumptions, which is stored as a version, until something newer is published; never rates, roles, who estimated, or what others wrote. Links of one estimation show money or hours: the second kind is refused (409 \`rate_would_show\`) without \`confirmRate\`. With \`choices\`, questions that no set of options answers are refused (409 \`tree_incomplete\`). An estimation has at most ${limits.linksPerEstimation} links, revoked ones included.`,
    access,
    right: "edit",
    body: Shape({
      title: Type.Optional(fields.title),
      expiresAt: Type.Optional(fields.expiresAt),
      shows: fields.shows,
      percentile: fields.percentile,
      choices: fields.choices,
      descriptions: fields.descriptions,
      step: Type.Optional(
        Type.Number({
          ...fields.step,
          description: "What every figure is a multiple of; by default three digits of the total",
        }),
      ),
      confirmRate: Type.Optional(whatIsShown.confirmRate),
    }),
    response: {
      status: 201,
      created: `${base}/:linkId`,
      data: Shape({
        link: ClientLink.ref,
        url: Type.String({ format: "uri", description: "The address of the page; only this response shows it" }),
      }),
    },
    errors: publishing,
    secrets: ["url"],
    ifMatch: true,
    activity: "link.created",
  },
  getClientLink: {
    method: "GET",
    path: `${base}/:linkId`,
    summary: "Read a link to a page for clients",
    access,
    right: "edit",
    response: { status: 200, data: one },
  },
  updateClientLink: {
    method: "PATCH",
    path: `${base}/:linkId`,
    summary: "Change what a page for a client shows, of the same version, or how long",
    description: "Changing anything but the expiry publishes it anew, and is refused once it is accepted.",
    access,
    right: "edit",
    body: Change(
      { ...fields, ...whatIsShown },
      {
        matching: ["id", "estimationId"],
        derived: [
          "state",
          "version",
          "edition",
          "total",
          "creator",
          "createdAt",
          "publishedAt",
          "revokedAt",
          "acceptedAt",
          "appliedAt",
        ],
      },
    ),
    response: { status: 200, data: one },
    errors: [...publishing, "link_revoked", "proposal_accepted"],
    ifMatch: true,
    activity: "link.changed",
  },
  publishClientLink: {
    method: "POST",
    path: `${base}/:linkId/publish`,
    summary: "Show the current content on a page for a client; it becomes a version",
    description: "Where the page shows it already, nothing changes.",
    access,
    right: "edit",
    response: { status: 200, data: one },
    errors: ["rate_missing", "tree_incomplete", "limit_reached", "link_revoked", "proposal_accepted"],
    ifMatch: true,
    activity: "link.published",
  },
  deleteClientLink: {
    method: "DELETE",
    path: `${base}/:linkId`,
    summary: "Revoke a link: its page is gone at once; doing it again changes nothing",
    access,
    right: "edit",
    response: { status: 200, data: one },
    ifMatch: true,
    activity: "link.revoked",
  },
  listClientAnswers: {
    method: "GET",
    path: `${base}/:linkId/answers`,
    summary: "List what clients have answered by a link, oldest first",
    access,
    right: "edit",
    query: Shape(paging(limits.pageSizeInside)),
    response: { status: 200, data: Shape({ answers: Type.Array(ClientAnswer.ref), nextCursor: NextCursor }) },
  },
  applyAcceptance: {
    method: "POST",
    path: `${base}/:linkId/apply`,
    summary: "Select in the estimation what a client has accepted, as a version",
    description:
      "What was added to the estimation since stays as it is. Content that is in no version becomes one before.",
    access,
    right: "edit",
    changesContent: true,
    response: {
      status: 200,
      data: Shape({ link: ClientLink.ref, version: VersionRecord.ref, estimation: Estimation.ref }),
    },
    errors: ["acceptance_missing", "limit_reached"],
    etag: true,
    ifMatch: true,
    activity: "proposal.applied",
  },
  getProposal: {
    method: "GET",
    path: "/api/links/:token",
    summary: "Read what a page for a client shows",
    description:
      "For whoever has the address of the page, of which the token is the last part. A revoked one does not exist.",
    ...byToken,
    response: { status: 200, data: Shape({ proposal: Proposal.ref }) },
    errors: ["link_expired"],
  },
  tryProposal: {
    method: "POST",
    path: "/api/links/:token/what-if",
    summary: "Read what a page for a client would show with other options",
    description: `A sum of the figures that the page shows. At most ${limits.linkTrialsPerMinute} times a minute for each link and address.`,
    ...byToken,
    perMinute: limits.linkTrialsPerMinute,
    transaction: false,
    body: Selection,
    response: {
      status: 200,
      data: Shape({ whatIf: Shape({ edition: Type.Integer({ minimum: 1 }), total: Amount.ref }) }),
    },
    errors: ["link_expired", "choices_fixed"],
  },
  acceptProposal: {
    method: "POST",
    path: "/api/links/:token/accept",
    summary: "Accept what a page for a client shows, once for each link",
    description:
      "Name and address are what is claimed: nobody proves them. The owner is mailed; the estimation stays as it is.",
    ...byToken,
    perMinute: limits.linkAnswersPerMinute,
    body: Shape({ ...said, note: Type.Optional(Nullable(note)) }),
    response: { status: 200, data: receipt },
    errors: [
      "link_expired",
      "proposal_changed",
      "proposal_accepted",
      "choices_fixed",
      "tree_incomplete",
      "limit_reached",
    ],
    events: ["proposal.accepted"],
    activity: "proposal.accepted",
  },
  commentOnProposal: {
    method: "POST",
    path: "/api/links/:token/comment",
    summary: "Comment on what a page for a client shows",
    description: `A page takes ${limits.commentsPerLink} comments.`,
    ...byToken,
    perMinute: limits.linkAnswersPerMinute,
    body: Shape({ ...said, note }),
    response: { status: 200, data: receipt },
    errors: ["link_expired", "proposal_changed", "choices_fixed", "limit_reached"],
    activity: "proposal.commented",
  },
});
