import { formatCount } from "./ui/format.ts";

/** The texts of a request for a review, which is loaded when it is opened. */
export const reviewTexts = {
  request: "Request review",
  requestText:
    "The reviewer is mailed a link, and may read this estimation from then on. What it says now is kept as a version, which the review is about.",
  reviewer: "Reviewer",
  reviewerHint: "An e-mail address, or a part of the name of somebody here",
  note: "What to look at (optional)",
  notePlaceholder: "Is the effort for payment realistic?",
  send: "Send request",
  askedTitle: "The review is requested",
  asked: (name: string, version: number) => `${name} is asked to review version ${formatCount(version)}.`,
  openReview: "Open the review",
  done: "Done",
} as const;
