import type { ShareStatus } from "../../../../contract/endpoints/shares.ts";
import type { SharePermission } from "../../../../contract/values/share-permissions.ts";
import { many } from "../../ui/numbers/format.ts";

const permissions: Readonly<Record<SharePermission, string>> = { view: "Can view", edit: "Can edit" };

const CAN: typeof permissions = { view: "can view", edit: "can edit" };

/** The texts of the pages about sharing. */
export const shareTexts = {
  counted: (count: number) => many(count, "person", "people"),
  permissions,
  sendInvitation: "Send invitation",
  inviteOnly: "Invite",
  notMailed: (email: string) => `${email} is invited, but no mail is sent here: pass the link on yourself.`,
  copyLink: "Copy link",

  shares: {
    title: (title: string) => `Shares of ${title}`,
    invite: "Share with",
    inviteHint: "An e-mail address, or part of the name of someone here",
    permission: "Permission",
    sent: (email: string) => `Invitation sent to ${email}.`,
    found: (email: string) => `${email} was already invited and now has this permission.`,
    changeTitle: (name: string) => `Change ${name}’s permission?`,
    changeText: (name: string, status: ShareStatus, now: SharePermission, next: SharePermission) =>
      `${name} ${status === "accepted" ? `${CAN[now]} now` : `was invited and ${CAN[now]} once they join`}; this makes it “${permissions[next]}”.`,
    change: "Change permission",
    withTeam: "Share with a team",
    teamPermission: "Team’s permission",
    teamAction: "Share",
    team: "Team",
    shared: "Shared",
    removeTeamText: "Its members lose access at once, unless it’s shared with them in another way.",
    list: "People with access",
    columns: { person: "Person", permission: "Permission", status: "Status", actions: "Actions" },
    you: "You",
    owner: "Owner",
    permissionOf: (name: string) => `Permission of ${name}`,
    menu: (name: string) => `Actions for ${name}`,
    accepted: "Joined",
    invited: "Invited",
    until: "valid until",
    expired: "Invitation expired",
    undelivered: "The mail could not be delivered,",
    correct: "Correct the address",
    resend: "Resend invitation",
    resent: (email: string) => `Invitation sent to ${email} again.`,
    revoke: "Revoke invitation",
    revoked: (email: string) => `Invitation to ${email} revoked.`,
    remove: "Remove access",
    removeTitle: (name: string) => `Remove ${name}’s access?`,
    removeText: "They lose access at once. What they wrote stays. You can invite them again.",
    transfer: "Make owner",
    transferTitle: (name: string) => `Make ${name} the owner?`,
    transferText: (title: string, name: string) =>
      `${name} will own “${title}”, manage access and be able to delete it. You become an editor. Only ${name} can give it back.`,
    empty: "Nobody else has access yet.",
    forbiddenTitle: "Only the owner manages access",
    forbidden: "You can leave it in “Shared with me”.",
    viaTeam: (team: string) => `You have access via the team ${team}, as long as you are in it.`,
    toShared: "Shared with me",
  },

  shared: {
    title: "Shared with me",
    invited: (title: string | undefined) =>
      title === undefined ? "You’re invited to an estimation." : `You’re invited to “${title}”.`,
    acceptAndOpen: "Accept and open",
    wrongAddress: (email: string) =>
      `You’re signed in as ${email}. This invitation is for someone else, or it was revoked.`,
    expired: "This invitation has expired. Ask for a new one.",
    unverifiedTitle: "Confirm your e-mail address first",
    unverified: (email: string) =>
      `Open the link we sent to ${email} when you registered to see what’s shared with you.`,
    isConfirmed: "I’ve confirmed it",
    invitations: "Invitations",
    accepted: "Shared with you",
    columns: { title: "Estimation", from: "From", permission: "Permission", since: "Since", actions: "Actions" },
    accept: "Accept",
    decline: "Decline",
    acceptOf: (title: string) => `Accept the invitation to ${title}`,
    declineOf: (title: string) => `Decline the invitation to ${title}`,
    declined: (title: string) => `Invitation to “${title}” declined.`,
    leave: "Leave",
    leaveOf: (title: string) => `Leave ${title}`,
    leaveTitle: (title: string) => `Leave “${title}”?`,
    leaveText: "You lose access. The owner can invite you again.",
    left: (title: string) => `You left “${title}”.`,
    emptyTitle: "Nothing shared with you yet",
    empty: "Estimations that others share with you appear here.",
  },
} as const;
