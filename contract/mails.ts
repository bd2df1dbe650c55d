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
  "webhook-deactivated": { when: "A webhook was deactivated because its deliveries failed", setting: null },
  "share-digest": {
    when: "Invitations were not mailed one by one, because there were many within a day",
    setting: "shareInvited",
  },
  "share-invitation": {
    when: "Somebody shares an estimation with the address, or sends the invitation again",
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
} as const;

export type MailKindName = keyof typeof mailKinds;

/** The name of a setting that turns mails of a kind on and off. */
export type MailSetting = NonNullable<(typeof mailKinds)[MailKindName]["setting"]>;

/** When the mails of each setting are sent; of kinds with the same setting, the last says it. */
export const mailSettings: Readonly<Record<MailSetting, string>> = Object.fromEntries(
  Object.values(mailKinds).flatMap(({ setting, when }) => (setting === null ? [] : [[setting, when]])),
) as Record<MailSetting, string>;

export const mailSettingNames = Object.keys(mailSettings) as MailSetting[];
