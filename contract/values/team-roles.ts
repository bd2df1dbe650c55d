/** What a member of a team may do. Plain data, which the web application loads without any schema. */
export const teamRoles = ["admin", "member"] as const;
export type TeamRole = (typeof teamRoles)[number];
