export { reviewMails } from "./mails.ts";
export { hideReviews } from "./store.ts";
export { endReviewOfOwner, withdraw } from "./withdraw.ts";
