import { type Contract, contract, endpointGroups } from "../contract/index.ts";
import type { Listener } from "./db/listen-store.ts";
import { exampleRoutes } from "./examples.ts";
import { activityRoutes } from "./features/activity/routes.ts";
import { adminRoutes } from "./features/admin/routes.ts";
import { createKeyVerifier, readCredentials } from "./features/api-keys/index.ts";
import { apiKeyRoutes } from "./features/api-keys/routes.ts";
import { auditLogRoutes } from "./features/audit-log/routes.ts";
import { createSessionUses, createSessionVerifier, createSignIns, findNames } from "./features/auth/index.ts";
import { authRoutes } from "./features/auth/routes.ts";
import { clientLinkRoutes } from "./features/client-links/routes.ts";
import { connectionRoutes } from "./features/connections/routes.ts";
import { decisionTreeRoutes } from "./features/decision-trees/routes.ts";
import { estimationLookUp, fellowReadersOf, type ReadableEstimation } from "./features/estimations/index.ts";
import { portfolioRoutes } from "./features/estimations/portfolio-routes.ts";
import { estimationRoutes } from "./features/estimations/routes.ts";
import { askWith, whenIssuesAreOwned } from "./features/exports/index.ts";
import { exportRoutes } from "./features/exports/routes.ts";
import { googleSignInRoutes } from "./features/google-sign-in/routes.ts";
import { importExportRoutes } from "./features/import-export/routes.ts";
import { createHub, type Hub } from "./features/live/hub.ts";
import { liveRoutes } from "./features/live/routes.ts";
import { mountUnsubscribe } from "./features/notifications/index.ts";
import { notificationRoutes } from "./features/notifications/routes.ts";
import { preferenceRoutes } from "./features/preferences/routes.ts";
import { endReviewOfOwner, hideReviews } from "./features/reviews/index.ts";
import { reviewRoutes } from "./features/reviews/routes.ts";
import { roundRoutes } from "./features/rounds/routes.ts";
import { acceptAtSignIn, endEarlierAccess, mailInvitation, shareWithDefaultTeam } from "./features/shares/index.ts";
import { shareRoutes } from "./features/shares/routes.ts";
import { stateRoutes } from "./features/states/routes.ts";
import { suggestionRoutes } from "./features/suggestions/routes.ts";
import { accuracyRoutes } from "./features/tasks/accuracy-routes.ts";
import { taskRoutes } from "./features/tasks/routes.ts";
import { isMember } from "./features/teams/index.ts";
import { teamRoutes } from "./features/teams/routes.ts";
import { templateRoutes } from "./features/templates/routes.ts";
import { threadRoutes } from "./features/threads/routes.ts";
import { holidayRoutes } from "./features/timeline/holiday-routes.ts";
import { milestoneRoutes } from "./features/timeline/milestone-routes.ts";
import { timelineRoutes } from "./features/timeline/routes.ts";
import { versionRoutes } from "./features/versions/routes.ts";
import { countWaiting } from "./features/webhooks/index.ts";
import { webhookRoutes } from "./features/webhooks/routes.ts";
import { createCredentialWatch } from "./http/callers/credential-watch.ts";
import { createKnownCredentials } from "./http/callers/rate-limit.ts";
import { mountDocs } from "./http/docs/docs.ts";
import { drain } from "./http/drain.ts";
import type { Handlers } from "./http/handler.ts";
import { createKeyedLock } from "./http/keyed-lock.ts";
import { mountMcp } from "./http/mcp/mount.ts";
import { mountMetrics } from "./http/metrics.ts";
import { type Mounting, mount } from "./http/mount.ts";
import { mountProbes } from "./http/probes.ts";
import { createServer } from "./http/server.ts";
import { steps } from "./http/steps/index.ts";
import { validation } from "./http/validation/validation.ts";
import type { Scrape } from "./metrics.ts";
import { mountPages, type Pages } from "./pages/index.ts";
import { every, systemClock } from "./platform/clock.ts";
import { readUsage } from "./services/account-usage-store.ts";
import type { HttpClients } from "./services/clients.ts";
import type { Services } from "./services/index.ts";
import { readInstanceStatus } from "./services/instance-status.ts";
import { whenTeamEnds } from "./services/when-team-ends.ts";

/** What the routes of the API are made of, beside the contract. */
export interface ApiParts {
  readonly handlers: Handlers<Contract, ReadableEstimation>;
  readonly mounting: Mounting<ReadableEstimation>;
}

/** What handlers use beside the database: other servers, and the open streams. */
type Outside = Pick<HttpClients, "askModel" | "trackers"> & { readonly live: Hub };

interface Given {
  readonly listener: Listener;
  readonly pages: Pages | undefined;
  /** Where somebody may read metrics. */
  readonly scrape: Scrape | undefined;
  readonly adjust: (parts: ApiParts) => ApiParts;
  /** How long a proxy has to close its idle connections when the API closes, in milliseconds. */
  readonly proxyIdleMs: number;
}

/** Makes the API, which is not listening yet, and what closes it. */
export async function createApi(
  services: Services,
  clients: HttpClients,
  { listener, pages, scrape, adjust, proxyIdleMs }: Given,
) {
  const { app, rateLimit, counters, admit, responseUnknownWith } = createServer(services);
  const keys = createKeyVerifier(services);
  const sessionUses = createSessionUses(services);
  const verifiers = { session: createSessionVerifier(services, sessionUses), key: keys.read };
  const mounting: Mounting<ReadableEstimation> = {
    services,
    verifiers,
    rateLimit,
    admit,
    knownCredentials: createKnownCredentials(services.clock),
    lock: createKeyedLock(services.clock),
    validation,
    counters,
    estimations: estimationLookUp,
    countWaiting,
    watchCredential: createCredentialWatch(services, verifiers, (credentials, now) =>
      readCredentials(services.pool, credentials, now),
    ),
  };
  const live = createHub(services, listener);
  const handlers = createHandlers(services, { ...clients, live });
  const parts = adjust({ handlers, mounting });
  mount(app, contract, parts.handlers, parts.mounting, steps);
  mountProbes(app, services);
  const { metricsPort, metricsToken: token } = services.config;
  if (scrape && metricsPort === null && token !== null) mountMetrics(app, scrape, { token, rateLimit });
  mountMcp(app, parts.mounting);
  mountUnsubscribe(app, services, rateLimit);
  mountDocs(app, endpointGroups, { baseUrl: services.config.baseUrl, rateLimit, atRoot: pages === undefined });
  if (pages) responseUnknownWith(mountPages(app, pages, { config: services.config, rateLimit }));
  let stopSweeping = () => {};
  // After those that end streams.
  app.addHook("preClose", async () => {
    await drain(app.server, proxyIdleMs);
    // A connection that was busy when the server closed would otherwise stay open for its next request.
    stopSweeping = every(systemClock, 50, async () => app.server.closeIdleConnections());
  });
  const close = async () => {
    await app.close().finally(() => stopSweeping());
    await Promise.all([keys.stop(), sessionUses.stop(), live.stop()]);
  };
  return { app, close };
}

/** Returns the handlers of all endpoints. */
export function createHandlers(services: Services, { askModel, trackers, live }: Outside): ApiParts["handlers"] {
  // Further work in the transaction of every sign-in.
  const signIns = createSignIns(services, [acceptAtSignIn(services)]);
  const shareNew = shareWithDefaultTeam(services);
  const handlers = {
    ...authRoutes(services, signIns, {
      acquaintancesOf: fellowReadersOf,
      isMember,
      endEarlierAccess: (tx, user, moment) => endEarlierAccess(tx, services, user, moment),
    }),
    ...googleSignInRoutes(services, signIns),
    ...apiKeyRoutes(services),
    ...auditLogRoutes(findNames),
    ...adminRoutes(services, {
      usageOf: readUsage,
      statusOf: (db) => readInstanceStatus(services, db),
    }),
    ...notificationRoutes(services),
    ...preferenceRoutes,
    ...teamRoutes(services, {
      mail: (tx, mailing) => mailInvitation(tx, services, mailing),
      whenJoining: (tx, user, moment) => endEarlierAccess(tx, services, user, moment),
      whenEnded: whenTeamEnds,
    }),
    ...estimationRoutes(services, hideReviews, shareNew),
    ...portfolioRoutes(services),
    ...decisionTreeRoutes(services),
    ...importExportRoutes(services, shareNew),
    ...stateRoutes(services),
    ...versionRoutes(services),
    ...taskRoutes(services),
    ...accuracyRoutes(),
    ...suggestionRoutes(services, askModel),
    ...templateRoutes(services),
    ...timelineRoutes(services),
    ...milestoneRoutes(services),
    ...holidayRoutes(),
    ...threadRoutes(services),
    ...clientLinkRoutes(services),
    ...reviewRoutes(services),
    ...roundRoutes(services),
    ...activityRoutes(),
    ...liveRoutes(live),
    ...shareRoutes(services, [whenIssuesAreOwned(services), endReviewOfOwner]),
    ...connectionRoutes(services, askWith(trackers, services)),
    ...exportRoutes(services, trackers),
    ...webhookRoutes(services),
  };
  return { ...handlers, ...exampleRoutes(services, handlers) };
}
