/** What an invited person may do. Plain data, which the web application loads without any schema. */
export const sharePermissions = ["view", "edit"] as const;
export type SharePermission = (typeof sharePermissions)[number];
