import type { AccountWork, admin } from "../../../contract/endpoints/admin.ts";
import type { IdentityEvent } from "../../../contract/endpoints/audit-log.ts";
import { mayReceive, mayTakeAway } from "../../../domain/administration.ts";
import type { Queryable } from "../../db/database.ts";
import { fail, failWith } from "../../http/failure.ts";
import type { Actor, Handlers } from "../../http/handler.ts";
import type { Services } from "../../services/index.ts";
import { revokeKeys } from "../api-keys/index.ts";
import { recordIdentityEvent } from "../audit-log/index.ts";
import {
  countsAsVerified,
  disableUser,
  enableUser,
  normalizeEmail,
  requestAccountMail,
  revokeTokens,
  type UserRow,
} from "../auth/index.ts";
import { changeStanding, lockTeamsOf } from "../teams/index.ts";
import { findWork, findWorkWith, orderWork } from "./jobs.ts";
import { requestActMail } from "./mails.ts";
import { presentAccount } from "./present.ts";
import { lockAccounts } from "./store.ts";

type Acts =
  | "disableAccount"
  | "enableAccount"
  | "endAccountSessions"
  | "sendResetLink"
  | "handOverEstimations"
  | "eraseAccount";

/** What of a call is recorded. */
interface ActCall {
  readonly actor: Actor;
  readonly db: Queryable;
  readonly now: Date;
  readonly ip: string;
  readonly userAgent: string | null;
}

/**
 * What administrators do to accounts. Each act, its entry in the audit log and the mail to the person concerned commit
 * together; the account is locked meanwhile.
 */
export function accountActs(services: Services): Pick<Handlers<typeof admin>, Acts> {
  const record = (call: ActCall, userId: string, event: IdentityEvent, otherUserId: string | null = null) => {
    const { actor, db, now, ip, userAgent } = call;
    return recordIdentityEvent(db, services, { userId, event, otherUserId, actorId: actor.userId, ip, userAgent, now });
  };

  const lock = async (tx: Queryable, id: string): Promise<UserRow> =>
    (await lockAccounts(tx, [id]))[0] ?? fail("not_found");

  /** Locks an account and, if one is named, the account that gets its estimations. */
  const lockBoth = async (tx: Queryable, id: string, toUserId: string | undefined): Promise<UserRow> => {
    const rows = await lockAccounts(tx, toUserId === undefined ? [id] : [id, toUserId]);
    const account = rows.find((row) => row.id === id) ?? fail("not_found");
    if (toUserId === undefined) return account;
    const to = rows.find((row) => row.id === toUserId);
    if (!to || !mayReceive({ ...to, isVerified: countsAsVerified(to, services.config) }, account)) {
      const message =
        "must be the id of another account that has a verified address, is not disabled and not an administrator's";
      failWith([{ path: "/toUserId", in: "body", code: "not_allowed", message }]);
    }
    return account;
  };

  const refuseDuring = (work: AccountWork | null) => {
    if (work !== null) fail("account_work_under_way", { details: { work } });
  };

  /** Of orders that overlap, one would erase or give away again what the other hands over. The accounts are locked. */
  const refuseOverlap = async (tx: Queryable, userId: string, toUserId: string | undefined) =>
    refuseDuring(await findWorkWith(tx, toUserId === undefined ? [userId] : [userId, toUserId]));

  const refuseAdministrator = (account: UserRow) => {
    if (!mayTakeAway(account)) fail("forbidden", { details: { reason: "administrator" } });
  };

  /**
   * Ends sessions and keys of a locked account, which nobody can sign in to from then on. Its teams, which were locked before,
   * are run by others.
   */
  const disable = async ({ db, actor, now }: ActCall, userId: string, teamIds: readonly string[]): Promise<UserRow> => {
    const disabled = await disableUser(db, userId, now);
    await revokeKeys(db, userId, now);
    await changeStanding(db, services, teamIds, { userId, actorId: actor.userId, now });
    return disabled;
  };

  return {
    async disableAccount(call) {
      const { db, params, now } = call;
      const teamIds = await lockTeamsOf(db, params.id);
      const account = await lock(db, params.id);
      refuseAdministrator(account);
      if (account.disabledAt) return { data: { account: presentAccount(account) } };
      const disabled = await disable(call, account.id, teamIds);
      await record(call, account.id, "account.disabled");
      await requestActMail(db, "account-disabled", { userId: account.id }, now);
      return { data: { account: presentAccount(disabled) } };
    },

    async enableAccount(call) {
      const { db, params, now, actor } = call;
      const teamIds = await lockTeamsOf(db, params.id);
      const account = await lock(db, params.id);
      refuseDuring(await findWork(db, account.id));
      if (!account.disabledAt) return { data: { account: presentAccount(account) } };
      // A request that was under way may have made a key, or sent an invitation, since.
      await revokeKeys(db, account.id, now);
      const enabled = await enableUser(db, account.id);
      await changeStanding(db, services, teamIds, { userId: account.id, actorId: actor.userId, now });
      await record(call, account.id, "account.enabled");
      await requestActMail(db, "account-enabled", { userId: account.id }, now);
      return { data: { account: presentAccount(enabled) } };
    },

    async endAccountSessions(call) {
      const { db, params, now } = call;
      const { id: userId } = await lock(db, params.id);
      await revokeTokens(db, userId);
      await record(call, userId, "sessions.ended");
      await requestActMail(db, "sessions-ended", { userId }, now);
      return { data: {} };
    },

    async sendResetLink(call) {
      const { db, params, now } = call;
      const { id: userId } = await lock(db, params.id);
      await record(call, userId, "password.reset_requested");
      await requestAccountMail(db, userId, "reset-password", now, { byAdministrator: true });
      return { data: {} };
    },

    async handOverEstimations(call) {
      const { db, params, body, now, actor } = call;
      const { toUserId } = body;
      const account = await lockBoth(db, params.id, toUserId);
      refuseAdministrator(account);
      const { id: userId } = account;
      await refuseOverlap(db, userId, toUserId);
      const order = await orderWork(db, "handing_over", { userId, toUserId, actorId: actor.userId });
      await record(call, userId, "estimations.hand_over_ordered", toUserId);
      await requestActMail(db, "estimations-handed-over", { userId, otherUserId: toUserId }, now, order);
      await requestActMail(db, "estimations-received", { userId: toUserId, otherUserId: userId }, now, order);
      return { data: {} };
    },

    async eraseAccount(call) {
      const { db, params, body, now, actor } = call;
      const { toUserId } = body;
      const teamIds = await lockTeamsOf(db, params.id);
      const account = await lockBoth(db, params.id, toUserId);
      refuseAdministrator(account);
      const { id: userId } = account;
      if (normalizeEmail(body.email) !== account.email)
        failWith([{ path: "/email", in: "body", code: "not_allowed", message: "must be the address of the account" }]);
      await refuseOverlap(db, userId, toUserId);
      if (!account.disabledAt) await disable(call, userId, teamIds);
      const order = await orderWork(db, "erasing", { userId, toUserId, actorId: actor.userId });
      await record(call, userId, "account.erasure_ordered", toUserId ?? null);
      await requestActMail(db, "account-erasure", { userId, otherUserId: toUserId ?? null }, now, order);
      if (toUserId !== undefined)
        await requestActMail(db, "estimations-received", { userId: toUserId, otherUserId: userId }, now, order);
      return { data: {} };
    },
  };
}
