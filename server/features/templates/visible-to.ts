import type { Visibility } from "../../../contract/endpoints/templates.ts";
import type { Queryable } from "../../db/database.ts";
import { failWith } from "../../http/failure.ts";
import { findTeamName, lockMembership } from "../teams/index.ts";

/** Refuses (400) a team without the visibility `team`, and that visibility without a team. */
export function demandTeamFor(visibility: Visibility, teamId: string | undefined): void {
  if ((visibility === "team") === (teamId !== undefined)) return;
  const message = "must be given with the visibility `team`, and only then";
  failWith([{ path: "/teamId", in: "body", code: teamId === undefined ? "required" : "not_allowed", message }]);
}

/** Returns the name of the team that is to see a template, null for none. Refuses (400) a team that is none of the owner's. */
export async function teamNameFor(db: Queryable, teamId: string | undefined, ownerId: string): Promise<string | null> {
  if (teamId === undefined) return null;
  if ((await lockMembership(db, teamId, ownerId)) === null)
    failWith([{ path: "/teamId", in: "body", code: "not_allowed", message: "must be the id of a team of yours" }]);
  return findTeamName(db, teamId);
}
