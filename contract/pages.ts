const FRAME = "app/layout.tsx";
const PROFILE = "features/profile/profile-layout.tsx";
const ADMIN = "features/admin/admin-layout.tsx";

/**
 * The pages of the web application: paths with `:name` for parameters, as in the table of endpoints, each with the modules
 * below `web/src` that the application's router loads for it. The server responds to each path with the application, and names
 * the files of these modules at once, so that a browser loads them beside the application and not after it has started.
 */
export const pageModules = {
  "/": [FRAME, "features/estimations/list-page.tsx"],
  "/docs": [FRAME, "features/reference/reference-page.tsx"],
  "/glossary": [FRAME, "features/glossary/glossary-page.tsx"],
  "/accuracy": [FRAME, "features/accuracy/accuracy-page.tsx"],
  "/sign-in": ["features/sign-in/sign-in-page.tsx"],
  "/register": ["features/sign-in/register-page.tsx"],
  "/forgot-password": ["features/sign-in/password-pages.tsx"],
  "/reset-password": ["features/sign-in/password-pages.tsx"],
  "/verify-email": ["features/sign-in/verify-email-page.tsx"],
  "/p/:token": ["features/proposal/proposal-page.tsx"],
  "/admin": [FRAME, ADMIN, "features/admin/users-page.tsx"],
  "/admin/audit-log": [FRAME, ADMIN, "features/admin/audit-page.tsx"],
  "/admin/status": [FRAME, ADMIN, "features/admin/status-page.tsx"],
  "/admin/users": [FRAME, ADMIN, "features/admin/users-page.tsx"],
  "/admin/users/:id": [FRAME, ADMIN, "features/admin/user-page.tsx"],
  "/auth/callback": ["features/sign-in/callback-page.tsx"],
  "/estimations": [FRAME, "features/estimations/list-page.tsx"],
  "/estimations/new": [FRAME, "features/estimations/create-page.tsx"],
  "/estimations/trash": [FRAME, "features/estimations/trash-page.tsx"],
  "/estimations/:id": [FRAME, "features/trees/tree-page.tsx"],
  "/estimations/:id/activity": [FRAME, "features/activity/activity-page.tsx"],
  "/estimations/:id/compare": [FRAME, "features/compare/compare-page.tsx"],
  "/estimations/:id/print": [FRAME, "features/print/print-page.tsx"],
  "/estimations/:id/reviews": [FRAME, "features/reviews/estimation-reviews-page.tsx"],
  "/estimations/:id/reviews/:reviewId": [FRAME, "features/reviews/review-page.tsx"],
  "/estimations/:id/rounds/:roundId": [FRAME, "features/rounds/round-page.tsx"],
  "/estimations/:id/shares": [FRAME, "features/shares/shares-page.tsx"],
  "/estimations/:id/tasks": [FRAME, "features/tasks/tasks-page.tsx"],
  "/estimations/:id/timeline": [FRAME, "features/timeline/timeline-page.tsx"],
  "/estimations/:id/versions": [FRAME, "features/versions/versions-page.tsx"],
  "/reviews": [FRAME, "features/reviews/reviews-page.tsx"],
  "/shared": [FRAME, "features/shares/shared-page.tsx"],
  "/teams": [FRAME, "features/teams/teams-page.tsx"],
  "/teams/:id": [FRAME, "features/teams/team-page.tsx"],
  "/teams/:id/invitation": [FRAME, "features/teams/invitation-page.tsx"],
  "/templates": [FRAME, "features/templates/templates-page.tsx"],
  "/templates/:id": [FRAME, "features/templates/template-page.tsx"],
  "/profile": [FRAME, PROFILE, "features/security/security-page.tsx"],
  "/profile/api-keys": [FRAME, PROFILE, "features/api-keys/api-keys-page.tsx"],
  "/profile/connections": [FRAME, PROFILE, "features/connections/connections-page.tsx"],
  "/profile/notifications": [FRAME, PROFILE, "features/notifications/notifications-page.tsx"],
  "/profile/security": [FRAME, PROFILE, "features/security/security-page.tsx"],
  "/profile/webhooks": [FRAME, PROFILE, "features/webhooks/webhooks-page.tsx"],
  "/profile/webhooks/:id": [FRAME, PROFILE, "features/webhooks/webhook-page.tsx"],
  "/profile/webhooks/:id/deliveries/:deliveryId": [FRAME, PROFILE, "features/webhooks/delivery-page.tsx"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type PagePath = keyof typeof pageModules;

export const pagePaths = Object.keys(pageModules) as readonly PagePath[];

/** What the application knows about the instance before anybody is signed in. */
export interface InstanceFacts {
  /** Whether users can sign in with Google, or another OpenID provider. */
  readonly google: boolean;
  /** Whether anybody may make an account. */
  readonly registration: boolean;
  /** Whether an address has to be confirmed by mail: not while the instance is local. */
  readonly provesAddresses: boolean;
  /** Whether mails reach people: without a mail server they are only written to files. */
  readonly mails: boolean;
  /** Days for which a deleted estimation can be restored. */
  readonly trashDays: number;
}

/** Placeholder in the built page for the nonce of each response. */
export const NONCE_MARK = "__nonce__";
/** Placeholder in the built page for `InstanceFacts` as JSON. */
export const FACTS_MARK = "__facts__";
