import type { Database, Queryable } from "../db/database.ts";
import { retryConflicts } from "../db/failures.ts";
import { findUserByEmail, normalizeEmail, type UserRow } from "../features/auth/index.ts";
import {
  estimationLookUp,
  forgetInvited,
  moveUsage,
  removeForGood,
  setOwner,
  setReader,
} from "../features/estimations/index.ts";
import { endReviewOfOwner, withdraw } from "../features/reviews/index.ts";
import { takeShareOf } from "../features/shares/index.ts";
import { measureVersions } from "../features/versions/index.ts";
import { deleteWebhooksBefore, forgetFormerSecrets } from "../features/webhooks/index.ts";
import { purgeEstimations } from "../worker.ts";
import {
  clearAuditLog,
  clearEvents,
  handOverTemplates,
  leaveEmptyAccount,
  listPendingReviews,
  lockEstimationsOf,
  removeRowsOf,
  removeSharesOf,
} from "./person-erasure-store.ts";

/** What is asked for: the address of the person, and of who gets what they own. */
export interface Erasing {
  readonly email: string;
  readonly to: string | undefined;
  /** Whether it is only tried: then nothing is changed. */
  readonly isTrial: boolean;
}

/** What was done. */
export interface Erased {
  readonly userId: string;
  readonly estimations: number;
  /** Deleted estimations that could still be restored; they are never handed over. */
  readonly deletedEstimations: number;
  readonly templates: number;
  readonly shares: number;
  readonly invitations: number;
  readonly reviews: number;
  readonly webhooks: number;
  readonly apiKeys: number;
  readonly connections: number;
}

/** Thrown inside of the transaction, so that a trial changes nothing. */
class Trial extends Error {
  readonly erased: Erased;
  constructor(erased: Erased) {
    super("only tried");
    this.erased = erased;
  }
}

/** The operator decides, so the quotas of the new owner refuse nothing; what is over counts, and goes first. */
const noQuotas = { reserve: async () => {} };

/**
 * Erases a person in one transaction: what they own goes, or belongs to somebody else afterwards; so does what gives access.
 * What others need stays, under an account without name and address.
 * @throws Error with the line that says what is wrong with an address.
 */
export async function erasePerson(pool: Database, { email, to, isTrial }: Erasing, now: Date): Promise<Erased> {
  const [user, heir] = [await demandUser(pool, email), to === undefined ? undefined : await demandUser(pool, to)];
  if (user.id === heir?.id) throw new Error("the address after --to is the same");
  try {
    return await retryConflicts(() =>
      pool.transaction(async (tx) => {
        const erased = await eraseIn(tx, user, heir?.id, now);
        if (isTrial) throw new Trial(erased);
        return erased;
      }),
    );
  } catch (error) {
    if (error instanceof Trial) return error.erased;
    throw error;
  }
}

async function demandUser(db: Queryable, typed: string): Promise<UserRow> {
  const email = normalizeEmail(typed);
  const user = email === null ? undefined : await findUserByEmail(db, email);
  if (user === undefined || user.standsFor !== null) throw new Error(`there is no account of ${typed}`);
  return user;
}

async function eraseIn(tx: Queryable, user: UserRow, heirId: string | undefined, now: Date): Promise<Erased> {
  const { id: userId } = user;
  const all = await lockEstimationsOf(tx, userId);
  const own = all.filter(({ owns }) => owns);
  const standing = own.filter(({ isDeleted }) => !isDeleted).map(({ id }) => id);
  const deleted = own.filter(({ isDeleted }) => isDeleted).map(({ id }) => id);
  if (heirId !== undefined) for (const id of standing) await handOver(tx, { id, formerId: userId, heirId }, now);
  const removed = heirId === undefined ? [...standing, ...deleted] : deleted;
  if (removed.length > 0) await removeForGood(tx, removed, purgeEstimations);

  const { accepted, invitations } = await removeSharesOf(tx, user);
  for (const estimationId of accepted) await setReader(tx, { estimationId, userId }, { shared: null });
  const pending = await listPendingReviews(tx, userId);
  for (const review of pending) await withdraw(tx, review, now);
  const webhooks = await deleteWebhooksBefore(tx, userId, { before: now, now });
  for (const { id } of webhooks) await forgetFormerSecrets(tx, id);
  const templates = await handOverTemplates(tx, userId, heirId);
  const counts = await removeRowsOf(tx, user);
  await clearAuditLog(tx, userId);
  await forgetInvited(tx, user.email);
  await clearEvents(tx, user);
  await leaveEmptyAccount(tx, userId);
  return {
    userId,
    estimations: standing.length,
    deletedEstimations: deleted.length,
    templates,
    shares: accepted.length,
    invitations,
    reviews: pending.length,
    webhooks: webhooks.length,
    apiKeys: counts.api_keys ?? 0,
    connections: counts.connections ?? 0,
  };
}

/** Makes somebody else the owner of a locked estimation, whether or not they could read it before. */
async function handOver(
  tx: Queryable,
  { id, formerId, heirId }: { readonly id: string; readonly formerId: string; readonly heirId: string },
  now: Date,
): Promise<void> {
  const estimation = await estimationLookUp.lock(tx, id, formerId, "own");
  if (estimation === null) throw new Error(`the estimation ${id} is gone; run the command again`);
  const versionBytes = await measureVersions(tx, id);
  await moveUsage(tx, noQuotas, { id, ownerId: formerId, versionBytes }, heirId);
  await takeShareOf(tx, id, heirId);
  await endReviewOfOwner(tx, id, heirId, now);
  await setReader(tx, { estimationId: id, userId: formerId }, { owns: false });
  await setReader(tx, { estimationId: id, userId: heirId }, { owns: true, shared: null });
  await setOwner(tx, estimation, heirId, now);
}
