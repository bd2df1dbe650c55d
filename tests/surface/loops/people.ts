import { scopesOf } from "../../../contract/endpoint.ts";
import { endpointEntries } from "../../../contract/index.ts";
import type { AccessLevel } from "../../../contract/rights.ts";
import { type Scope, scopeNames } from "../../../contract/scopes.ts";
import type { SharePermission } from "../../../contract/values/share-permissions.ts";
import type { TeamRole } from "../../../contract/values/team-roles.ts";
import { makePlaintext, traceOf } from "../../../server/features/api-keys/plaintext.ts";
import { apiKeys } from "../../../server/features/api-keys/tables.ts";
import type { TestApp, TestUser } from "../../harness.ts";
import { join } from "../samples/teams.ts";

/** A user with a key for every set of scopes that the matrix uses. */
export interface Person {
  readonly name: string;
  /** The access to the world's estimation; null: none. */
  readonly level: AccessLevel | null;
  /** The role in the world's team; null: not a member. */
  readonly role: TeamRole | null;
  readonly userId: string;
  readonly session: string;
  /** A key that holds exactly `scopes`. */
  keyWith(scopes: readonly Scope[]): string;
}

/** Every scope but `scopes`, and not `admin`, which stands for all. */
export const allBut = (scopes: readonly Scope[]): Scope[] =>
  scopeNames.filter((scope) => scope !== "admin" && !scopes.includes(scope));

/**
 * Gives the estimations a reader of each level below the owner's, a user who is invited and has not accepted, an editor and a
 * viewer whose access was taken away, and the members of two teams, one of which is the owner's `team` and may view, and a
 * former member. Makes the keys of all of them, and of the stranger.
 */
export async function makePeople(
  app: TestApp,
  estimations: readonly string[],
  { owner, team, stranger }: { readonly owner: TestUser; readonly team: string; readonly stranger: TestUser },
): Promise<readonly Person[]> {
  const [editor, viewer, reviewer] = [await app.signUp(), await app.signUp(), await app.signUp()];
  const [invited, formerEditor, formerViewer] = [await app.signUp(), await app.signUp(), await app.signUp()];
  const [teamAdmin, teamViewer, teamEditor] = [await app.signUp(), await app.signUp(), await app.signUp()];
  const formerMember = await app.signUp();
  const editing = await makeTeam(app, owner);
  await join(app, owner, team, teamAdmin, "admin");
  await join(app, owner, team, teamViewer);
  await join(app, owner, editing, teamEditor);
  await join(app, owner, team, formerMember);
  await app.request("DELETE", `/api/teams/${team}/members/${formerMember.userId}`, { token: owner.token });
  for (const estimation of estimations) {
    await shareWithTeam(app, estimation, owner, team, "view");
    await shareWithTeam(app, estimation, owner, editing, "edit");
    await share(app, estimation, owner, editor, "edit");
    await share(app, estimation, owner, viewer, "view");
    await invite(app, estimation, owner, invited, "edit");
    for (const taken of [
      await share(app, estimation, owner, formerEditor, "edit"),
      await share(app, estimation, owner, formerViewer, "view"),
    ])
      await app.request("DELETE", `/api/shares/${taken}`, { token: owner.token });
    await askForReview(app, estimation, owner, reviewer);
  }
  return [
    await makePerson(app, "owner", "owner", owner, "admin"),
    await makePerson(app, "stranger", null, stranger),
    await makePerson(app, "editor", "editor", editor),
    await makePerson(app, "viewer", "viewer", viewer),
    await makePerson(app, "reviewer", "reviewer", reviewer),
    await makePerson(app, "invited who has not accepted", null, invited),
    await makePerson(app, "former editor", null, formerEditor),
    await makePerson(app, "former viewer", null, formerViewer),
    await makePerson(app, "admin of the team", "viewer", teamAdmin, "admin"),
    await makePerson(app, "member of a team with view", "viewer", teamViewer, "member"),
    await makePerson(app, "member of a team with edit", "editor", teamEditor),
    await makePerson(app, "former member", null, formerMember),
  ];
}

/** Shares an estimation with a user, and returns the id of the share. */
async function invite(app: TestApp, estimation: string, owner: TestUser, user: TestUser, permission: SharePermission) {
  const body = { email: user.email, permission };
  const { data } = await app.request("POST", `/api/estimations/${estimation}/shares`, { token: owner.token, body });
  return String(data.share?.id);
}

async function makeTeam(app: TestApp, { token }: TestUser): Promise<string> {
  const { data } = await app.request("POST", "/api/teams", { token, body: { name: "Editors" } });
  return String(data.team?.id);
}

async function shareWithTeam(
  app: TestApp,
  estimation: string,
  { token }: TestUser,
  teamId: string,
  permission: SharePermission,
) {
  const body = { teamId, permission };
  const { status } = await app.request("POST", `/api/estimations/${estimation}/shares`, { token, body });
  if (status !== 201) throw new Error(`sharing with a team returned ${status}`);
}

/** The same, and the user accepts. */
async function share(...given: Parameters<typeof invite>): Promise<string> {
  const [app, , , user] = given;
  const shareId = await invite(...given);
  const { status } = await app.request("POST", `/api/shares/${shareId}/accept`, { token: user.token });
  if (status !== 200) throw new Error(`accepting a share returned ${status}`);
  return shareId;
}

async function askForReview(app: TestApp, estimation: string, owner: TestUser, { userId }: TestUser) {
  const path = `/api/estimations/${estimation}/reviews`;
  const { status } = await app.request("POST", path, { token: owner.token, body: { reviewerId: userId } });
  if (status !== 201) throw new Error(`asking for a review returned ${status}`);
}

/** Makes the keys in the database: through the API it would take as long as everything else that a stage needs. */
async function makePerson(
  { services: { pool, ids, clock } }: TestApp,
  name: string,
  level: AccessLevel | null,
  { userId, token }: TestUser,
  role: TeamRole | null = null,
): Promise<Person> {
  const sets = endpointEntries.flatMap(([, { access }]) => [
    scopesOf(access),
    allBut(scopesOf(access)),
    ["admin"] as const,
  ]);
  const keys = new Map(
    [...sets, []].map((scopes) => [scopes.join(), { scopes: [...scopes], plaintext: makePlaintext() }]),
  );
  await pool.insert(apiKeys).values(
    [...keys.values()].map(({ scopes, plaintext }) => {
      const id = ids.next("apiKey");
      return { id, userId, name: "test", scopes, ...traceOf(plaintext), createdAt: clock.now() };
    }),
  );
  return {
    name,
    level,
    role,
    userId,
    session: token,
    keyWith(scopes) {
      const key = keys.get(scopes.join());
      if (key === undefined) throw new Error(`there is no key with exactly ${scopes.join()}`);
      return key.plaintext;
    },
  };
}
