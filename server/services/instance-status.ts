import { readFileSync } from "node:fs";
import type { InstanceStatus } from "../../contract/endpoints/admin.ts";
import type { Queryable } from "../db/database.ts";
import { readInstanceState } from "../db/instance-state.ts";
import { countDueDeliveries } from "../features/webhooks/index.ts";
import { countDueJobs } from "../jobs/job-store.ts";
import { DELIVERIES } from "../platform/metrics/rows.ts";
import type { Services } from "./index.ts";
import { countFailedDeliveries, countMigrations, listProcesses, readSizes } from "./instance-status-store.ts";

/** Settings that bound something, beside the quotas. */
const LIMITS = [
  "rateLimitPerMinute",
  "rateLimitAuthPerMinute",
  "invitationsPerHour",
  "requestTimeoutSeconds",
  "webhookDeliveriesPerMinute",
  "webhookMaxAttempts",
  "webhookTimeoutSeconds",
  "webhookRetentionDays",
  "deletedEstimationRetentionDays",
  "auditLogRetentionDays",
  "githubWritesPerMinute",
  "jiraWritesPerMinute",
] as const;

/** Reads how the instance is: of this process, and of what all processes share in the database. */
export async function readInstanceStatus({ config }: Pick<Services, "config">, db: Queryable): Promise<InstanceStatus> {
  const deliveries = await countDueDeliveries(db);
  const due = [...(await countDueJobs(db)), ...(deliveries ? [{ kind: DELIVERIES, ...deliveries }] : [])];
  const { mailTriedAt, mailFault, backedUpAt } = await readInstanceState(db);
  const limits = [...Object.entries(config.quotas), ...LIMITS.map((name) => [name, config[name]] as const)];
  return {
    version: readVersion(),
    startedAt: new Date(performance.timeOrigin).toISOString(),
    uptimeSeconds: Math.floor(performance.now() / 1_000),
    migrations: await countMigrations(db),
    database: await readSizes(db),
    queues: due.map(({ kind, count, ageSeconds }) => ({
      ...{ kind, due: count, ageSeconds: Math.max(0, Math.floor(ageSeconds)) },
    })),
    failedDeliveries: await countFailedDeliveries(db),
    lastMail: mailTriedAt && { at: mailTriedAt.toISOString(), fault: mailFault },
    backup: { lastAt: backedUpAt?.toISOString() ?? null, everyHours: config.backupEveryHours },
    limits: limits.map(([name, value]) => ({ name, value })),
    processes: await listProcesses(db),
  };
}

const readVersion = (): string =>
  String(JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")).version);
