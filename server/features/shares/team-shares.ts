import type { SharePermission } from "../../../contract/values/share-permissions.ts";
import { sharedLevels } from "../../../domain/shares.ts";
import type { Queryable } from "../../db/database.ts";
import type { Services } from "../../services/index.ts";
import { findUser } from "../auth/index.ts";
import { type ShareNew, setTeamLevel } from "../estimations/index.ts";
import { lockMembership } from "../teams/index.ts";
import { insertShare } from "./store.ts";

/** A new share with a team. */
interface TeamShare {
  readonly id: string;
  readonly estimationId: string;
  readonly teamId: string;
  readonly permission: SharePermission;
  readonly sharerId: string;
  readonly now: Date;
}

/** Shares a locked or new estimation with a team that it is not shared with yet. It needs no acceptance. */
export async function insertTeamShare(tx: Queryable, { now, ...share }: TeamShare): Promise<void> {
  await insertShare(tx, { ...share, createdAt: now, sentAt: now, acceptedAt: now });
  await setTeamLevel(tx, { id: share.estimationId }, share.teamId, sharedLevels[share.permission]);
}

/** Shares every new estimation with the default team of its owner, if there is one. */
export const shareWithDefaultTeam =
  ({ ids, quotas }: Pick<Services, "ids" | "quotas">): ShareNew =>
  async (tx, { id: estimationId, ownerId }, now) => {
    const { defaultTeamId: teamId = null, defaultPermission: permission = "view" } =
      (await findUser(tx, ownerId)) ?? {};
    if (teamId === null || (await lockMembership(tx, teamId, ownerId)) === null) return;
    await quotas.reserve(tx, { quota: "sharesPerEstimation", used: () => 1 });
    await insertTeamShare(tx, { id: ids.next("share"), estimationId, teamId, permission, sharerId: ownerId, now });
  };
