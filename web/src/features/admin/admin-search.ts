import type { AccountState } from "../../../../contract/endpoints/admin.ts";
import type { AuditEvent } from "../../../../contract/endpoints/audit-log.ts";

/** Which accounts show, as the address says. */
export interface AccountSearch {
  readonly q?: string | undefined;
  readonly state?: AccountState | undefined;
}

/** Which events show; days as `2026-01-31`. */
export interface EventSearch {
  readonly userId?: string | undefined;
  /** Who did it. */
  readonly actorId?: string | undefined;
  readonly event?: AuditEvent["event"] | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

const STATES: Readonly<Record<AccountState, true>> = { enabled: true, disabled: true, administrator: true };

const text = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);
const day = (value: unknown): string | undefined =>
  typeof value === "string" && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value)) ? value : undefined;

export const readAccountSearch = ({ q, state }: Record<string, unknown>): AccountSearch => ({
  q: text(q),
  state: typeof state === "string" && Object.hasOwn(STATES, state) ? (state as AccountState) : undefined,
});

/** Which events exist, the service knows. */
export const readEventSearch = ({ userId, actorId, event, from, to }: Record<string, unknown>): EventSearch => ({
  userId: text(userId),
  actorId: text(actorId),
  event: text(event) as AuditEvent["event"] | undefined,
  from: day(from),
  to: day(to),
});
