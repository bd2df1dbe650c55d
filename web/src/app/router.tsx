import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from "@tanstack/react-router";
import type { Task } from "../../../contract/endpoints/tasks.ts";
import { currentSession } from "../api/session.ts";
import { readListSearch } from "../features/estimations/list-search.ts";
import { AccountPages } from "../features/sign-in/account-pages.tsx";
import { safePath } from "../features/sign-in/return-path.ts";
import { readLogSearch } from "../features/webhooks/log-search.ts";
import { BrokenPage, UnknownPage } from "./failure-pages.tsx";
import { Root } from "./root.tsx";
import { readSearch, writeSearch } from "./search-params.ts";

const taskStatuses = ["open", "obsolete"] as const satisfies readonly Task["status"][];

const text = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);

const root = createRootRoute({ component: Root, notFoundComponent: UnknownPage, errorComponent: BrokenPage });

const home = createRoute({
  getParentRoute: () => root,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: "/estimations" });
  },
});

/** Pages for those who are not signed in. */
const accounts = createRoute({ getParentRoute: () => root, id: "accounts", component: AccountPages });

const ofSignIn = lazyRouteComponent(() => import("../features/sign-in/sign-in-page.tsx"), "SignInPage");

/** Where to go after signing in. */
const readReturn = (search: Record<string, unknown>) => ({ to: text(search.to) });

/** Leads those who are signed in already to where they wanted to go. */
const onlySignedOut = ({ search }: { readonly search: { readonly to?: string | undefined } }) => {
  if (currentSession() !== null) throw redirect({ href: safePath(search.to) });
};

const signIn = createRoute({
  getParentRoute: () => accounts,
  path: "/sign-in",
  validateSearch: readReturn,
  beforeLoad: onlySignedOut,
  component: ofSignIn,
});
const register = createRoute({
  getParentRoute: () => accounts,
  path: "/register",
  validateSearch: readReturn,
  beforeLoad: onlySignedOut,
  component: lazyRouteComponent(() => import("../features/sign-in/register-page.tsx"), "RegisterPage"),
});
const forgotPassword = createRoute({
  getParentRoute: () => accounts,
  path: "/forgot-password",
  component: lazyRouteComponent(() => import("../features/sign-in/password-pages.tsx"), "ForgotPasswordPage"),
});
const resetPassword = createRoute({
  getParentRoute: () => accounts,
  path: "/reset-password",
  validateSearch: (search: Record<string, unknown>) => ({ token: text(search.token) }),
  component: lazyRouteComponent(() => import("../features/sign-in/password-pages.tsx"), "ResetPasswordPage"),
});
const verifyEmail = createRoute({
  getParentRoute: () => accounts,
  path: "/verify-email",
  validateSearch: (search: Record<string, unknown>) => ({ token: text(search.token) }),
  component: lazyRouteComponent(() => import("../features/sign-in/verify-email-page.tsx"), "VerifyEmailPage"),
});
const callback = createRoute({
  getParentRoute: () => accounts,
  path: "/auth/callback",
  validateSearch: (search: Record<string, unknown>) => ({ code: text(search.code), error: text(search.error) }),
  component: lazyRouteComponent(() => import("../features/sign-in/callback-page.tsx"), "CallbackPage"),
});

/** Pages for those who are signed in; others sign in first and come back. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: "signed-in",
  component: lazyRouteComponent(() => import("./layout.tsx"), "Layout"),
  beforeLoad: ({ location }) => {
    if (currentSession() === null) throw redirect({ to: "/sign-in", search: { to: location.href } });
  },
});

const list = createRoute({
  getParentRoute: () => signedIn,
  path: "/estimations",
  validateSearch: readListSearch,
  component: lazyRouteComponent(() => import("../features/estimations/list-page.tsx"), "ListPage"),
});
const create = createRoute({
  getParentRoute: () => signedIn,
  path: "/estimations/new",
  component: lazyRouteComponent(() => import("../features/estimations/create-page.tsx"), "CreatePage"),
});
const trash = createRoute({
  getParentRoute: () => signedIn,
  path: "/estimations/trash",
  component: lazyRouteComponent(() => import("../features/estimations/trash-page.tsx"), "TrashPage"),
});
const estimation = createRoute({
  getParentRoute: () => signedIn,
  path: "/estimations/$id",
  component: lazyRouteComponent(() => import("../features/trees/tree-page.tsx"), "TreePage"),
});
const review = createRoute({
  getParentRoute: () => signedIn,
  path: "/estimations/$id/reviews/$reviewId",
  component: lazyRouteComponent(() => import("../features/reviews/review-page.tsx"), "ReviewPage"),
});
const tasks = createRoute({
  getParentRoute: () => signedIn,
  path: "/estimations/$id/tasks",
  validateSearch: (search: Record<string, unknown>): { status?: Task["status"] | undefined } => ({
    status: taskStatuses.find((known) => known === search.status),
  }),
  component: lazyRouteComponent(() => import("../features/tasks/tasks-page.tsx"), "TasksPage"),
});
const shares = createRoute({
  getParentRoute: () => signedIn,
  path: "/estimations/$id/shares",
  component: lazyRouteComponent(() => import("../features/shares/shares-page.tsx"), "SharesPage"),
});
const shared = createRoute({
  getParentRoute: () => signedIn,
  path: "/shared",
  validateSearch: (search: Record<string, unknown>): { accept?: string | undefined } => ({
    accept: text(search.accept),
  }),
  component: lazyRouteComponent(() => import("../features/shares/shared-page.tsx"), "SharedPage"),
});

/** Pages about the reader's own account. */
const profile = createRoute({
  getParentRoute: () => signedIn,
  path: "/profile",
  component: lazyRouteComponent(() => import("../features/profile/profile-layout.tsx"), "ProfileLayout"),
});
const profileHome = createRoute({
  getParentRoute: () => profile,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: "/profile/security", replace: true });
  },
});
const security = createRoute({
  getParentRoute: () => profile,
  path: "/security",
  component: lazyRouteComponent(() => import("../features/security/security-page.tsx"), "SecurityPage"),
});
const apiKeys = createRoute({
  getParentRoute: () => profile,
  path: "/api-keys",
  component: lazyRouteComponent(() => import("../features/api-keys/api-keys-page.tsx"), "ApiKeysPage"),
});
const notifications = createRoute({
  getParentRoute: () => profile,
  path: "/notifications",
  component: lazyRouteComponent(() => import("../features/notifications/notifications-page.tsx"), "NotificationsPage"),
});
const connections = createRoute({
  getParentRoute: () => profile,
  path: "/connections",
  component: lazyRouteComponent(() => import("../features/connections/connections-page.tsx"), "ConnectionsPage"),
});
const webhooks = createRoute({
  getParentRoute: () => profile,
  path: "/webhooks",
  component: lazyRouteComponent(() => import("../features/webhooks/webhooks-page.tsx"), "WebhooksPage"),
});
const webhook = createRoute({
  getParentRoute: () => profile,
  path: "/webhooks/$id",
  validateSearch: readLogSearch,
  component: lazyRouteComponent(() => import("../features/webhooks/webhook-page.tsx"), "WebhookPage"),
});
const delivery = createRoute({
  getParentRoute: () => profile,
  path: "/webhooks/$id/deliveries/$deliveryId",
  component: lazyRouteComponent(() => import("../features/webhooks/delivery-page.tsx"), "DeliveryPage"),
});
const profilePages = [profileHome, security, apiKeys, notifications, connections, webhooks, webhook, delivery];

/** Pages for everybody, in the frame of the application. */
const open = createRoute({
  getParentRoute: () => root,
  id: "open",
  component: lazyRouteComponent(() => import("./layout.tsx"), "Layout"),
});
const reference = createRoute({
  getParentRoute: () => open,
  path: "/docs",
  component: lazyRouteComponent(() => import("../features/reference/reference-page.tsx"), "ReferencePage"),
});

const glossary = createRoute({
  getParentRoute: () => open,
  path: "/glossary",
  component: lazyRouteComponent(() => import("../features/glossary/glossary-page.tsx"), "GlossaryPage"),
});

export const router = createRouter({
  routeTree: root.addChildren([
    home,
    open.addChildren([reference, glossary]),
    accounts.addChildren([signIn, register, forgotPassword, resetPassword, verifyEmail, callback]),
    signedIn.addChildren([
      list,
      create,
      trash,
      estimation,
      review,
      tasks,
      shares,
      shared,
      profile.addChildren(profilePages),
    ]),
  ]),
  parseSearch: readSearch,
  stringifySearch: writeSearch,
  defaultPreload: "intent",
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
