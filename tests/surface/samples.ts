import type { Contract } from "../../contract/index.ts";
import { request, type TestApp, type TestUser } from "../harness.ts";
import { activitySamples } from "./samples/activity.ts";
import { type AdminRecords, adminSamples, makeAccounts } from "./samples/admin.ts";
import { type ApiKeyRecords, apiKeySamples, makeApiKey } from "./samples/api-keys.ts";
import { auditLogSamples } from "./samples/audit-log.ts";
import { type AuthRecords, authSamples, makeMailedTokens, makeSession, type SessionRecords } from "./samples/auth.ts";
import { type ClientLinkRecords, clientLinkSamples, makeClientLinks } from "./samples/client-links.ts";
import { type ConnectionRecords, connectionSamples, makeConnection } from "./samples/connections.ts";
import { makeTree, type TreeRecords, treeSamples } from "./samples/decision-trees.ts";
import { type EstimationRecords, estimationSamples, makeEstimation, portfolioSamples } from "./samples/estimations.ts";
import { exampleSamples } from "./samples/examples.ts";
import { type ExportRecords, exportSamples, makeExports } from "./samples/exports.ts";
import {
  type GoogleSignInRecords,
  googleSignInConfig,
  googleSignInSamples,
  makeExchangeCode,
} from "./samples/google-sign-in.ts";
import { importExportSamples } from "./samples/import-export.ts";
import { type LiveRecords, liveSamples, makeStream } from "./samples/live.ts";
import { makeNotification, type NotificationRecords, notificationSamples } from "./samples/notifications.ts";
import type { Making, Samples } from "./samples/noun.ts";
import { preferenceSamples } from "./samples/preferences.ts";
import { makeReviews, type ReviewRecords, reviewSamples } from "./samples/reviews.ts";
import { makeRounds, type RoundRecords, roundSamples } from "./samples/rounds.ts";
import { makeShares, type ShareRecords, shareSamples } from "./samples/shares.ts";
import { makeStates, type StateRecords, stateSamples } from "./samples/states.ts";
import { makeSuggestion, type SuggestionRecords, suggestionSamples } from "./samples/suggestions.ts";
import { accuracySamples, makeTask, type TaskRecords, taskSamples } from "./samples/tasks.ts";
import { makeTeams, type TeamRecords, teamSamples } from "./samples/teams.ts";
import { makeTemplate, type TemplateRecords, templateSamples } from "./samples/templates.ts";
import { makeThreads, type ThreadRecords, threadSamples } from "./samples/threads.ts";
import { makeTimeline, type TimelineRecords, timelineSamples } from "./samples/timelines.ts";
import { makeVersions, type VersionRecords, versionSamples } from "./samples/versions.ts";
import { makeWebhook, type WebhookRecords, webhookSamples } from "./samples/webhooks.ts";

/** A user with one record of every kind, so that every endpoint can be called with real records. */
export interface World
  extends AuthRecords,
    SessionRecords,
    AdminRecords,
    GoogleSignInRecords,
    ApiKeyRecords,
    EstimationRecords,
    TreeRecords,
    StateRecords,
    TaskRecords,
    SuggestionRecords,
    TimelineRecords,
    VersionRecords,
    TeamRecords,
    TemplateRecords,
    ThreadRecords,
    ShareRecords,
    ClientLinkRecords,
    ReviewRecords,
    RoundRecords,
    ConnectionRecords,
    ExportRecords,
    LiveRecords,
    NotificationRecords,
    WebhookRecords {
  readonly user: TestUser;
}

/** Creates one record of every kind for `user`, by default for a new one. */
export async function makeWorld(app: TestApp, user?: TestUser): Promise<World> {
  const owner = user ?? (await app.signUp());
  const making: Making = {
    app,
    user: owner,
    async call(method, path, body) {
      const response = await request(app.url, method, path, { token: owner.token, body });
      if (response.status >= 300) throw new Error(`${method} ${path} returned ${response.status}: ${response.text}`);
      return response.data;
    },
  };
  const estimation = await makeEstimation(making);
  const tree = await makeTree(making, estimation);
  const states = await makeStates(making);
  const task = await makeTask(making, estimation);
  const connection = await makeConnection(making);
  return {
    user: owner,
    ...estimation,
    ...tree,
    ...states,
    ...task,
    ...(await makeSuggestion(making)),
    ...(await makeTimeline(making, estimation, task)),
    ...(await makeReviews(making, estimation)),
    ...(await makeVersions(making, estimation)),
    ...(await makeTeams(making)),
    ...(await makeTemplate(making, estimation)),
    ...(await makeThreads(making, estimation, await makeVersions(making, estimation))),
    ...(await makeShares(making, estimation)),
    ...(await makeClientLinks(making, estimation)),
    ...(await makeRounds(making, estimation, tree)),
    ...(await makeApiKey(making)),
    ...connection,
    ...(await makeExports(making, { ...estimation, ...states, ...task, ...connection })),
    ...(await makeWebhook(making)),
    ...(await makeStream(making, estimation)),
    ...(await makeNotification(making, estimation)),
    ...(await makeExchangeCode(making)),
    ...(await makeSession(making)),
    ...(await makeAccounts(making)),
    ...(await makeMailedTokens(making)),
  };
}

/** What must be configured for every sample to succeed. */
export const sampleConfig = { ...googleSignInConfig } as const;

/** A request that succeeds, for every endpoint: a row without one does not compile. */
export const samples: Samples<Contract> = {
  ...authSamples,
  ...googleSignInSamples,
  ...apiKeySamples,
  ...auditLogSamples,
  ...adminSamples,
  ...notificationSamples,
  ...preferenceSamples,
  ...estimationSamples,
  ...portfolioSamples,
  ...exampleSamples,
  ...treeSamples,
  ...stateSamples,
  ...importExportSamples,
  ...taskSamples,
  ...accuracySamples,
  ...suggestionSamples,
  ...timelineSamples,
  ...versionSamples,
  ...activitySamples,
  ...liveSamples,
  ...teamSamples,
  ...templateSamples,
  ...threadSamples,
  ...shareSamples,
  ...clientLinkSamples,
  ...reviewSamples,
  ...roundSamples,
  ...connectionSamples,
  ...exportSamples,
  ...webhookSamples,
};
