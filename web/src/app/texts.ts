/** Texts of the frame of every page. */
export const appTexts = {
  skip: "Skip to the content",
  broken: { title: "Something went wrong", text: "Reload the page. Saved changes are safe.", action: "Reload" },
  unknown: { title: "Page not found", text: "The address is wrong, or the page was removed." },
  offline: "You’re offline. What you see may be out of date.",
  header: {
    label: "Main",
    estimations: "Estimations",
    shared: "Shared",
    docs: "API",
    account: (name: string) => `Account of ${name}`,
    profile: "Profile and settings",
    glossary: "Glossary",
    theme: "Theme",
    themes: { light: "Light", dark: "Dark", auto: "Same as the system" },
    signOut: "Sign out",
    signOutHint: "On all devices",
    unverified: "Confirm your e-mail address with the link we sent you. Until then you can’t share anything.",
    resend: "Send again",
    resent: "Sent.",
  },
} as const;
