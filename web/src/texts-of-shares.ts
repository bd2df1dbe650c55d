import type { SharePermission } from "../../contract/share-permissions.ts";

// Loaded with the pages that show them: `texts.ts` is part of what every page loads.

const permissions: Readonly<Record<SharePermission, string>> = { view: "Can view", edit: "Can edit" };

/** The texts of the pages about sharing. */
export const shareTexts = {
  permissions,

  shares: {
    title: (title: string) => `Shares of ${title}`,
    invite: "Share with",
    inviteHint: "An e-mail address, or a part of the name of somebody here",
    permission: "Permission",
    action: "Send invitation",
    sent: (email: string) => `${email} was mailed a link.`,
    found: (email: string) => `${email} was invited before, and has this permission now.`,
    list: "Who may see it",
    columns: { person: "Person", permission: "Permission", status: "Status", actions: "Actions" },
    you: "You",
    owner: "Owner",
    permissionOf: (name: string) => `Permission of ${name}`,
    menu: (name: string) => `Actions for ${name}`,
    accepted: "Joined",
    invited: "Invited",
    until: "valid until",
    expired: "Invitation expired",
    resend: "Send the invitation again",
    resent: (email: string) => `The invitation was mailed to ${email} again.`,
    revoke: "Revoke the invitation",
    revoked: (email: string) => `The invitation to ${email} is revoked.`,
    remove: "Remove access",
    removeTitle: (name: string) => `Remove the access of ${name}?`,
    removeText: "It ends with their next request. What they wrote stays. You can invite them again.",
    transfer: "Make owner",
    transferTitle: (name: string) => `Make ${name} the owner?`,
    transferText: (title: string, name: string) =>
      `“${title}” then belongs to ${name}, who decides who may see it and may delete it. You become an editor. Only ${name} can give it back.`,
    empty: "Nobody else may see it yet.",
    forbiddenTitle: "Only its owner decides who may see it",
    forbidden: "You can leave it on the page of what is shared with you.",
    toShared: "Shared with me",
  },

  shared: {
    title: "Shared with me",
    accepting: "Accepting the invitation…",
    wrongAddress: (email: string) =>
      `The invitation is not for ${email}, with which you are signed in, or it was revoked.`,
    expired: "The invitation has expired. Ask whoever invited you to send it again.",
    unverifiedTitle: "Confirm your e-mail address first",
    unverified: (email: string) =>
      `A link was mailed to ${email} when you registered. Open it, and what is shared with this address is yours.`,
    isConfirmed: "I have confirmed it",
    invitations: "Invitations",
    accepted: "Shared with you",
    columns: { title: "Estimation", from: "From", permission: "Permission", since: "Since", actions: "Actions" },
    accept: "Accept",
    decline: "Decline",
    acceptOf: (title: string) => `Accept the invitation to ${title}`,
    declineOf: (title: string) => `Decline the invitation to ${title}`,
    declined: (title: string) => `The invitation to “${title}” is declined.`,
    leave: "Leave",
    leaveOf: (title: string) => `Leave ${title}`,
    leaveTitle: (title: string) => `Leave “${title}”?`,
    leaveText: "You do not see it any more. Its owner can invite you again.",
    left: (title: string) => `You have left “${title}”.`,
    emptyTitle: "Nothing is shared with you",
    empty: "What others share with you is shown here.",
  },
} as const;
