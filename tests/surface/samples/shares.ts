import type { shares } from "../../../contract/endpoints/shares.ts";
import type { EstimationRecords } from "./estimations.ts";
import type { Making, Samples } from "./noun.ts";

export interface ShareRecords {
  /** A pending share of the estimation. */
  readonly share: string;
  /** Its address, which no account has. */
  readonly invitedEmail: string;
  /** An editor of the estimation, by an accepted share. */
  readonly editor: string;
  /** A pending share of another user's estimation, addressed to the user, who has accepted another one. */
  readonly invitation: string;
}

/** Shares the estimation with two addresses, and has the user invited, unless there is an invitation already. */
export async function makeShares(
  { app, user, call }: Making,
  { estimation }: EstimationRecords,
): Promise<ShareRecords> {
  const path = `/api/estimations/${estimation}/shares`;
  const colleague = await app.signUp();
  const accepted = await call("POST", path, { email: colleague.email, permission: "edit" });
  await app.request("POST", `/api/shares/${accepted.share?.id}/accept`, { token: colleague.token });
  const invitedEmail = `${crypto.randomUUID()}@example.com`;
  const { share } = await call("POST", path, { email: invitedEmail, permission: "view" });
  const { shares } = await call("GET", "/api/shares/me");
  const invitation = shares?.[0]?.id ?? (await inviteTwice());
  return { share: String(share?.id), invitedEmail, editor: colleague.userId, invitation: String(invitation) };

  async function inviteTwice() {
    await call("POST", `/api/shares/${await invite()}/accept`);
    return invite();
  }

  async function invite() {
    const { token } = colleague;
    const made = await app.request("POST", "/api/estimations", { token, body: { title: "Booking of rooms" } });
    const theirs = `/api/estimations/${made.data.estimation?.id}/shares`;
    const { data } = await app.request("POST", theirs, { token, body: { email: user.email, permission: "view" } });
    return data.share?.id;
  }
}

export const shareSamples: Samples<typeof shares> = {
  listShares: ({ estimation }) => ({ params: { id: estimation } }),
  createShare: ({ estimation }) => ({
    params: { id: estimation },
    body: { email: "new-colleague@example.com", permission: "view" },
  }),
  resendShare: ({ estimation, share }) => ({ params: { id: estimation, shareId: share } }),
  deleteShare: ({ share }) => ({ params: { shareId: share } }),
  listMyShares: () => ({}),
  listTeamShares: ({ team }) => ({ params: { teamId: team } }),
  acceptShare: ({ invitation }) => ({ params: { shareId: invitation } }),
  transferEstimation: ({ estimation, editor }) => ({ params: { id: estimation }, body: { userId: editor } }),
};
