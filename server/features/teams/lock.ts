import type { TeamRole } from "../../../contract/values/team-roles.ts";
import type { Queryable } from "../../db/database.ts";
import { fail } from "../../http/failure.ts";
import { lockTeam, roleIn } from "./store.ts";

/** Returns the caller's role in a locked team. Refuses (404) whoever is not a member of it. */
export async function lockAsMember(tx: Queryable, teamId: string, userId: string): Promise<TeamRole> {
  if (!(await lockTeam(tx, teamId))) fail("not_found");
  return (await roleIn(tx, teamId, userId)) ?? fail("not_found");
}

/** Locks a team for one of its admins. Refuses (404) whoever is not a member, and (403) other members. */
export async function lockAsAdmin(tx: Queryable, teamId: string, userId: string): Promise<void> {
  if ((await lockAsMember(tx, teamId, userId)) !== "admin") fail("forbidden");
}
