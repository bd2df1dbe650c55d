import type { SQL } from "drizzle-orm";
import type { auth } from "../../../contract/endpoints/auth.ts";
import type { Scope } from "../../../contract/scopes.ts";
import { isLocal } from "../../config.ts";
import type { Queryable } from "../../db/database.ts";
import { fail, failWith } from "../../http/failure.ts";
import type { Handlers } from "../../http/handler.ts";
import type { Services } from "../../services/index.ts";
import { requireCaller } from "./caller.ts";
import { presentUser } from "./present.ts";
import { findUsers } from "./search-store.ts";
import { findUser, updateUser } from "./store.ts";
import { countsAsVerified } from "./verified.ts";

type Routes = Pick<Handlers<typeof auth>, "getCurrentUser" | "updateCurrentUser" | "searchUsers">;

/** Returns a query of the ids of all users who have something in common with `userId`. */
export type AcquaintancesOf = (userId: string) => SQL;

/** What accounts need of the features above them. */
export interface UserHooks {
  readonly acquaintancesOf: AcquaintancesOf;
  /** Returns whether a user belongs to a team, and keeps it so until the transaction ends. */
  readonly isMember: (tx: Queryable, teamId: string, userId: string) => Promise<boolean>;
}

/** Routes about users, for themselves and for each other. */
export const userRoutes = ({ config }: Services, { acquaintancesOf, isMember }: UserHooks): Routes => ({
  async getCurrentUser({ actor, db }) {
    const user = presentUser(requireCaller(await findUser(db, actor.userId)));
    if (actor.apiKeyId === null) return { data: { user } };
    return { data: { user, apiKey: { id: actor.apiKeyId, scopes: [...actor.scopes] as Scope[] } } };
  },

  async updateCurrentUser({ actor, body, db }) {
    if (body.avatarUrl && !isPicture(body.avatarUrl)) {
      const message = "must be an https address without credentials";
      failWith([{ path: "/avatarUrl", in: "body", code: "wrong_format", message }]);
    }
    const { defaultTeamId: teamId } = body;
    if (teamId && !(await isMember(db, teamId, actor.userId))) {
      const message = "must be the id of a team of yours";
      failWith([{ path: "/defaultTeamId", in: "body", code: "not_allowed", message }]);
    }
    return { data: { user: presentUser(requireCaller(await updateUser(db, actor.userId, body))) } };
  },

  async searchUsers({ actor, db, query }) {
    const caller = requireCaller(await findUser(db, actor.userId));
    if (!countsAsVerified(caller, config)) fail("forbidden", { details: { reason: "email_not_verified" } });
    const isOpen = config.userDirectory === "open" && query.shared !== true;
    const among = isOpen ? null : acquaintancesOf(actor.userId);
    return { data: { users: await findUsers(db, query.q, { onlyVerified: !isLocal(config), among }) } };
  },
});

function isPicture(address: string): boolean {
  const url = URL.parse(address);
  return url !== null && url.protocol === "https:" && url.username === "" && url.password === "";
}
