import type { MailSetting } from "../../../../contract/mails.ts";

/** Texts of the page of notifications. */
export const notificationTexts = {
  title: "Notifications",
  intro: "Choose which e-mails you get. E-mails about your account, such as a changed password, are always sent.",
  kinds: {
    shareInvited: "Invitations",
    reviewRequested: "Review requests",
    reviewDecided: "Review decisions",
    reviewCommented: "Review comments",
    roundAsked: "Requests to estimate",
    roundRevealed: "Revealed rounds",
    proposalAnswered: "Clients’ answers",
    keyExpiring: "Expiring API keys",
  } satisfies Record<MailSetting, string>,
  meanings: {
    shareInvited: "Someone shares an estimation with you",
    reviewRequested: "Someone asks you to review an estimation",
    reviewDecided: "A reviewer approves your estimation or requests changes",
    reviewCommented: "Someone comments in a review you take part in",
    roundAsked: "Someone asks you to estimate together, and a day before it ends",
    roundRevealed: "The ranges of a round you were asked in are revealed",
    proposalAnswered: "A client accepts your estimate or comments on it",
    keyExpiring: "One of your API keys expires within a week",
  } satisfies Record<MailSetting, string>,
  unverifiedTitle: "Confirm your e-mail address first",
  unverified: "Notifications need a confirmed e-mail address. We sent you a link.",
  resend: "Resend link",
  resent: "The link is on its way.",
} as const;
