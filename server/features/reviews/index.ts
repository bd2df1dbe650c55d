export { reviewMails } from "./mails.ts";
export { reviewRoutes } from "./routes.ts";
export { hideReviews } from "./store.ts";
export { endReviewOfOwner } from "./withdraw.ts";
