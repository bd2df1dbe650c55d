/** Texts of the pages that a link of a mail, and a sign-in elsewhere, lead back to: few people see them at first. */
export const linkTexts = {
  verify: {
    title: "Confirm your e-mail address",
    text: "If you created an account here, confirm that this address is yours. If you didn’t, close this page: somebody else typed it.",
    action: "Confirm address",
    missing: "This link is incomplete. Open it from the e-mail, or request a new one.",
    doneTitle: "E-mail address confirmed",
    done: "You can now share estimations and accept invitations.",
    toEstimations: "Go to estimations",
    failedTitle: "E-mail address not confirmed",
    alreadyTitle: "E-mail address is confirmed already",
    already: (email: string) => `There is nothing left to do for ${email}.`,
    byPassword: (email: string) =>
      `If you created the account of ${email}, confirm the address with the account’s password. If somebody else did, choose a new one, or close this page.`,
    choosePassword: "Choose a new password",
    takeOver: (email: string) =>
      `The account of ${email} becomes yours alone: everybody is signed out, and API keys, webhooks and connections to trackers made so far end.`,
    knowPassword: "I know the password",
  },
  callback: {
    title: "Signing in",
    working: "One moment…",
    failedTitle: "Sign-in failed",
    notBegun: "This sign-in didn’t start in this tab. Start it here.",
    switchTitle: "Switch account?",
    signedInAs: (email: string) => `You are signed in as ${email}.`,
    stay: "Stay signed in",
    switchAccount: "Sign in with Google",
    errors: {
      access_denied: "Sign-in was cancelled, or the provider declined it.",
      sign_in_expired: "It took too long, or was started in another browser.",
      email_not_verified: "The provider hasn’t verified your e-mail address.",
      account_not_verified:
        "Your e-mail address has an account here, but isn’t confirmed. Sign in with its password, or reset it.",
      account_linked: "The account with your e-mail address is linked to another login of this provider.",
      registration_closed: "Your e-mail address has no account here, and new accounts aren’t accepted.",
      provider_unavailable: "The provider can’t be reached. Try again later.",
      service_unavailable: "The service is busy. Try again in a moment.",
      account_disabled: "An administrator has disabled this account.",
      sign_in_failed: "The provider couldn’t confirm who you are.",
    } as Readonly<Record<string, string>>,
  },
} as const;
