import type { ApiKey, apiKeys } from "../../../contract/endpoints/api-keys.ts";
import type { IdentityEvent } from "../../../contract/endpoints/audit-log.ts";
import type { Queryable } from "../../db/database.ts";
import { fail } from "../../http/failure.ts";
import type { Handlers } from "../../http/handler.ts";
import { byId, listPage } from "../../http/list-page.ts";
import { parseTimestamp } from "../../platform/timestamp.ts";
import type { Services } from "../../services/index.ts";
import { type Origin, recordIdentityEvent } from "../audit-log/index.ts";
import { makePlaintext, traceOf } from "./plaintext.ts";
import { type ApiKeyRow, countUnrevokedKeys, findKey, forgetRevoked, insertKey, listKeys, updateKey } from "./store.ts";

const presentKey = (row: ApiKeyRow): ApiKey => ({
  id: row.id,
  name: row.name,
  prefix: row.prefix,
  scopes: row.scopes,
  expiresAt: row.expiresAt?.toISOString() ?? null,
  revokedAt: row.revokedAt?.toISOString() ?? null,
  lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
  rotatedAt: row.rotatedAt?.toISOString() ?? null,
});

const newestFirst = byId("api-keys");

export const apiKeyRoutes = (services: Services): Handlers<typeof apiKeys> => ({
  async createApiKey({ actor, body, db, now, ip, userAgent }) {
    const { name, scopes } = body;
    const used = async () => 1 + (await countUnrevokedKeys(db, actor.userId));
    await services.quotas.reserve(db, { quota: "apiKeys", used });
    const plaintext = makePlaintext();
    const row = await insertKey(db, {
      id: services.ids.next("apiKey"),
      userId: actor.userId,
      name,
      scopes,
      expiresAt: body.expiresAt == null ? null : parseTimestamp(body.expiresAt),
      createdAt: now,
      ...traceOf(plaintext),
    });
    await record(db, services, row, "api_key.created", { ip, userAgent, now });
    return { data: { apiKey: presentKey(row), plaintext } };
  },

  async listApiKeys({ actor, db, query }) {
    const { rows, nextCursor } = await listPage(newestFirst, query, (limit, afterId) =>
      listKeys(db, actor.userId, limit, afterId),
    );
    return { data: { apiKeys: rows.map(presentKey), nextCursor } };
  },

  async getApiKey({ actor, db, params }) {
    return { data: { apiKey: presentKey((await findKey(db, actor.userId, params.id)) ?? fail("not_found")) } };
  },

  async updateApiKey({ actor, body, db, now, params, ip, userAgent }) {
    const key = await findKey(db, actor.userId, params.id);
    if (!key) fail("not_found");
    if (key.revokedAt) fail("api_key_revoked");
    if (Object.keys(body).length === 0) return { data: { apiKey: presentKey(key) } };
    const row = (await updateKey(db, actor.userId, params.id, body)) ?? fail("api_key_revoked");
    await record(db, services, row, "api_key.updated", { ip, userAgent, now });
    return { data: { apiKey: presentKey(row) } };
  },

  async rotateApiKey({ actor, db, now, params, ip, userAgent }) {
    if (!(await findKey(db, actor.userId, params.id))) fail("not_found");
    const plaintext = makePlaintext();
    const traces = { ...traceOf(plaintext), rotatedAt: now };
    const row = (await updateKey(db, actor.userId, params.id, traces)) ?? fail("api_key_revoked");
    await record(db, services, row, "api_key.rotated", { ip, userAgent, now });
    return { data: { apiKey: presentKey(row), plaintext } };
  },

  async revokeApiKey({ actor, db, now, params, ip, userAgent }) {
    const revoked = await updateKey(db, actor.userId, params.id, { revokedAt: now });
    if (revoked) {
      await record(db, services, revoked, "api_key.revoked", { ip, userAgent, now });
      await forgetRevoked(db, actor.userId);
    }
    const key = revoked ?? (await findKey(db, actor.userId, params.id));
    return { data: { apiKey: presentKey(key ?? fail("not_found")) } };
  },
});

const record = (
  db: Queryable,
  services: Services,
  { id, userId }: ApiKeyRow,
  event: IdentityEvent,
  moment: Origin & { readonly now: Date },
): Promise<void> => recordIdentityEvent(db, services, { ...moment, userId, event, apiKeyId: id });
