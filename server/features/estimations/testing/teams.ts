import type { TestApp, TestUser } from "../../../../tests/harness.ts";

type Pool = Pick<TestApp, "pool">;

/** Makes a team with members, the first of them its admin; returns its id. */
export async function makeTeam(
  { pool, services }: Pool & Pick<TestApp, "services">,
  ...members: readonly TestUser[]
): Promise<string> {
  const id = services.ids.next("team");
  await pool.query("insert into teams (id, name, created_at) values ($1, $2, now())", [id, `Team ${id.slice(-4)}`]);
  for (const [at, member] of members.entries()) await join({ pool }, id, member, at === 0 ? "admin" : "member");
  return id;
}

export async function join({ pool }: Pool, teamId: string, { userId }: TestUser, role = "member"): Promise<void> {
  await pool.query("insert into team_members values ($1, $2, $3, now()) on conflict do nothing", [
    teamId,
    userId,
    role,
  ]);
}

export async function leave({ pool }: Pool, teamId: string, { userId }: TestUser): Promise<void> {
  await pool.query("delete from team_members where team_id = $1 and user_id = $2", [teamId, userId]);
}

/** Removes a team with its members; what it was given stays until a job has removed it. */
export async function removeTeam({ pool }: Pool, teamId: string): Promise<void> {
  await pool.query("delete from teams where id = $1", [teamId]);
}
