/**
 * Kinds of mail that the service sends: when, and the setting with which recipients turn them off. Mails about the
 * account itself have no setting (`null`): they are needed to reset a password and to notice an intruder.
 */
export const mailKinds = {
  "verify-email": { when: "An account is created with the address, or another link is requested", setting: null },
  "reset-password": { when: "A link to reset the password is requested", setting: null },
  "password-changed": { when: "The password was changed", setting: null },
  "password-reset": { when: "The password was reset through a mailed link", setting: null },
  "google-linked": { when: "A Google account can sign in to the account from now on", setting: null },
  "new-sign-in": { when: "Somebody signed in from an address that is new to the account", setting: null },
  "administrator-granted": { when: "The operator made you an administrator of the instance", setting: null },
  "administrator-revoked": { when: "The operator made you an ordinary user again", setting: null },
  "key-expiring": { when: "One of your API keys expires within a week", setting: "keyExpiring" },
  "account-disabled": { when: "An administrator disabled the account", setting: null },
  "account-enabled": { when: "An administrator enabled the account", setting: null },
  "account-erasure": { when: "An administrator ordered that the account be erased", setting: null },
  "sessions-ended": { when: "An administrator ended all sessions of the account", setting: null },
  "estimations-handed-over": { when: "An administrator hands your estimations over to somebody else", setting: null },
  "estimations-received": { when: "An administrator hands estimations of somebody else over to you", setting: null },
  "order-lapsed": {
    when: "What you ordered as an administrator, a hand-over or an erasure, is not allowed any more",
    setting: null,
  },
  "webhook-deactivated": {
    when: "A webhook was deactivated because its deliveries failed, or its URL responded 410",
    setting: null,
  },
  "share-digest": {
    when: "Invitations were not mailed one by one, because there were many within a day",
    setting: "shareInvited",
  },
  "team-invitation": {
    when: "An admin of a team invites the address to it, or sends the invitation again",
    setting: "shareInvited",
  },
  "share-invitation": {
    when: "Somebody shares an estimation with the address, invites it to a team, or sends the invitation again",
    setting: "shareInvited",
  },
  "review-requested": { when: "An owner asks you to review an estimation", setting: "reviewRequested" },
  "review-decided": {
    when: "A reviewer approves your estimation, or requests changes to it",
    setting: "reviewDecided",
  },
  "review-commented": {
    when: "Somebody comments in a review that you take part in",
    setting: "reviewCommented",
  },
  "round-asked": { when: "Somebody asks you to estimate together with others", setting: "roundAsked" },
  "round-due": {
    when: "Somebody asks you to estimate together with others, or the deadline is a day away and you have not answered",
    setting: "roundAsked",
  },
  "round-revealed": { when: "The estimates of a round that you were asked in are shown", setting: "roundRevealed" },
  "proposal-commented": {
    when: "Somebody who has a link for clients comments on your estimation",
    setting: "proposalAnswered",
  },
  "proposal-accepted": {
    when: "Somebody who has a link for clients accepts what it shows, or comments on it",
    setting: "proposalAnswered",
  },
} as const;

export type MailKindName = keyof typeof mailKinds;

/** The name of a setting that turns mails of a kind on and off. */
export type MailSetting = NonNullable<(typeof mailKinds)[MailKindName]["setting"]>;

/** When the mails of each setting are sent; of kinds with the same setting, the last says it. */
export const mailSettings: Readonly<Record<MailSetting, string>> = Object.fromEntries(
  Object.values(mailKinds).flatMap(({ setting, when }) => (setting === null ? [] : [[setting, when]])),
) as Record<MailSetting, string>;

export const mailSettingNames = Object.keys(mailSettings) as MailSetting[];
