export { acceptAtSignIn } from "./accept.ts";
export { shareMails } from "./mails.ts";
export { shareRoutes } from "./routes.ts";
export { findByShare, removeSharesForGood } from "./store.ts";
