import { randomUUID } from "node:crypto";
import type { AccountWork } from "../../../contract/endpoints/admin.ts";
import type { IdentityEvent } from "../../../contract/endpoints/audit-log.ts";
import { mayReceive, mayTakeAway } from "../../../domain/administration.ts";
import type { Database, Queryable } from "../../db/database.ts";
import { defineJob, ENDLESS_RUNS, Interrupted, type JobRow, runJob } from "../../jobs/job.ts";
import { addJob, findJob, findJobAbout } from "../../jobs/job-store.ts";
import type { Services } from "../../services/index.ts";
import { recordIdentityEvent } from "../audit-log/index.ts";
import { countsAsVerified, findUser, type UserRow } from "../auth/index.ts";
import { isActMailPending, requestActMail } from "./mails.ts";

/** Work on an account that an administrator has ordered. */
interface Order {
  /** Names the order, for the mails about it. */
  readonly id: string;
  readonly userId: string;
  /** The administrator. */
  readonly actorId: string;
  /** Who gets the estimations; undefined: they are deleted with the account. */
  readonly toUserId?: string | undefined;
}

/** What was ordered is done, or lapses with a mail: it never ends in silence. */
const handOverJob = defineJob<Order>("hand-over-estimations", { maxRuns: ENDLESS_RUNS });
const eraseJob = defineJob<Order>("erase-account", { maxRuns: ENDLESS_RUNS });

/** One piece of work at a time is done to an account. */
const keyOf = (userId: string): string => `account ${userId}`;

/** How long to wait before looking again whether the mails about an order have been sent, in milliseconds. */
const MAIL_MS = 5_000;

const addOrder = (tx: Queryable, work: AccountWork, order: Order, delayMs = 0): Promise<void> =>
  addJob(tx, work === "erasing" ? eraseJob : handOverJob, order, { jobKey: keyOf(order.userId), delayMs });

/** Orders work on an account, within the transaction `tx`. Returns the id of the order, which its mails have. */
export async function orderWork(tx: Queryable, work: AccountWork, order: Omit<Order, "id">): Promise<string> {
  const id = randomUUID();
  await addOrder(tx, work, { ...order, id });
  return id;
}

const workOf = (name: string | undefined): AccountWork | null =>
  name === undefined ? null : name === eraseJob.name ? "erasing" : "handing_over";

/** Returns what is being done to an account; null: nothing. */
export async function findWork(db: Queryable, userId: string): Promise<AccountWork | null> {
  return workOf(await findJob(db, keyOf(userId)));
}

/** Returns the work in which one of these accounts gives or receives; null: there is none. */
export async function findWorkWith(db: Queryable, userIds: readonly string[]): Promise<AccountWork | null> {
  const names = [handOverJob.name, eraseJob.name];
  return workOf(await findJobAbout(db, { names, fields: ["userId", "toUserId"], values: userIds }));
}

/** What the jobs do, given by the server's root, because it spans all features. */
export interface AccountWorker {
  /**
   * Hands some estimations of `from` over in one transaction, if `isAllowed` of both, which are locked; returns how many, and
   * null if it is not allowed. `actorId`: who ordered it.
   */
  handOverSome(
    order: { readonly from: string; readonly to: string; readonly actorId: string },
    isAllowed: (from: UserRow, to: UserRow) => boolean,
  ): Promise<number | null>;
  /** Erases a person in one transaction, which ends with `whenErased`; returns null if it is not allowed. */
  erase(
    pool: Database,
    person: {
      readonly email: string;
      readonly to: string | undefined;
      readonly actorId: string;
      readonly isAllowed: (user: UserRow, heir: UserRow | undefined) => boolean;
      readonly whenErased: (tx: Queryable) => Promise<void>;
    },
  ): Promise<object | null>;
}

/**
 * The jobs of administrators. Each finds out from the tables what is left: killed in the middle, it goes on where it was.
 * What was allowed when it was ordered is judged again, because either account may have become an administrator's since.
 */
export function adminJobs(services: Services, worker: AccountWorker): JobRow[] {
  const { pool, clock, log, config } = services;
  const isAllowed = (from: UserRow, to: UserRow) =>
    mayTakeAway(from) && mayReceive({ ...to, isVerified: countsAsVerified(to, config) }, from);
  const record = (
    tx: Queryable,
    { actorId }: Order,
    what: { readonly userId: string; readonly event: IdentityEvent; readonly otherUserId: string | null },
  ) => recordIdentityEvent(tx, services, { ...what, actorId, ip: null, userAgent: null, now: clock.now() });

  /**
   * Returns whether work has to wait, because a mail about it is still to be sent: people are told before their content
   * changes hands. The job then runs again.
   */
  async function waitsForMail(work: AccountWork, order: Order): Promise<boolean> {
    const { id, userId, toUserId } = order;
    const told = toUserId === undefined ? [userId] : [userId, toUserId];
    if (!(await isActMailPending(pool, id, told))) return false;
    await addOrder(pool, work, order, MAIL_MS);
    return true;
  }

  /** Ends an order that is not allowed any more, and tells whoever gave it. */
  async function lapse(order: Order, event: IdentityEvent): Promise<void> {
    const { userId, toUserId = null, actorId } = order;
    log.warn({ userId, toUserId, event }, "an order lapsed: it is not allowed any more");
    await pool.transaction(async (tx) => {
      await record(tx, order, { userId, event, otherUserId: toUserId });
      await requestActMail(tx, "order-lapsed", { userId: actorId, otherUserId: userId }, clock.now());
    });
  }

  /** Hands everything over, and records it for both. Returns false if it is not allowed any more. */
  async function handOver(order: Order, toUserId: string, signal: AbortSignal): Promise<boolean> {
    const { userId, actorId } = order;
    for (;;) {
      if (signal.aborted) throw new Interrupted();
      const moved = await worker.handOverSome({ from: userId, to: toUserId, actorId }, isAllowed);
      if (moved === null) return false;
      if (moved === 0) break;
    }
    await pool.transaction(async (tx) => {
      await record(tx, order, { userId, event: "estimations.handed_over", otherUserId: toUserId });
      await record(tx, order, { userId: toUserId, event: "estimations.received", otherUserId: userId });
    });
    return true;
  }

  return [
    runJob(handOverJob, async (order, { signal }) => {
      const { toUserId = "" } = order;
      if (await waitsForMail("handing_over", order)) return;
      if (!(await handOver(order, toUserId, signal))) await lapse(order, "estimations.hand_over_lapsed");
    }),
    runJob(eraseJob, async (order, { signal }) => {
      const { userId, toUserId } = order;
      const user = await findUser(pool, userId);
      if (!user || user.standsFor !== null) return;
      // A mail is written when it is sent: afterwards nobody knows the address.
      if (await waitsForMail("erasing", order)) return;
      const heir = toUserId === undefined ? undefined : await findUser(pool, toUserId);
      const isLapsed = !mayTakeAway(user) || (toUserId !== undefined && !(await handOver(order, toUserId, signal)));
      if (isLapsed) return lapse(order, "account.erasure_lapsed");
      const erased = await worker.erase(pool, {
        ...{ email: user.email, to: heir?.email, actorId: order.actorId },
        isAllowed: (from, to) => (to === undefined ? mayTakeAway(from) : isAllowed(from, to)),
        whenErased: (tx) => record(tx, order, { userId, event: "account.erased", otherUserId: toUserId ?? null }),
      });
      if (erased === null) await lapse(order, "account.erasure_lapsed");
    }),
  ];
}
