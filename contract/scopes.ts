/** Every scope that an API key can have, with what it allows, in the order of the documentation. */
export const scopes = {
  "estimations:read": "List and read estimations, their decision trees, hours, versions and diffs",
  "estimations:write":
    "Create, change and delete estimations, their trees, milestones, versions, threads; create, delete and apply templates",
  "estimations:suggestion": "Read the suggestion of hours",
  "tasks:read": "List tasks and preview what generating them would change",
  "tasks:write": "Generate, change and delete tasks",
  "tasks:export": "Export tasks to Jira or GitHub",
  "templates:read": "List and read templates",
  "reviews:read": "Read reviews",
  "reviews:write": "Request reviews, approve, request changes, comment",
  "shares:manage":
    "List, create, resend and delete shares, and read those addressed to you; make, change and revoke links for clients",
  "webhooks:manage": "Everything about webhooks and their deliveries",
  admin: "Satisfies every other scope",
} as const;

export type Scope = keyof typeof scopes;

export const scopeNames = Object.keys(scopes) as Scope[];

/** Returns whether the scopes `held` include `required`: `admin` includes every scope. */
export function satisfies(held: readonly string[], required: Scope): boolean {
  return held.includes(required) || held.includes("admin");
}
