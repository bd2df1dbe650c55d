export { accountMails, requestAccountMail } from "./account-mails.ts";
export { addUser, type NewUser } from "./add-user.ts";
export { appointAdministrator } from "./appoint-administrator.ts";
export { requireCaller } from "./caller.ts";
export { createAccount } from "./create-account.ts";
export { localPartOf, normalizeEmail, readEmail } from "./email.ts";
export { exampleReviewer } from "./example-reviewer.ts";
export { forgetMailedTokens } from "./mailed-tokens.ts";
export { mayRegister } from "./may-register.ts";
export { presentSession, presentUser } from "./present.ts";
export { createSessionUses, createSessionVerifier, forgetSessions, listSessions } from "./session-store.ts";
export { createSignIns, type OnSignedIn, type SignIns } from "./sign-ins.ts";
export {
  disableUser,
  enableUser,
  endUnprovedAccess,
  findNames,
  findPeople,
  findUser,
  findUserByEmail,
  revokeTokens,
  setUndelivered,
  type UserRow,
} from "./store.ts";
export { sessions, users } from "./tables.ts";
export { KNOWN_MS } from "./throttle.ts";
export { forgetCounts, forgetPairs } from "./throttle-store.ts";
export { countsAsVerified, demandVerified } from "./verified.ts";
