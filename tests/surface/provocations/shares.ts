import { limits } from "../../../contract/limits.ts";
import type { Provocation, Provoking, Refusal } from "./provoking.ts";

export const shareErrors = ({ app, path, asOwner, mailing }: Provoking) => {
  /** A user with an invitation to the estimation. */
  async function invite(permission = "view") {
    const user = await app.signUp();
    const { data } = await asOwner("POST", `${path}/shares`, { body: { email: user.email, permission } });
    return { ...user, share: String(data.share?.id) };
  }

  /** The response to an invited user with an unverified address, at a path or below the invitation. */
  async function unverified(method: string, at: string): Promise<Refusal> {
    const instance = await mailing();
    const [sharer, user] = [await instance.signUp(), await instance.signUp()];
    await instance.pool.query("update users set email_verified_at = now() where id = $1", [sharer.userId]);
    const { token } = sharer;
    const { data } = await instance.request("POST", "/api/estimations", { token, body: { title: "x" } });
    const body = { email: user.email, permission: "view" };
    const made = await instance.request("POST", `/api/estimations/${data.estimation?.id}/shares`, { token, body });
    const url = at.startsWith("/") ? at : `/api/shares/${made.data.share?.id}/${at}`;
    return instance.request(method, url, { token: user.token });
  }

  const invitationAccepted = async () => {
    const { token, share } = await invite();
    await app.request("POST", `/api/shares/${share}/accept`, { token });
    return asOwner("POST", `${path}/shares/${share}/resend`);
  };

  const invitationExpired = async () => {
    const { token, share } = await invite();
    await app.pool.query("update shares set sent_at = sent_at - interval '31 days' where id = $1", [share]);
    return app.request("POST", `/api/shares/${share}/accept`, { token });
  };

  return {
    invitation_accepted: invitationAccepted,
    invitation_expired: invitationExpired,
    "createShare limit_reached": async () => {
      const other = await app.signUp();
      const { data } = await app.request("POST", "/api/estimations", { token: other.token, body: { title: "x" } });
      await app.pool.query(
        `insert into shares (id, estimation_id, email, permission, sharer_id, created_at, sent_at)
       select 'shr_' || left(md5($1 || n), 26), $1, n || '@example.org', 'view', $2, now(), now() from generate_series(1, $3::int) n`,
        [data.estimation?.id, other.userId, limits.sharesPerEstimation],
      );
      const body = { email: "one-more@example.org", permission: "view" };
      return app.request("POST", `/api/estimations/${data.estimation?.id}/shares`, { token: other.token, body });
    },
    "resendShare invitation_accepted": invitationAccepted,
    "listMyShares forbidden": () => unverified("GET", "/api/shares/me"),
    "deleteShare forbidden": async () => {
      const [reader, other] = [await invite(), await invite()];
      await app.request("POST", `/api/shares/${reader.share}/accept`, { token: reader.token });
      return app.request("DELETE", `/api/shares/${other.share}`, { token: reader.token });
    },
    "acceptShare forbidden": () => unverified("POST", "accept"),
    "acceptShare invitation_expired": invitationExpired,
    "transferEstimation limit_reached": async () => {
      const { token, share, userId } = await invite("edit");
      await app.request("POST", `/api/shares/${share}/accept`, { token });
      await app.pool.query("insert into estimation_usage (owner_id, estimations, tree_steps) values ($1, $2, 0)", [
        userId,
        app.services.config.quotas.estimations,
      ]);
      return asOwner("POST", `${path}/transfer`, { body: { userId } });
    },
  } satisfies Record<string, Provocation>;
};
