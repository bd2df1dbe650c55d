/**
 * The pages of the web application: paths with `:name` for parameters, as in the table of endpoints. The server answers
 * each with the application, which shows the page; the application's router has a page for each.
 */
export const pagePaths = [
  "/",
  "/docs",
  "/sign-in",
  "/register",
  "/forgot-password",
  "/reset-password",
  "/verify-email",
  "/auth/callback",
  "/estimations",
  "/estimations/new",
  "/estimations/trash",
  "/estimations/:id",
  "/estimations/:id/reviews/:reviewId",
  "/estimations/:id/shares",
  "/estimations/:id/tasks",
  "/shared",
  "/profile",
  "/profile/api-keys",
  "/profile/connections",
  "/profile/notifications",
  "/profile/security",
  "/profile/webhooks",
  "/profile/webhooks/:id",
  "/profile/webhooks/:id/deliveries/:deliveryId",
] as const;

/** What the server tells the application about the instance before anybody is signed in. */
export interface InstanceFacts {
  /** Whether users can sign in with Google, or another OpenID provider. */
  readonly google: boolean;
  /** Whether anybody may make an account. */
  readonly registration: boolean;
  /** Whether an address has to be confirmed by mail: not while the instance is local. */
  readonly provesAddresses: boolean;
}

/** Stands in the built page where the server puts the nonce of each answer. */
export const NONCE_MARK = "__nonce__";
/** Stands in the built page where the server puts `InstanceFacts` as JSON. */
export const FACTS_MARK = "__facts__";
