import type pg from "pg";
import { limits } from "../contract/limits.ts";
import { changeInstanceState } from "./db/instance-state.ts";
import type { Listener } from "./db/listen-store.ts";
import { actMails, adminJobs } from "./features/admin/index.ts";
import { countUsableKeys, keyJobs, keyMails, removeRevoked } from "./features/api-keys/index.ts";
import { removeEvents } from "./features/audit-log/index.ts";
import {
  accountMails,
  forgetCounts,
  forgetMailedTokens,
  forgetPairs,
  forgetSessions,
  KNOWN_MS,
  setUndelivered,
} from "./features/auth/index.ts";
import { clientLinkMails } from "./features/client-links/index.ts";
import { estimationJobs, removeDeleted, retainedSince } from "./features/estimations/index.ts";
import { exportJobs } from "./features/exports/index.ts";
import { removeExpiredCodes, removeExpiredSignIns } from "./features/google-sign-in/store.ts";
import { mailSettings, removeNotifications } from "./features/notifications/index.ts";
import { reviewMails } from "./features/reviews/index.ts";
import { roundJobs, roundMails } from "./features/rounds/index.ts";
import {
  forgetInvitationMails,
  removeEndedTeams,
  removeSharesWithEnded,
  setSharesUndelivered,
  shareMails,
} from "./features/shares/index.ts";
import { teamMails } from "./features/teams/index.ts";
import { makePrivateOfEnded } from "./features/templates/index.ts";
import { countWebhooks, startDispatcher, webhookJobs, webhookMails } from "./features/webhooks/index.ts";
import { forgetRequestCounts } from "./http/callers/shared-counts-store.ts";
import { forgetResponses } from "./http/idempotency.ts";
import { type JobRow, runPeriodically } from "./jobs/job.ts";
import { type MailNotes, sendMails } from "./jobs/mail.ts";
import { removePeriodically, untilFewer } from "./jobs/removals.ts";
import { createWorker } from "./jobs/worker.ts";
import type { Mailer } from "./platform/mail.ts";
import { createMailer } from "./platform/mailer.ts";
import { makeDueBackup } from "./services/automatic-backups.ts";
import type { HttpClients } from "./services/clients.ts";
import { handOverSome } from "./services/hand-over.ts";
import type { Services } from "./services/index.ts";
import { erasePerson } from "./services/person-erasure.ts";
import { purgeEstimations } from "./services/purge-estimations.ts";

const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 3_600;
const DAY_MS = 86_400_000;

/** What is removed when its time is over, and how often that is looked for. Webhooks and exports remove their own. */
export function retentionJobs({ config, clock, pool }: Services): JobRow[] {
  const now = () => clock.now();
  const before = (ms: number) => new Date(now().getTime() - ms);
  return [
    removePeriodically("remove-expired-sign-ins", MINUTE_SECONDS, () => [
      untilFewer((rows) => removeExpiredCodes(pool, now(), rows)),
      untilFewer((rows) => removeExpiredSignIns(pool, now(), rows)),
    ]),
    removePeriodically("forget-tries", 10 * MINUTE_SECONDS, () => [
      untilFewer((rows) => forgetCounts(pool, now(), rows)),
      untilFewer((rows) => forgetPairs(pool, before(KNOWN_MS), rows)),
      untilFewer((rows) => forgetMailedTokens(pool, now(), rows)),
      untilFewer((rows) => forgetSessions(pool, now(), rows)),
      // What a window used too much counts in the next one, so it stays for a while.
      untilFewer((rows) => forgetRequestCounts(pool, before(MINUTE_SECONDS * 1_000), rows)),
    ]),
    removePeriodically("remove-old-audit-events", HOUR_SECONDS, () => [
      untilFewer((rows) => removeEvents(pool, before(config.auditLogRetentionDays * DAY_MS), rows)),
    ]),
    removePeriodically("remove-old-notifications", HOUR_SECONDS, () => [
      untilFewer((rows) => removeNotifications(pool, before(limits.notificationDays * DAY_MS), rows)),
    ]),
    removePeriodically("forget-invitation-mails", HOUR_SECONDS, () => [
      untilFewer((rows) => forgetInvitationMails(pool, before(DAY_MS), rows)),
    ]),
    removePeriodically("remove-deleted-teams", HOUR_SECONDS, () => [
      untilFewer((rows) => removeSharesWithEnded(pool, rows)),
      untilFewer((rows) => makePrivateOfEnded(pool, rows)),
      untilFewer((rows) => removeEndedTeams(pool, rows)),
    ]),
    removePeriodically("remove-deleted-estimations", HOUR_SECONDS, () => [
      removeDeleted(pool, retainedSince(config, now()), purgeEstimations),
    ]),
    removePeriodically("remove-revoked-api-keys", HOUR_SECONDS, () => [
      untilFewer((rows) => removeRevoked(pool, before(limits.revokedKeyDays * DAY_MS), rows)),
    ]),
    removePeriodically("forget-responses", HOUR_SECONDS, () => [
      untilFewer((rows) => forgetResponses(pool, now(), rows)),
    ]),
  ];
}

/** Returns every kind of job. */
export function workerJobs(
  services: Services,
  connection: pg.PoolConfig,
  { mailer, trackers }: { readonly mailer: Mailer; readonly trackers: HttpClients["trackers"] },
): JobRow[] {
  const { clock, pool } = services;
  const otherAccessOf = async (userId: string) => ({
    apiKeys: await countUsableKeys(pool, userId, clock.now()),
    webhooks: await countWebhooks(pool, userId),
  });
  const mails = [
    ...accountMails(services, otherAccessOf),
    ...keyMails(services),
    ...webhookMails(services),
    ...shareMails(services),
    ...teamMails(services),
    ...reviewMails(services),
    ...roundMails(services),
    ...clientLinkMails(services),
    ...actMails(services),
  ];
  const notes: MailNotes = {
    result: (mailFault) => changeInstanceState(pool, { mailTriedAt: clock.now(), mailFault }),
    async reach(address, isRefused) {
      const at = isRefused ? clock.now() : null;
      await setUndelivered(pool, address, at);
      await setSharesUndelivered(pool, address, at);
    },
  };
  return [
    sendMails(services, mailer, mails, mailSettings(services), notes),
    ...adminJobs(services, {
      handOverSome: (order, isAllowed) => handOverSome(pool, { ...order, now: clock.now() }, isAllowed),
      erase: (db, person) => erasePerson(db, services, { ...person, isTrial: false }),
    }),
    ...keyJobs(services),
    ...webhookJobs(services),
    ...exportJobs(services, trackers),
    ...roundJobs(services),
    ...estimationJobs(services, [untilFewer((rows) => makePrivateOfEnded(pool, rows))]),
    ...retentionJobs(services),
    runPeriodically("make-backup", MINUTE_SECONDS, (signal) => makeDueBackup(services, connection, signal)),
  ];
}

/** Starts the background worker and returns how to stop it. */
export async function startWorker(
  services: Services,
  connection: pg.PoolConfig,
  { outbound, trackers }: HttpClients,
  listener: Listener,
): Promise<() => Promise<void>> {
  const { config, clock, log, metrics } = services;
  const mailer = createMailer(config, clock, (file) =>
    log.info({ file }, "a mail was written; there is no mail server"),
  );
  const worker = createWorker({
    ...{ services, connection, jobs: workerJobs(services, connection, { mailer, trackers }) },
    onEnd: (kind, outcome) => metrics.jobRuns.inc({ kind, outcome }),
  });
  await worker.start();
  const endDispatching = startDispatcher(services, connection, outbound, listener);
  return async () => {
    await Promise.all([worker.stop(), endDispatching()]);
    mailer.close();
  };
}
