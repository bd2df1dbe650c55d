import { type Contract, contract, endpointGroups } from "../contract/index.ts";
import { exampleRoutes } from "./examples.ts";
import { activityRoutes } from "./features/activity/routes.ts";
import { createKeyVerifier, readCredentials } from "./features/api-keys/index.ts";
import { apiKeyRoutes } from "./features/api-keys/routes.ts";
import { auditLogRoutes } from "./features/audit-log/routes.ts";
import { createSessionVerifier, createSignIns } from "./features/auth/index.ts";
import { authRoutes } from "./features/auth/routes.ts";
import { connectionRoutes } from "./features/connections/routes.ts";
import { decisionTreeRoutes } from "./features/decision-trees/routes.ts";
import { estimationLookUp, fellowReadersOf, type ReadableEstimation } from "./features/estimations/index.ts";
import { estimationRoutes } from "./features/estimations/routes.ts";
import { askWith, whenIssuesAreOwned } from "./features/exports/index.ts";
import { exportRoutes } from "./features/exports/routes.ts";
import { googleSignInRoutes } from "./features/google-sign-in/routes.ts";
import { importExportRoutes } from "./features/import-export/routes.ts";
import { mountUnsubscribe } from "./features/notifications/index.ts";
import { notificationRoutes } from "./features/notifications/routes.ts";
import { endReviewOfOwner, hideReviews } from "./features/reviews/index.ts";
import { reviewRoutes } from "./features/reviews/routes.ts";
import { acceptAtSignIn } from "./features/shares/index.ts";
import { shareRoutes } from "./features/shares/routes.ts";
import { stateRoutes } from "./features/states/routes.ts";
import { suggestionRoutes } from "./features/suggestions/routes.ts";
import { taskRoutes } from "./features/tasks/routes.ts";
import { templateRoutes } from "./features/templates/routes.ts";
import { threadRoutes } from "./features/threads/routes.ts";
import { milestoneRoutes } from "./features/timeline/milestone-routes.ts";
import { timelineRoutes } from "./features/timeline/routes.ts";
import { versionRoutes } from "./features/versions/routes.ts";
import { countWaiting } from "./features/webhooks/index.ts";
import { webhookRoutes } from "./features/webhooks/routes.ts";
import { createCredentialWatch } from "./http/callers/credential-watch.ts";
import { createKnownCredentials, createReplayBytes } from "./http/callers/rate-limit.ts";
import { mountDocs } from "./http/docs/docs.ts";
import type { Handlers } from "./http/handler.ts";
import { createKeyedLock } from "./http/keyed-lock.ts";
import { mountMetrics } from "./http/metrics.ts";
import { type Mounting, mount } from "./http/mount.ts";
import { mountProbes } from "./http/probes.ts";
import { createServer } from "./http/server.ts";
import { steps } from "./http/steps/index.ts";
import { validation } from "./http/validation/validation.ts";
import type { Scrape } from "./metrics.ts";
import { mountPages, type Pages } from "./pages/index.ts";
import { every, systemClock } from "./platform/clock.ts";
import type { HttpClients } from "./services/clients.ts";
import type { Services } from "./services/index.ts";

/** What the routes of the API are made of, beside the contract. */
export interface ApiParts {
  readonly handlers: Handlers<Contract, ReadableEstimation>;
  readonly mounting: Mounting<ReadableEstimation>;
}

interface Given {
  readonly pages: Pages | undefined;
  /** Where somebody may read metrics. */
  readonly scrape: Scrape | undefined;
  readonly adjust: (parts: ApiParts) => ApiParts;
}

/** Makes the API, which is not listening yet, and what closes it. */
export async function createApi(services: Services, clients: HttpClients, { pages, scrape, adjust }: Given) {
  const { app, rateLimit, admit, responseUnknownWith } = createServer(services);
  const keys = createKeyVerifier(services);
  const verifiers = { session: createSessionVerifier(services), key: keys.read };
  const mounting: Mounting<ReadableEstimation> = {
    services,
    verifiers,
    rateLimit,
    admit,
    knownCredentials: createKnownCredentials(services.clock),
    lock: createKeyedLock(services.clock),
    validation,
    replayBytes: createReplayBytes(services.clock),
    estimations: estimationLookUp,
    countWaiting,
    watchCredential: createCredentialWatch(services, verifiers, (credentials, now) =>
      readCredentials(services.pool, credentials, now),
    ),
  };
  const handlers = createHandlers(services, clients);
  const parts = adjust({ handlers, mounting });
  mount(app, contract, parts.handlers, parts.mounting, steps);
  mountProbes(app, services);
  const { metricsPort, metricsToken: token } = services.config;
  if (scrape && metricsPort === null && token !== null) mountMetrics(app, scrape, { token, rateLimit });
  mountUnsubscribe(app, services, rateLimit);
  mountDocs(app, endpointGroups, { baseUrl: services.config.baseUrl, rateLimit, atRoot: pages === undefined });
  if (pages) responseUnknownWith(mountPages(app, pages, { config: services.config, rateLimit }));
  const close = async () => {
    // A connection that was busy when the server closed would otherwise stay open for its next request.
    const stopSweeping = every(systemClock, 50, async () => app.server.closeIdleConnections());
    await app.close().finally(stopSweeping);
    await keys.stop();
  };
  return { app, close };
}

/** Returns the handlers of all endpoints. */
export function createHandlers(
  services: Services,
  { askModel, trackers }: Pick<HttpClients, "askModel" | "trackers">,
): ApiParts["handlers"] {
  // Further work in the transaction of every sign-in.
  const signIns = createSignIns(services, [acceptAtSignIn(services)]);
  const handlers = {
    ...authRoutes(services, signIns, fellowReadersOf),
    ...googleSignInRoutes(services, signIns),
    ...apiKeyRoutes(services),
    ...auditLogRoutes(),
    ...notificationRoutes(services),
    ...estimationRoutes(services, hideReviews),
    ...decisionTreeRoutes(services),
    ...importExportRoutes(services),
    ...stateRoutes(services),
    ...versionRoutes(services),
    ...taskRoutes(services),
    ...suggestionRoutes(services, askModel),
    ...templateRoutes(services),
    ...timelineRoutes(services),
    ...milestoneRoutes(services),
    ...threadRoutes(services),
    ...reviewRoutes(services),
    ...activityRoutes(),
    ...shareRoutes(services, [whenIssuesAreOwned(services), endReviewOfOwner]),
    ...connectionRoutes(services, askWith(trackers, services)),
    ...exportRoutes(services, trackers),
    ...webhookRoutes(services),
  };
  return { ...handlers, ...exampleRoutes(services, handlers) };
}
