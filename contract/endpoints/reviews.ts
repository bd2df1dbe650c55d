import Type, { type Static } from "typebox";
import { endpoints } from "../endpoint.ts";
import { limits } from "../limits.ts";
import {
  AnyOf,
  Change,
  component,
  Email,
  Id,
  NextCursor,
  Nullable,
  OneOf,
  OrNull,
  Person,
  paging,
  Shape,
  Text,
  Timestamp,
  Title,
} from "../shapes.ts";

/** What a reviewer can decide. */
export const verdicts = ["approved", "changes_requested"] as const;
export type ReviewVerdict = (typeof verdicts)[number];

/** The statuses of reviews that were not withdrawn. */
export const standingStatuses = ["pending", ...verdicts] as const;
export type StandingStatus = (typeof standingStatuses)[number];

export const reviewStatuses = [...standingStatuses, "withdrawn"] as const;
export type ReviewStatus = (typeof reviewStatuses)[number];

const at = (description: string) => Type.String({ ...Timestamp, description });

/** What a user can be in a review. */
const reviewRoles = ["reviewer", "requester"] as const;
export type ReviewRole = (typeof reviewRoles)[number];

export const Review = component(
  "Review",
  Shape({
    id: Id("review"),
    estimationId: Id("estimation"),
    estimationTitle: Type.String(),
    status: OneOf(reviewStatuses, { description: "A `withdrawn` review stays withdrawn, and can only be read" }),
    stale: Type.Boolean({
      description:
        "Whether the content of the estimation differs now from the version that the review is about; false for one that is withdrawn",
    }),
    reviewer: Person("Who is asked"),
    undeliveredAt: Nullable(
      at("When the mail server refused a mail to the reviewer for good; null: it did not, or has taken one since"),
    ),
    requester: Person("Who asked last"),
    version: Shape(
      { id: Id("version"), number: Type.Integer({ minimum: 1 }) },
      { description: "The version that it is about: the content when the review was last requested" },
    ),
    judgedVersion: Nullable(
      Shape(
        {
          id: Id("version"),
          number: Type.Integer({ minimum: 1 }),
          verdict: OneOf(verdicts),
          decidedAt: at("When the reviewer decided; stays when they are asked again"),
        },
        {
          description:
            "The version of the estimation that the reviewer judged last, in this review or an earlier one, with the verdict; null: none yet",
        },
      ),
    ),
    baseVersion: Nullable(
      Shape(
        { id: Id("version"), number: Type.Integer({ minimum: 1 }) },
        {
          description:
            "What `version` is to be compared with: the version that the reviewer had judged last when `version` was requested. A verdict does not change it; null: none",
        },
      ),
    ),
    note: Nullable(Type.String({ description: "Note of the requester" })),
    createdAt: Timestamp,
    requestedAt: at("When it was last requested"),
    decidedAt: Nullable(at("When the reviewer decided; null: not since the last request")),
    withdrawnAt: Nullable(Timestamp),
  }),
);
export type Review = Static<typeof Review.schema>;

const nodeId = Nullable(Type.String({ description: "The node that it is about; with `optionId` that of the option" }));
const optionId = Nullable(Type.String({ description: "The option that it is about" }));

export const Comment = component(
  "Comment",
  Shape({
    id: Id("comment"),
    reviewId: Id("review"),
    parentId: Nullable(Id("comment", "The first comment of its thread; null: it is the first one")),
    author: Person("Who wrote it"),
    body: Nullable(Type.String({ description: "Null: it was deleted, and has replies" })),
    nodeId,
    optionId,
    verdict: Nullable(OneOf(verdicts, { description: "The verdict that it came with; null: none" })),
    resolved: Type.Boolean({ description: "Whether its thread is settled; only the first comment of a thread can be" }),
    resolvedBy: Nullable(Person("Who settled it")),
    createdAt: Timestamp,
    editedAt: Nullable(at("When its text was last changed; null: never")),
  }),
);
export type Comment = Static<typeof Comment.schema>;

const one = Shape({ review: Review.ref });
const withViewed = Shape({
  review: Review.ref,
  viewed: Nullable(
    Type.Array(Id("option"), {
      description:
        "The options that you have marked as viewed, in the order of their ids; null: you are not the reviewer",
    }),
  ),
});
const marks = Shape(
  {
    optionIds: Type.Array(Id("option"), { description: "All options that are marked, in the order of their ids" }),
    viewed: Type.Boolean({ description: "True" }),
    versionId: Id("version", "The version that they are of"),
  },
  { description: "What is marked now" },
);
const many = Shape({ reviews: Type.Array(Review.ref), nextCursor: NextCursor });
const counted = Shape({
  ...many.properties,
  count: Type.Integer({
    minimum: 0,
    maximum: limits.reviewsCounted,
    description: `How many reviews the list has on all pages, counted up to ${limits.reviewsCounted}`,
  }),
});
const Waiting = (description: string) => Type.Integer({ minimum: 0, maximum: limits.reviewsCounted, description });
const decided = Shape({ review: Review.ref, comment: Type.Optional(Comment.ref) });
const oneComment = Shape({ comment: Comment.ref });
const verdictBody = Shape({
  comment: Type.Optional(Title(limits.commentLength)),
  versionId: Type.Optional(
    Text(limits.refLength, {
      description:
        "The version that the verdict is about: the request is refused if the review is about another one by then",
    }),
  ),
});

const ofTree = (thing: string) =>
  `The ${thing} that it is about: of the tree as it is now, or of the version that the review is about or that it is compared with`;

const base = "/api/estimations/:id/reviews";
const verdictErrors = ["review_moved", "review_withdrawn", "limit_reached"] as const;
const commentErrors = ["review_withdrawn", "limit_reached"] as const;

export const reviews = endpoints({
  listMyReviews: {
    method: "GET",
    path: "/api/reviews",
    summary: "List the reviews that you are asked for, or have asked for, the most recently requested first",
    description:
      "Withdrawn reviews and those of deleted estimations are left out; of those that you have asked for also those of estimations that are no longer yours.",
    access: "reviews:read",
    query: Shape({
      role: Type.Optional(OneOf(reviewRoles, { default: "reviewer", description: "Your part in the reviews" })),
      status: AnyOf(OneOf(standingStatuses), standingStatuses.length, "Only those with one of these statuses"),
      ...paging(limits.pageSize),
    }),
    response: { status: 200, data: counted },
  },
  countWaiting: {
    method: "GET",
    path: "/api/reviews/waiting",
    summary:
      "Count what waits for you: reviews to decide, invitations to estimations and teams, and rounds to estimate in",
    description: `Each is counted up to ${limits.reviewsCounted}. Invitations are those that your address can accept now; while it is not verified, there are none.`,
    access: "session",
    response: {
      status: 200,
      data: Shape({
        waiting: Shape({
          reviews: Waiting("Reviews that you are asked for and have not decided"),
          estimationInvitations: Waiting("Invitations to estimations that you have not accepted"),
          teamInvitations: Waiting("Invitations to teams that you have not accepted"),
          rounds: Waiting("Open rounds in which you have options left to estimate"),
        }),
      }),
    },
  },
  listReviews: {
    method: "GET",
    path: base,
    summary: "List the reviews of an estimation, newest first",
    access: "reviews:read",
    right: "read",
    query: Shape(paging(limits.pageSizeInside)),
    response: { status: 200, data: many },
  },
  requestReview: {
    method: "POST",
    path: base,
    summary: "Ask a user for a review of the current content, which is stored as a version",
    description: `From then on the reviewer, a user with a verified address, may read the estimation, decide and comment. Asking the same user again updates the existing review: it is then about the current content, and pending again (200). If that would change nothing, nothing happens. Only users with a verified address can ask; at most ${limits.reviewRequestsPerMinute} times a minute.`,
    access: "reviews:write",
    right: "own",
    perMinute: limits.reviewRequestsPerMinute,
    body: Shape({
      reviewerId: Type.Optional(Text(limits.refLength, { description: "The user to ask; or the address" })),
      reviewerEmail: Type.Optional(Email),
      note: Type.Optional(Nullable(Title(limits.reviewNoteLength))),
    }),
    response: {
      status: 201,
      created: `${base}/:reviewId`,
      data: one,
      found: { status: 200, when: "The user had been asked before, and is asked again", data: one },
    },
    errors: ["reviewer_is_owner", "reviewer_declined", "limit_reached"],
    events: ["estimation.submitted"],
    ifMatch: true,
    activity: "review.requested",
  },
  getMyReview: {
    method: "GET",
    path: `${base}/mine`,
    summary: "Read the latest review that you are asked for of an estimation, or null",
    access: "reviews:read",
    right: "read",
    response: { status: 200, data: Shape({ review: OrNull(Review.ref) }) },
  },
  getReview: {
    method: "GET",
    path: `${base}/:reviewId`,
    summary: "Read a review",
    access: "reviews:read",
    right: "read",
    response: { status: 200, data: withViewed },
  },
  markViewed: {
    method: "PUT",
    path: `${base}/:reviewId/viewed`,
    summary: "Mark options of the version that a review is about as viewed, or as not",
    description:
      "Only the reviewer, who alone sees the marks. Asking for the review again takes the marks of the options that differ from then on: that say something else, stand below another question, or are gone.",
    access: "reviews:write",
    right: "decide",
    body: Shape({
      optionIds: Type.Array(Text(limits.refLength), {
        minItems: 1,
        maxItems: limits.viewedPerRequest,
        uniqueItems: true,
        description: "Options of the version that the review is about",
      }),
      viewed: Type.Boolean({ description: "Whether they are marked, or no longer" }),
      versionId: Type.Optional(
        Text(limits.refLength, {
          description: "The version that was viewed: the request is refused if the review is about another one by then",
        }),
      ),
    }),
    response: { status: 200, data: Shape({ marks }) },
    errors: ["review_moved", "review_withdrawn"],
    ifMatch: true,
  },
  approveReview: {
    method: "POST",
    path: `${base}/:reviewId/approve`,
    summary: "Approve the version that a review is about",
    description: `Only the reviewer, at most ${limits.verdictsPerMinute} times a minute. A verdict can be changed; the latest counts. The same verdict again changes nothing.`,
    access: "reviews:write",
    right: "decide",
    perMinute: limits.verdictsPerMinute,
    body: verdictBody,
    bodyOptional: true,
    response: { status: 200, data: decided },
    errors: verdictErrors,
    events: ["estimation.approved"],
    ifMatch: true,
    activity: "review.approved",
  },
  requestChanges: {
    method: "POST",
    path: `${base}/:reviewId/request-changes`,
    summary: "Request changes to the version that a review is about",
    description: `Only the reviewer, at most ${limits.verdictsPerMinute} times a minute. A verdict can be changed; the latest counts. The same verdict again changes nothing.`,
    access: "reviews:write",
    right: "decide",
    perMinute: limits.verdictsPerMinute,
    body: verdictBody,
    bodyOptional: true,
    response: { status: 200, data: decided },
    errors: verdictErrors,
    events: ["estimation.changes_requested"],
    ifMatch: true,
    activity: "review.changes_requested",
  },
  withdrawReview: {
    method: "POST",
    path: `${base}/:reviewId/withdraw`,
    summary: "Withdraw a review: it ends, and so does the access that it gave",
    description:
      "Only the owner of the estimation, or the reviewer. Access by a share stays. The comments can still be read. Withdrawing it again changes nothing.",
    access: "reviews:write",
    right: "decide",
    response: { status: 200, data: one },
    ifMatch: true,
    activity: "review.withdrawn",
  },
  declineReview: {
    method: "POST",
    path: `${base}/:reviewId/decline`,
    summary: "Decline a review that you are asked for: it ends, and so does the access that it gave",
    description: `Only the reviewer. The owner of the estimation cannot ask you for a review of anything for ${limits.declinedReviewDays} days (403 \`reviewer_declined\`). Otherwise like withdrawing: declining a withdrawn review changes nothing.`,
    access: "reviews:write",
    right: "decide",
    response: { status: 200, data: one },
    ifMatch: true,
    activity: "review.declined",
  },
  listOpenComments: {
    method: "GET",
    path: "/api/estimations/:id/comments",
    summary: "List the comments in the open threads of all reviews of an estimation",
    description:
      "Threads that are settled and reviews that were withdrawn are left out. Comments of a review stand together, oldest review first, and those of a thread in it, oldest thread first.",
    access: "reviews:read",
    right: "read",
    query: Shape(paging(limits.pageSizeInside)),
    response: { status: 200, data: Shape({ comments: Type.Array(Comment.ref), nextCursor: NextCursor }) },
  },
  listComments: {
    method: "GET",
    path: `${base}/:reviewId/comments`,
    summary: "List the comments on a review, oldest first",
    access: "reviews:read",
    right: "read",
    query: Shape(paging(limits.pageSizeInside)),
    response: { status: 200, data: Shape({ comments: Type.Array(Comment.ref), nextCursor: NextCursor }) },
  },
  createComment: {
    method: "POST",
    path: `${base}/:reviewId/comments`,
    summary: "Comment on a review, or reply to a comment",
    description: `For reviewers of the estimation, its owner and its editors. A review has at most ${limits.commentsPerReview} comments, ${limits.commentsPerAuthor} by one author; when they are used up, each author may still have ${limits.keptPerAuthor}, and the owner ${limits.commentsPerAuthor}. At most ${limits.commentsPerMinute} a minute. A reply to a reply joins its thread.`,
    access: "reviews:write",
    right: "comment",
    perMinute: limits.commentsPerMinute,
    body: Shape({
      body: Title(limits.commentLength),
      nodeId: Type.Optional(Nullable(Text(limits.refLength, { description: ofTree("node") }))),
      optionId: Type.Optional(Nullable(Text(limits.refLength, { description: ofTree("option") }))),
      parentId: Type.Optional(
        Nullable(
          Text(limits.refLength, {
            description: "The comment to reply to; the reply is about the same node or option",
          }),
        ),
      ),
    }),
    response: { status: 201, created: `${base}/:reviewId/comments/:commentId`, data: oneComment },
    errors: commentErrors,
    ifMatch: true,
    activity: "review.commented",
  },
  updateComment: {
    method: "PATCH",
    path: `${base}/:reviewId/comments/:commentId`,
    summary: "Change the text of your comment, or settle or reopen a thread",
    description:
      "Only the author can change the text. Everybody who may comment can settle (`resolved`) and reopen a thread. A longer text is refused (409 `limit_reached`, `textBytes`) beyond the quota of the estimation's owner.",
    access: "reviews:write",
    right: "comment",
    body: Change(
      { body: Title(limits.commentLength), resolved: Type.Boolean({ description: "Whether the thread is settled" }) },
      {
        matching: ["id", "reviewId", "parentId"],
        derived: ["author", "nodeId", "optionId", "verdict", "resolvedBy", "createdAt", "editedAt"],
      },
    ),
    response: { status: 200, data: oneComment },
    errors: commentErrors,
    ifMatch: true,
  },
  deleteComment: {
    method: "DELETE",
    path: `${base}/:reviewId/comments/:commentId`,
    summary: "Delete your comment; if it has replies, it stays without its text",
    access: "reviews:write",
    right: "comment",
    response: { status: 200, data: oneComment },
    errors: ["review_withdrawn"],
    ifMatch: true,
  },
});
