import type { Account, AccountDetails, InstanceEvent } from "../../../contract/endpoints/admin.ts";
import type { listStandingKeys } from "../api-keys/index.ts";
import type { AuditEventRow } from "../audit-log/index.ts";
import type { UserRow } from "../auth/index.ts";
import type { listWebhooks } from "../webhooks/index.ts";

const text = (at: Date | null): string | null => at?.toISOString() ?? null;

export const presentAccount = (row: UserRow): Account => ({
  id: row.id,
  email: row.email,
  name: row.name,
  emailVerifiedAt: text(row.emailVerifiedAt),
  createdAt: row.createdAt.toISOString(),
  lastSignInAt: text(row.lastSignInAt),
  disabledAt: text(row.disabledAt),
  isAdministrator: row.isAdministrator,
});

type Row<F extends (...given: never[]) => Promise<readonly unknown[]>> = Awaited<ReturnType<F>>[number];

export const presentKey = (key: Row<typeof listStandingKeys>): AccountDetails["apiKeys"][number] => ({
  id: key.id,
  prefix: key.prefix,
  scopes: key.scopes,
  createdAt: key.createdAt.toISOString(),
  lastUsedAt: text(key.lastUsedAt),
  expiresAt: text(key.expiresAt),
});

export const presentWebhook = (webhook: Row<typeof listWebhooks>): AccountDetails["webhooks"][number] => ({
  id: webhook.id,
  host: URL.parse(webhook.url)?.host ?? "",
  active: webhook.active,
  createdAt: webhook.createdAt.toISOString(),
});

/** Someone who is named in an event. */
export interface Named {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

export function presentEvent(row: AuditEventRow, people: readonly Named[]): InstanceEvent {
  const find = (id: string | null) => people.find((person) => person.id === id) ?? null;
  const actor = find(row.actorId);
  return {
    id: row.id,
    event: row.event,
    createdAt: row.createdAt.toISOString(),
    user: find(row.userId),
    actor: actor && { id: actor.id, name: actor.name },
    otherUser: find(row.otherUserId),
    ip: row.ip,
    userAgent: row.userAgent,
    apiKeyId: row.apiKeyId,
  };
}
