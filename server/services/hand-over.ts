import type { Database, Queryable } from "../db/database.ts";
import { retryConflicts } from "../db/failures.ts";
import type { UserRow } from "../features/auth/index.ts";
import { estimationLookUp, moveUsage, recordActivity, setOwner, setReader } from "../features/estimations/index.ts";
import { endReviewOfOwner } from "../features/reviews/index.ts";
import { takeShareOf } from "../features/shares/index.ts";
import { measureVersions } from "../features/versions/index.ts";
import { lockOwnEstimations, lockPeople } from "./hand-over-store.ts";

/** The operator decides, so the quotas of the new owner refuse nothing; what is over counts, and goes first. */
const noQuotas = { reserve: async () => {} };

/** Estimations of one transaction: few, so that nobody waits long for its locks. */
const AT_ONCE = 10;

/**
 * Makes somebody else the owner of a locked estimation, whether or not they could read it before. Its activity says that the
 * administrator `actorId` did it; without one, the former owner.
 */
export async function handOver(
  tx: Queryable,
  {
    id,
    formerId,
    heirId,
    actorId,
  }: { readonly id: string; readonly formerId: string; readonly heirId: string; readonly actorId: string | null },
  now: Date,
): Promise<void> {
  const estimation = await estimationLookUp.lock(tx, id, formerId, "own");
  if (estimation === null) throw new Error(`the estimation ${id} is gone; run it again`);
  const versionBytes = await measureVersions(tx, id);
  await moveUsage(tx, noQuotas, { id, ownerId: formerId, versionBytes }, heirId);
  await takeShareOf(tx, id, heirId);
  await endReviewOfOwner(tx, id, heirId, now);
  await setReader(tx, { estimationId: id, userId: formerId }, { owns: false });
  await setReader(tx, { estimationId: id, userId: heirId }, { owns: true, shared: null });
  await setOwner(tx, estimation, heirId, now);
  const call = { db: tx, estimation, actor: { userId: actorId ?? formerId }, now };
  await recordActivity(call, "estimation.transferred", { subject: { userId: heirId } });
}

/**
 * Hands a few estimations of a person over, those that are not deleted, in one transaction. Returns how many: none are left
 * at 0. Returns null, and changes nothing, if `isAllowed` of both accounts, which are locked, is false.
 */
export function handOverSome(
  pool: Database,
  {
    from,
    to,
    actorId,
    now,
  }: { readonly from: string; readonly to: string; readonly actorId: string; readonly now: Date },
  isAllowed: (from: UserRow, to: UserRow) => boolean,
): Promise<number | null> {
  return retryConflicts(() =>
    pool.transaction(async (tx) => {
      const people = await lockPeople(tx, [from, to]);
      const [former, heir] = [people.find(({ id }) => id === from), people.find(({ id }) => id === to)];
      if (!former || !heir || !isAllowed(former, heir)) return null;
      const ids = await lockOwnEstimations(tx, from, AT_ONCE);
      for (const id of ids) await handOver(tx, { id, formerId: from, heirId: to, actorId }, now);
      return ids.length;
    }),
  );
}
