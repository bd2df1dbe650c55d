export type { WhenEnded } from "./hooks.ts";
export { countInvitationsOf } from "./invitation-store.ts";
export { changeStanding, leaveAllTeams, lockTeamsOf } from "./leave.ts";
export { teamInvitationMail, teamMails } from "./mails.ts";
export { holdersOf, lockMembership, teamsOf } from "./membership-store.ts";
export { findTeamName, isMember, roleIn } from "./store.ts";
export { teamInvitations, teamMembers, teams } from "./tables.ts";
