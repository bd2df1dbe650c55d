import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from "@tanstack/react-router";
import type { Task } from "../../../contract/endpoints/tasks.ts";
import { limits } from "../../../contract/limits.ts";
import { loadAhead } from "../api/ahead.ts";
import { currentSession } from "../api/session.ts";
import { readAccountSearch, readEventSearch } from "../features/admin/admin-search.ts";
import { readListSearch } from "../features/estimations/list-search.ts";
import { AccountPages } from "../features/sign-in/account-pages.tsx";
import { safePath } from "../features/sign-in/return-path.ts";
import { readLogSearch } from "../features/webhooks/log-search.ts";
import { isGone } from "../ui/reload-after-upgrade.ts";
import { BrokenApplication, BrokenPage, Gone, Offline, UnknownPage } from "./failure-pages.tsx";
import type { First } from "./first.ts";
import { queries } from "./query-client.ts";
import { Root } from "./root.tsx";
import { readSearch, writeSearch } from "./search-params.ts";

const taskStatuses = ["open", "obsolete"] as const satisfies readonly Task["status"][];

type Search = Record<string, unknown>;

const text = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);

/** Returns what reads the texts of these names from the query of an address. */
const texts =
  <Name extends string>(...names: readonly Name[]) =>
  (search: Search) =>
    Object.fromEntries(names.map((name) => [name, text(search[name])])) as { [name in Name]?: string | undefined };

/** The two ends of a comparison, what of it shows, and the columns beside them. */
const readEnds = texts("from", "to", "only", "hours");
const readComparison = (search: Search): ReturnType<typeof readEnds> & { with?: readonly string[] | undefined } => {
  const ends = readEnds(search);
  const added = new Set([search.with].flat().flatMap((id) => text(id) ?? []));
  const others = [...added].filter((id) => id !== ends.from && id !== ends.to).slice(0, limits.comparedVersions - 2);
  return { ...ends, with: others.length > 0 ? others : undefined };
};

const root = createRootRoute({ component: Root, notFoundComponent: UnknownPage, errorComponent: BrokenApplication });

/** A page's code. Without a connection, the router would reload for it, and the browser show its own page. */
const codeOf: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(
    () =>
      load().catch((cause) => {
        if (!navigator.onLine) throw new Offline("there is no connection", { cause });
        throw isGone(cause) ? new Gone("the page is gone", { cause }) : cause;
      }),
    name,
  );

/** A module with a page, and with what the page loads first, if it says so. */
interface PageModule {
  readonly first?: First<never>;
}

interface Address {
  readonly params: object;
  readonly deps: object;
  readonly preload: boolean;
}

/** A page with its code, and what it loads first: both are loaded as soon as a link to it is pointed at. */
function page<Module extends PageModule, Name extends keyof Module & string>(load: () => Promise<Module>, name: Name) {
  // Nothing waits for it: the page shows what is there.
  const loader = ({ params, deps, preload }: Address) =>
    void load().then(
      ({ first }) => first && loadAhead(queries, first({ params, search: deps } as never), !preload),
      () => {},
    );
  return {
    component: codeOf(load, name),
    loaderDeps: ({ search }: { readonly search: object }) => search,
    // The router would infer the parameters of all routes from those of this function.
    loader: loader as () => void,
  };
}

const home = createRoute({
  getParentRoute: () => root,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: "/estimations" });
  },
});

/** Pages for those who are not signed in. */
const accounts = createRoute({ getParentRoute: () => root, id: "accounts", component: AccountPages });

const ofSignIn = codeOf(() => import("../features/sign-in/sign-in-page.tsx"), "SignInPage");

/** Where to go after signing in. */
const readReturn = texts("to");

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
  component: codeOf(() => import("../features/sign-in/register-page.tsx"), "RegisterPage"),
});
const forgotPassword = createRoute({
  getParentRoute: () => accounts,
  path: "/forgot-password",
  component: codeOf(() => import("../features/sign-in/password-pages.tsx"), "ForgotPasswordPage"),
});
const resetPassword = createRoute({
  getParentRoute: () => accounts,
  path: "/reset-password",
  validateSearch: texts("token"),
  component: codeOf(() => import("../features/sign-in/password-pages.tsx"), "ResetPasswordPage"),
});
const verifyEmail = createRoute({
  getParentRoute: () => accounts,
  path: "/verify-email",
  validateSearch: texts("token"),
  component: codeOf(() => import("../features/sign-in/verify-email-page.tsx"), "VerifyEmailPage"),
});
const callback = createRoute({
  getParentRoute: () => accounts,
  path: "/auth/callback",
  validateSearch: texts("code", "error"),
  component: codeOf(() => import("../features/sign-in/callback-page.tsx"), "CallbackPage"),
});

/** For people without an account, who have its address. */
const proposal = createRoute({
  getParentRoute: () => root,
  path: "/p/$token",
  component: codeOf(() => import("../features/proposal/proposal-page.tsx"), "ProposalPage"),
});

/** What stands around these pages stays as it is from one to the next. */
const frame = createRoute({
  getParentRoute: () => root,
  id: "frame",
  component: codeOf(() => import("./layout.tsx"), "Layout"),
});

/** Pages for those who are signed in; others sign in first and come back. */
const signedIn = createRoute({
  getParentRoute: () => frame,
  id: "signed-in",
  beforeLoad: ({ location }) => {
    if (currentSession() === null) throw redirect({ to: "/sign-in", search: { to: location.href } });
  },
});

const list = createRoute({
  getParentRoute: () => signedIn,
  path: "/estimations",
  validateSearch: readListSearch,
  ...page(() => import("../features/estimations/list-page.tsx"), "ListPage"),
});
const create = createRoute({
  getParentRoute: () => signedIn,
  path: "/estimations/new",
  validateSearch: texts("template", "way"),
  ...page(() => import("../features/estimations/create-page.tsx"), "CreatePage"),
});
const trash = createRoute({
  getParentRoute: () => signedIn,
  path: "/estimations/trash",
  ...page(() => import("../features/estimations/trash-page.tsx"), "TrashPage"),
});
const estimation = createRoute({
  getParentRoute: () => signedIn,
  path: "/estimations/$id",
  ...page(() => import("../features/trees/tree-page.tsx"), "TreePage"),
});
const activity = createRoute({
  getParentRoute: () => signedIn,
  path: "/estimations/$id/activity",
  ...page(() => import("../features/activity/activity-page.tsx"), "ActivityPage"),
});
const reviews = createRoute({
  getParentRoute: () => signedIn,
  path: "/reviews",
  ...page(() => import("../features/reviews/reviews-page.tsx"), "ReviewsPage"),
});
const reviewsOf = createRoute({
  getParentRoute: () => signedIn,
  path: "/estimations/$id/reviews",
  ...page(() => import("../features/reviews/estimation-reviews-page.tsx"), "EstimationReviewsPage"),
});
const review = createRoute({
  getParentRoute: () => signedIn,
  path: "/estimations/$id/reviews/$reviewId",
  validateSearch: texts("since", "only"),
  ...page(() => import("../features/reviews/review-page.tsx"), "ReviewPage"),
});
const round = createRoute({
  getParentRoute: () => signedIn,
  path: "/estimations/$id/rounds/$roundId",
  ...page(() => import("../features/rounds/round-page.tsx"), "RoundPage"),
});
const tasks = createRoute({
  getParentRoute: () => signedIn,
  path: "/estimations/$id/tasks",
  validateSearch: (search: Record<string, unknown>): { status?: Task["status"] | undefined } => ({
    status: taskStatuses.find((known) => known === search.status),
  }),
  ...page(() => import("../features/tasks/tasks-page.tsx"), "TasksPage"),
});
const timeline = createRoute({
  getParentRoute: () => signedIn,
  path: "/estimations/$id/timeline",
  ...page(() => import("../features/timeline/timeline-page.tsx"), "TimelinePage"),
});
const compare = createRoute({
  getParentRoute: () => signedIn,
  path: "/estimations/$id/compare",
  validateSearch: readComparison,
  ...page(() => import("../features/compare/compare-page.tsx"), "ComparePage"),
});
const printed = createRoute({
  getParentRoute: () => signedIn,
  path: "/estimations/$id/print",
  validateSearch: texts("without"),
  component: codeOf(() => import("../features/print/print-page.tsx"), "PrintPage"),
});
const versions = createRoute({
  getParentRoute: () => signedIn,
  path: "/estimations/$id/versions",
  validateSearch: texts("thread"),
  ...page(() => import("../features/versions/versions-page.tsx"), "VersionsPage"),
});
const shares = createRoute({
  getParentRoute: () => signedIn,
  path: "/estimations/$id/shares",
  ...page(() => import("../features/shares/shares-page.tsx"), "SharesPage"),
});
const shared = createRoute({
  getParentRoute: () => signedIn,
  path: "/shared",
  validateSearch: texts("accept"),
  ...page(() => import("../features/shares/shared-page.tsx"), "SharedPage"),
});

const teams = createRoute({
  getParentRoute: () => signedIn,
  path: "/teams",
  ...page(() => import("../features/teams/teams-page.tsx"), "TeamsPage"),
});
const team = createRoute({
  getParentRoute: () => signedIn,
  path: "/teams/$id",
  ...page(() => import("../features/teams/team-page.tsx"), "TeamPage"),
});
const teamInvitation = createRoute({
  getParentRoute: () => signedIn,
  path: "/teams/$id/invitation",
  ...page(() => import("../features/teams/invitation-page.tsx"), "InvitationPage"),
});

const templates = createRoute({
  getParentRoute: () => signedIn,
  path: "/templates",
  validateSearch: texts("q", "of"),
  ...page(() => import("../features/templates/templates-page.tsx"), "TemplatesPage"),
});
const accuracy = createRoute({
  getParentRoute: () => signedIn,
  path: "/accuracy",
  ...page(() => import("../features/accuracy/accuracy-page.tsx"), "AccuracyPage"),
});
const template = createRoute({
  getParentRoute: () => signedIn,
  path: "/templates/$id",
  ...page(() => import("../features/templates/template-page.tsx"), "TemplatePage"),
});

/** Pages about the reader's own account. */
const profile = createRoute({
  getParentRoute: () => signedIn,
  path: "/profile",
  component: codeOf(() => import("../features/profile/profile-layout.tsx"), "ProfileLayout"),
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
  ...page(() => import("../features/security/security-page.tsx"), "SecurityPage"),
});
const apiKeys = createRoute({
  getParentRoute: () => profile,
  path: "/api-keys",
  ...page(() => import("../features/api-keys/api-keys-page.tsx"), "ApiKeysPage"),
});
const notifications = createRoute({
  getParentRoute: () => profile,
  path: "/notifications",
  ...page(() => import("../features/notifications/notifications-page.tsx"), "NotificationsPage"),
});
const connections = createRoute({
  getParentRoute: () => profile,
  path: "/connections",
  ...page(() => import("../features/connections/connections-page.tsx"), "ConnectionsPage"),
});
const webhooks = createRoute({
  getParentRoute: () => profile,
  path: "/webhooks",
  ...page(() => import("../features/webhooks/webhooks-page.tsx"), "WebhooksPage"),
});
const webhook = createRoute({
  getParentRoute: () => profile,
  path: "/webhooks/$id",
  validateSearch: readLogSearch,
  ...page(() => import("../features/webhooks/webhook-page.tsx"), "WebhookPage"),
});
const delivery = createRoute({
  getParentRoute: () => profile,
  path: "/webhooks/$id/deliveries/$deliveryId",
  ...page(() => import("../features/webhooks/delivery-page.tsx"), "DeliveryPage"),
});
const profilePages = [profileHome, security, apiKeys, notifications, connections, webhooks, webhook, delivery];

/** Pages for whoever runs the instance. */
const admin = createRoute({
  getParentRoute: () => signedIn,
  path: "/admin",
  component: codeOf(() => import("../features/admin/admin-layout.tsx"), "AdminLayout"),
});
const adminHome = createRoute({
  getParentRoute: () => admin,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: "/admin/users", replace: true });
  },
});
const adminUsers = createRoute({
  getParentRoute: () => admin,
  path: "/users",
  validateSearch: readAccountSearch,
  ...page(() => import("../features/admin/users-page.tsx"), "UsersPage"),
});
const adminUser = createRoute({
  getParentRoute: () => admin,
  path: "/users/$id",
  ...page(() => import("../features/admin/user-page.tsx"), "UserPage"),
});
const adminAuditLog = createRoute({
  getParentRoute: () => admin,
  path: "/audit-log",
  validateSearch: readEventSearch,
  ...page(() => import("../features/admin/audit-page.tsx"), "AuditPage"),
});
const adminStatus = createRoute({
  getParentRoute: () => admin,
  path: "/status",
  ...page(() => import("../features/admin/status-page.tsx"), "StatusPage"),
});
const adminPages = [adminHome, adminUsers, adminUser, adminAuditLog, adminStatus];

/** Pages for everybody. */
const reference = createRoute({
  getParentRoute: () => frame,
  path: "/docs",
  ...page(() => import("../features/reference/reference-page.tsx"), "ReferencePage"),
});

const glossary = createRoute({
  getParentRoute: () => frame,
  path: "/glossary",
  component: codeOf(() => import("../features/glossary/glossary-page.tsx"), "GlossaryPage"),
});

export const router = createRouter({
  routeTree: root.addChildren([
    home,
    proposal,
    accounts.addChildren([signIn, register, forgotPassword, resetPassword, verifyEmail, callback]),
    frame.addChildren([
      reference,
      glossary,
      signedIn.addChildren([
        list,
        create,
        trash,
        estimation,
        activity,
        reviews,
        reviewsOf,
        review,
        round,
        tasks,
        timeline,
        versions,
        compare,
        printed,
        shares,
        shared,
        teams,
        team,
        teamInvitation,
        templates,
        template,
        accuracy,
        profile.addChildren(profilePages),
        admin.addChildren(adminPages),
      ]),
    ]),
  ]),
  parseSearch: readSearch,
  stringifySearch: writeSearch,
  defaultErrorComponent: BrokenPage,
  defaultPreload: "intent",
  // Not for what the pointer only crosses.
  defaultPreloadDelay: 100,
  // Queries say themselves what is fresh.
  defaultPreloadStaleTime: 0,
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
