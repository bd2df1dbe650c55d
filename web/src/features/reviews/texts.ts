import { formatCount } from "../../ui/numbers/format.ts";

/** Texts of the page of a review, and of the request for one. */
export const reviewTexts = {
  review: {
    title: "Review",
    asked: (reviewer: string, requester: string) => `${requester} asked ${reviewer} for a review.`,
    askedYou: (requester: string) => `${requester} asked you for a review.`,
    version: (number: number) => `Reviews version ${formatCount(number)}`,
    stale: "The estimation has changed since.",
    statuses: {
      pending: "Awaiting review",
      approved: "Approved",
      changes_requested: "Changes requested",
      withdrawn: "Withdrawn",
    },
    open: "Open estimation",
  },
  request: "Request review",
  requestText:
    "The reviewer gets a link by e-mail and can view this estimation from then on. What it says now is kept as the version to review.",
  reviewer: "Reviewer",
  reviewerHint: "An e-mail address, or part of the name of someone here",
  note: "What to look at (optional)",
  notePlaceholder: "Is the effort for payment realistic?",
  send: "Send request",
  askedTitle: "Review requested",
  asked: (name: string, version: number) => `${name} was asked to review version ${formatCount(version)}.`,
  openReview: "Open review",
  done: "Done",
} as const;
