import type { AccountDetails, admin, InstanceStatus } from "../../../contract/endpoints/admin.ts";
import type { Quota } from "../../../contract/errors.ts";
import { limits } from "../../../contract/limits.ts";
import type { Queryable } from "../../db/database.ts";
import { fail } from "../../http/failure.ts";
import type { Handlers } from "../../http/handler.ts";
import { byId, listPage } from "../../http/list-page.ts";
import { parseTimestamp } from "../../platform/timestamp.ts";
import type { Services } from "../../services/index.ts";
import { listStandingKeys } from "../api-keys/index.ts";
import { listAllEvents } from "../audit-log/index.ts";
import { findPeople, listSessions, presentSession } from "../auth/index.ts";
import { listWebhooks } from "../webhooks/index.ts";
import { accountActs } from "./act-routes.ts";
import { findWork } from "./jobs.ts";
import { presentAccount, presentEvent, presentKey, presentWebhook } from "./present.ts";
import { findAccount, listAccounts } from "./store.ts";

/** What is read across all features, given by the server's root. */
export interface Overview {
  usageOf(db: Queryable, userId: string): Promise<Readonly<Record<Quota, number>>>;
  statusOf(db: Queryable): Promise<InstanceStatus>;
}

const date = (text: string | undefined): Date | undefined =>
  text === undefined ? undefined : (parseTimestamp(text) ?? undefined);

/** Routes for whoever runs the instance. None of them reads what users have written in estimations. */
export const adminRoutes = (services: Services, { usageOf, statusOf }: Overview): Handlers<typeof admin> => ({
  ...accountActs(services),

  async listAccounts({ db, query }) {
    const { rows, nextCursor } = await listPage(byId("accounts"), query, (limit, beforeId) =>
      listAccounts(db, query, limit, beforeId),
    );
    return { data: { accounts: rows.map(presentAccount), nextCursor } };
  },

  async getAccount({ db, params, now }) {
    const row = (await findAccount(db, params.id)) ?? fail("not_found");
    const used = await usageOf(db, row.id);
    const { quotas } = services.config;
    const account: AccountDetails = {
      ...presentAccount(row),
      hasPassword: row.passwordHash !== null,
      work: await findWork(db, row.id),
      quotas: (Object.keys(quotas) as Quota[]).map((quota) => ({ quota, used: used[quota], limit: quotas[quota] })),
      sessions: (await listSessions(db, row.id, { now, limit: limits.pageSizeMax })).map((session) =>
        presentSession(session, null),
      ),
      apiKeys: (await listStandingKeys(db, row.id, limits.pageSizeMax)).map(presentKey),
      webhooks: (await listWebhooks(db, row.id, limits.webhooks, null)).map(presentWebhook),
    };
    return { data: { account } };
  },

  async listInstanceEvents({ db, query }) {
    const { userId, actorId, event: events } = query;
    const filter = { userId, actorId, events, from: date(query.from), to: date(query.to) };
    const { rows, nextCursor } = await listPage(byId("instance-events"), query, (limit, beforeId) =>
      listAllEvents(db, filter, limit, beforeId),
    );
    const ids = rows.flatMap((row) => [row.userId, row.actorId, row.otherUserId]).filter((id) => id !== null);
    const people = await findPeople(db, [...new Set(ids)]);
    return { data: { events: rows.map((row) => presentEvent(row, people)), nextCursor } };
  },

  async getInstanceStatus({ db }) {
    return { data: { status: await statusOf(db) } };
  },
});
