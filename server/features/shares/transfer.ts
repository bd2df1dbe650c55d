import type { Queryable } from "../../db/database.ts";
import { failWith } from "../../http/failure.ts";
import type { Services } from "../../services/index.ts";
import { findUser, requireCaller } from "../auth/index.ts";
import { type LockedEstimation, moveUsage, setOwner, setReader } from "../estimations/index.ts";
import { measureVersions } from "../versions/index.ts";
import { findEditor, insertShare, removeShare } from "./store.ts";

/** What a transfer needs of a call by the owner. */
interface TransferCall {
  readonly estimation: LockedEstimation;
  readonly body: { readonly userId: string };
  readonly db: Queryable;
  readonly now: Date;
}

/** Further work, or a refusal, when a user becomes the owner of a locked estimation. */
export type WhenOwned = (tx: Queryable, estimationId: string, ownerId: string, now: Date) => Promise<void>;

/**
 * Gives an estimation to an editor who has accepted a share. That share goes; the former owner becomes an editor by a
 * share of the same kind. Returns the estimation as the former owner sees it. Refuses (400) anybody else, and (409) a
 * new owner whose quotas are used up.
 */
export async function transfer(
  { quotas, ids }: Services,
  { estimation, body, db, now }: TransferCall,
  whenOwned: readonly WhenOwned[],
): Promise<LockedEstimation> {
  const { id: estimationId, ownerId: formerId } = estimation;
  const editor = await findEditor(db, estimationId, body.userId);
  if (!editor || (await findUser(db, body.userId))?.disabledAt) {
    const message = "must be the id of a user who has accepted a share of this estimation with the permission `edit`";
    failWith([{ path: "/userId", in: "body", code: "not_allowed", message }]);
  }
  const former = requireCaller(await findUser(db, formerId));
  const versionBytes = await measureVersions(db, estimationId);
  await moveUsage(db, quotas, { ...estimation, versionBytes }, body.userId);
  await removeShare(db, estimationId, editor.id);
  await insertShare(db, {
    id: ids.next("share"),
    estimationId,
    email: former.email,
    permission: "edit",
    sharerId: body.userId,
    userId: formerId,
    createdAt: now,
    sentAt: now,
    acceptedAt: now,
  });
  await setReader(db, { estimationId, userId: formerId }, { owns: false, shared: "editor", hasChanged: true });
  await setReader(db, { estimationId, userId: body.userId }, { owns: true, shared: null });
  for (const act of whenOwned) await act(db, estimationId, body.userId, now);
  const updated = await setOwner(db, estimation, body.userId, now);
  return { ...updated, access: "editor", viaTeam: null };
}
