import { limits } from "../../../contract/limits.ts";
import type { Provocation, Provoking } from "./provoking.ts";
import { userWithTexts } from "./users.ts";

export const reviewErrors = ({ app, owner, path, asOwner }: Provoking) => {
  /** A user who is asked for a review and has a share too, the path of the review and that of a comment of the owner. */
  async function asked() {
    const { userId, email, token } = await app.signUp();
    const { data } = await asOwner("POST", `${path}/reviews`, { body: { reviewerId: userId } });
    const shared = await asOwner("POST", `${path}/shares`, { body: { email, permission: "view" } });
    await app.request("POST", `/api/shares/${shared.data.share?.id}/accept`, { token });
    const review = `${path}/reviews/${data.review?.id}`;
    const { data: said } = await asOwner("POST", `${review}/comments`, { body: { body: "!" } });
    return {
      token,
      userId,
      reviewId: String(data.review?.id),
      review,
      comment: `${review}/comments/${said.comment?.id}`,
    };
  }

  /** Sends a verdict on another version than the one that the review is about. */
  async function decideAnother(verdict: string) {
    const { token, review } = await asked();
    return app.request("POST", `${review}/${verdict}`, { token, body: { versionId: `ver_${"0".repeat(26)}` } });
  }

  async function afterWithdrawal<R>(work: (of: Awaited<ReturnType<typeof asked>>) => Promise<R>): Promise<R> {
    const of = await asked();
    await asOwner("POST", `${of.review}/withdraw`);
    return work(of);
  }

  /** Gives a review as many comments as it may have, by owner and reviewer in turn. */
  async function fullOfComments() {
    const of = await asked();
    await app.pool.query(
      `insert into review_comments (id, review_id, author_id, body, created_at)
     select 'cmt_' || left(md5($1 || n), 26), $1, case n % 2 when 0 then $2 else $4 end, 'x', now()
     from generate_series(2, $3::int) n`,
      [of.reviewId, owner.userId, limits.commentsPerReview, of.userId],
    );
    return of;
  }

  /** An estimation with as many reviews as it may have. */
  async function fullOfReviews(): Promise<string> {
    const { data } = await asOwner("POST", "/api/estimations", { body: { title: "x" } });
    const below = `/api/estimations/${data.estimation?.id}`;
    await asOwner("POST", `${below}/reviews`, { body: { reviewerId: (await app.signUp()).userId } });
    await app.pool.query(
      `insert into reviews select (jsonb_populate_record(r, jsonb_build_object('id', 'rev_' || left(md5($1 || n), 26), 'status', 'withdrawn'))).*
     from reviews r, generate_series(2, $2::int) n where r.estimation_id = $1`,
      [data.estimation?.id, limits.reviewsPerEstimation],
    );
    return below;
  }

  const reviewerIsOwner = () => asOwner("POST", `${path}/reviews`, { body: { reviewerEmail: owner.email } });

  /** Asks a user who has declined a review of the same owner. */
  async function reviewerDeclined() {
    const { token, userId, review } = await asked();
    await app.request("POST", `${review}/decline`, { token });
    return asOwner("POST", `${path}/reviews`, { body: { reviewerId: userId } });
  }

  const reviewMoved = () => decideAnother("approve");

  const reviewWithdrawn = () =>
    afterWithdrawal(({ review }) => asOwner("POST", `${review}/comments`, { body: { body: "?" } }));

  return {
    reviewer_is_owner: reviewerIsOwner,
    reviewer_declined: reviewerDeclined,
    review_moved: reviewMoved,
    review_withdrawn: reviewWithdrawn,
    "requestReview reviewer_is_owner": reviewerIsOwner,
    "requestReview reviewer_declined": reviewerDeclined,
    "requestReview limit_reached": async () =>
      asOwner("POST", `${await fullOfReviews()}/reviews`, { body: { reviewerId: (await app.signUp()).userId } }),
    "approveReview review_moved": reviewMoved,
    "markViewed review_moved": async () => {
      const { token, review } = await asked();
      const body = { optionIds: [`opt_${"0".repeat(26)}`], viewed: true, versionId: `ver_${"0".repeat(26)}` };
      return app.request("PUT", `${review}/viewed`, { token, body });
    },
    "markViewed review_withdrawn": () =>
      afterWithdrawal(({ token, review }) =>
        app.request("PUT", `${review}/viewed`, { token, body: { optionIds: ["opt"], viewed: true } }),
      ),
    "requestChanges review_moved": () => decideAnother("request-changes"),
    "approveReview review_withdrawn": () =>
      afterWithdrawal(({ token, review }) => app.request("POST", `${review}/approve`, { token })),
    "requestChanges review_withdrawn": () =>
      afterWithdrawal(({ token, review }) => app.request("POST", `${review}/request-changes`, { token })),
    "approveReview limit_reached": async () => {
      const { token, review } = await fullOfComments();
      return app.request("POST", `${review}/approve`, { token, body: { comment: "x" } });
    },
    "requestChanges limit_reached": async () => {
      const { token, review } = await fullOfComments();
      return app.request("POST", `${review}/request-changes`, { token, body: { comment: "x" } });
    },
    "createComment review_withdrawn": reviewWithdrawn,
    "createComment limit_reached": async () =>
      asOwner("POST", `${(await fullOfComments()).review}/comments`, { body: { body: "x" } }),
    "updateComment review_withdrawn": () =>
      afterWithdrawal(({ comment }) => asOwner("PATCH", comment, { body: { body: "x" } })),
    "updateComment limit_reached": async () => {
      const { send, comment, useUp } = await userWithTexts(app);
      await useUp();
      return send("PATCH", comment, { body: "longer" });
    },
    "deleteComment review_withdrawn": () => afterWithdrawal(({ comment }) => asOwner("DELETE", comment)),
  } satisfies Record<string, Provocation>;
};
