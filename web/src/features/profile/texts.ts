/** Texts that the pages below `/profile` share. */
export const profileTexts = {
  label: "Profile",
  menu: (page: string) => `Profile: ${page}`,
  pages: {
    "/profile/security": "Account and security",
    "/profile/api-keys": "API keys",
    "/profile/webhooks": "Webhooks",
    "/profile/connections": "Connections",
    "/profile/notifications": "Notifications",
  },
  actions: "Actions",
  actionsOf: (name: string) => `Actions for ${name}`,
  edit: "Edit",
  remove: "Delete",
  optional: (label: string) => `${label} (optional)`,
} as const;
