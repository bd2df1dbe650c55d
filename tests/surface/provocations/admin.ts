import type { TestApp } from "../../harness.ts";
import { makeAdministrator } from "../samples/admin.ts";
import type { Provocation, Provoking } from "./provoking.ts";

export const adminErrors = ({ app }: Provoking) => {
  const asAdministrator = async (path: string, body?: object, on: TestApp = app) => {
    const { token } = await makeAdministrator({ app: on });
    return on.request("POST", `/api/admin/users/${path}`, { token, ...(body && { body }) });
  };
  const recentSignInRequired = async () => {
    const { token, userId } = await makeAdministrator({ app });
    const past = "update sessions set signed_in_at = signed_in_at - interval '901 seconds' where user_id = $1";
    await app.pool.query(past, [userId]);
    return app.request("GET", "/api/admin/status", { token });
  };
  const forbiddenTo = (path: string) => async () => {
    const { userId, email } = await makeAdministrator({ app });
    return asAdministrator(`${userId}/${path}`, path === "erase" ? { email } : undefined);
  };
  const handOverForbidden = async () => {
    const [{ userId }, { userId: toUserId }] = [await makeAdministrator({ app }), await app.signUp()];
    return asAdministrator(`${userId}/hand-over`, { toUserId });
  };
  /** The worker does not run here, so the work is not done. */
  const underWay = (path: string) => async () => {
    const { userId, email } = await app.signUp();
    await asAdministrator(`${userId}/erase`, { email });
    const { userId: toUserId } = await app.signUp();
    const body = { "hand-over": { toUserId }, erase: { email } }[path];
    return asAdministrator(`${userId}/${path}`, body);
  };
  return {
    recent_sign_in_required: recentSignInRequired,
    account_work_under_way: underWay("enable"),
    "disableAccount forbidden": forbiddenTo("disable"),
    "eraseAccount forbidden": forbiddenTo("erase"),
    "handOverEstimations forbidden": handOverForbidden,
    "enableAccount account_work_under_way": underWay("enable"),
    "handOverEstimations account_work_under_way": underWay("hand-over"),
    "eraseAccount account_work_under_way": underWay("erase"),
  } satisfies Record<string, Provocation>;
};
