import type { Database, Queryable } from "../db/database.ts";
import { retryConflicts } from "../db/failures.ts";
import { findUserByEmail, normalizeEmail, type UserRow } from "../features/auth/index.ts";
import { forgetInvited, removeForGood, setReader } from "../features/estimations/index.ts";
import { withdraw } from "../features/reviews/index.ts";
import { leaveAllTeams } from "../features/teams/index.ts";
import { deleteWebhooksBefore, forgetFormerSecrets } from "../features/webhooks/index.ts";
import { handOver } from "./hand-over.ts";
import { lockPeople } from "./hand-over-store.ts";
import type { Services } from "./index.ts";
import {
  clearAuditLog,
  clearClientAnswers,
  clearEvents,
  handOverTemplates,
  leaveEmptyAccount,
  listPendingReviews,
  lockEstimationsOf,
  removeFromRounds,
  removeRowsOf,
  removeSharesOf,
  removeTeamInvitationsOf,
} from "./person-erasure-store.ts";
import { purgeEstimations } from "./purge-estimations.ts";
import { whenTeamEnds } from "./when-team-ends.ts";

/** What is asked for: the address of the person, and of who gets what they own. */
export interface Erasing {
  readonly email: string;
  readonly to: string | undefined;
  /** Whether it is only tried: then nothing is changed. */
  readonly isTrial: boolean;
  /** The administrator who ordered it; null: the operator does it. */
  readonly actorId: string | null;
  /** Whether the person and the receiver, both locked, may still be treated so. */
  readonly isAllowed: (user: UserRow, heir: UserRow | undefined) => boolean;
  /** Further work in the transaction. */
  readonly whenErased?: (tx: Queryable, userId: string) => Promise<void>;
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

/**
 * Erases a person in one transaction: what they own goes, or belongs to somebody else afterwards; so does what gives access.
 * What others need stays, under an account without name and address. Returns null, and changes nothing, if it is not allowed.
 * @throws Error with the line that says what is wrong with an address.
 */
export async function erasePerson(
  pool: Database,
  { ids, clock }: Pick<Services, "ids" | "clock">,
  { email, to, isTrial, actorId, isAllowed, whenErased }: Erasing,
): Promise<Erased | null> {
  const now = clock.now();
  const [user, heir] = [await demandUser(pool, email), to === undefined ? undefined : await demandUser(pool, to)];
  if (user.id === heir?.id) throw new Error("the address after --to is the same");
  try {
    return await retryConflicts(() =>
      pool.transaction(async (tx) => {
        const people = await lockPeople(tx, heir ? [user.id, heir.id] : [user.id], "no key update");
        const locked = (id: string | undefined) => people.find((row) => row.id === id && row.standsFor === null);
        const [person, receiver] = [locked(user.id), locked(heir?.id)];
        if (!person || (heir && !receiver) || !isAllowed(person, receiver)) return null;
        const erased = await eraseIn(tx, { ids }, { user: person, heirId: receiver?.id, actorId, now });
        await whenErased?.(tx, user.id);
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

interface Order {
  readonly user: UserRow;
  readonly heirId: string | undefined;
  readonly actorId: string | null;
  readonly now: Date;
}

async function eraseIn(
  tx: Queryable,
  services: Pick<Services, "ids">,
  { user, heirId, actorId, now }: Order,
): Promise<Erased> {
  const { id: userId } = user;
  const all = await lockEstimationsOf(tx, userId);
  const own = all.filter(({ owns }) => owns);
  const standing = own.filter(({ isDeleted }) => !isDeleted).map(({ id }) => id);
  const deleted = own.filter(({ isDeleted }) => isDeleted).map(({ id }) => id);
  if (heirId !== undefined)
    for (const id of standing) await handOver(tx, { id, formerId: userId, heirId, actorId }, now);
  const removed = heirId === undefined ? [...standing, ...deleted] : deleted;
  if (removed.length > 0) await removeForGood(tx, removed, purgeEstimations);

  await removeFromRounds(tx, user);
  const { accepted, invitations } = await removeSharesOf(tx, user);
  for (const estimationId of accepted) await setReader(tx, { estimationId, userId }, { shared: null });
  const pending = await listPendingReviews(tx, userId);
  for (const review of pending) await withdraw(tx, review, now);
  const webhooks = await deleteWebhooksBefore(tx, userId, { before: now, now });
  for (const { id } of webhooks) await forgetFormerSecrets(tx, id);
  await removeTeamInvitationsOf(tx, user);
  await leaveAllTeams(tx, services, { userId, actorId, now }, { whenEnded: whenTeamEnds });
  const templates = await handOverTemplates(tx, userId, heirId);
  const counts = await removeRowsOf(tx, user);
  await clearClientAnswers(tx, user);
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
