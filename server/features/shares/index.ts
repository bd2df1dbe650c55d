export { acceptAtSignIn } from "./accept.ts";
export { endEarlierAccess } from "./earlier-access.ts";
export { shareToView } from "./give-access.ts";
export { forgetInvitationMails } from "./held-store.ts";
export { mailInvitation } from "./invite.ts";
export { shareMails } from "./mails.ts";
export {
  countSharesWith,
  removeEndedTeams,
  removeSharesWithEnded,
  setSharesUndelivered,
  takeShareOf,
} from "./store.ts";
export { shares } from "./tables.ts";
export { shareWithDefaultTeam } from "./team-shares.ts";
