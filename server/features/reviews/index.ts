export { reviewMails } from "./mails.ts";
export { hideReviews } from "./store.ts";
export { endReviewOfOwner } from "./withdraw.ts";
