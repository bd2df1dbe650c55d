export { acceptAtSignIn } from "./accept.ts";
export { endEarlierAccess } from "./earlier-access.ts";
export { forgetInvitationMails } from "./held-store.ts";
export { demandVerified } from "./invite.ts";
export { shareMails } from "./mails.ts";
export { takeShareOf } from "./store.ts";
