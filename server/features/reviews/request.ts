import type { reviews } from "../../../contract/endpoints/reviews.ts";
import { asksAnew, baseFor } from "../../../domain/reviews.ts";
import type { Queryable } from "../../db/database.ts";
import { fail, failWith } from "../../http/failure.ts";
import type { Call } from "../../http/handler.ts";
import type { Services } from "../../services/index.ts";
import {
  countsAsVerified,
  demandVerified,
  findUser,
  findUserByEmail,
  readEmail,
  requireCaller,
  type UserRow,
} from "../auth/index.ts";
import {
  accountTexts,
  bytesOfTexts,
  loadTree,
  noteContent,
  type ReadableEstimation,
  setReader,
  tellReaders,
  webPages,
} from "../estimations/index.ts";
import { addNotifications } from "../notifications/index.ts";
import { endEarlierAccess } from "../shares/index.ts";
import { pinVersion } from "../versions/index.ts";
import { declinedUntil } from "./decline-store.ts";
import { followReviews } from "./follow.ts";
import { mailRequested } from "./mails.ts";
import { countReviews, findLatestOf, findReview, findStanding, insertReview, updateReview } from "./store.ts";
import { dropOutdated } from "./viewed.ts";

type RequestCall = Call<typeof reviews.requestReview, ReadableEstimation>;

/** The review that was asked for, and whether it was made now. */
interface Requested {
  readonly id: string;
  readonly isNew: boolean;
  /** It was pending about the same content already. */
  readonly changedNothing: boolean;
}

/**
 * Asks a user for a review of the current content of a locked estimation, which becomes a version, and tells the readers'
 * webhooks. If the user has a review already, it becomes pending and about the current content; if it is both, nothing
 * changes. Refuses (400) the owner, an unknown user and one without a verified address, (403) one who has declined a review of this owner lately, and (409) a
 * note beyond the quota of texts.
 */
export async function requestReview(services: Services, call: RequestCall): Promise<Requested> {
  const { estimation, actor, body, db, now } = call;
  const requester = requireCaller(await findUser(db, actor.userId));
  demandVerified(requester, services);
  const reviewer = await findReviewer(db, services, body);
  if (reviewer.id === estimation.ownerId) fail("reviewer_is_owner");
  const until = await declinedUntil(db, { reviewerId: reviewer.id, ownerId: estimation.ownerId }, now);
  if (until) fail("reviewer_declined", { details: { until: until.toISOString() } });
  const standing = await findStanding(db, estimation.id, reviewer.id);
  if (standing) {
    const { stale } = (await findReview(db, estimation.id, standing.id)) ?? fail("not_found");
    if (!asksAnew({ ...standing, isCurrent: !stale }, body.note))
      return { id: standing.id, isNew: false, changedNothing: true };
  } else {
    const used = async () => 1 + (await countReviews(db, estimation.id));
    await services.quotas.reserve(db, { quota: "reviewsPerEstimation", used });
  }

  const tree = await loadTree(db, estimation.id);
  const { id: versionId } = await pinVersion(services, call, tree, { cause: "review", authorId: requester.id });
  const contentHash = await noteContent(db, estimation, tree);
  const request = { requesterId: requester.id, versionId, contentHash, requestedAt: now } as const;
  const id = standing?.id ?? services.ids.next("review");
  if (standing) {
    const { note = standing.note } = body;
    if (versionId !== standing.versionId) await dropOutdated(db, standing, tree);
    const baseVersionId = baseFor(standing, versionId);
    await updateReview(db, id, { ...request, note, baseVersionId, status: "pending", decidedAt: null });
  } else {
    const whose = { id, estimationId: estimation.id, reviewerId: reviewer.id };
    const former = await findLatestOf(db, estimation.id, reviewer.id);
    const judged = former && {
      judgedVersionId: former.judgedVersionId,
      judgedVerdict: former.judgedVerdict,
      judgedAt: former.judgedAt,
      baseVersionId: baseFor(former, versionId),
    };
    const first = { note: body.note ?? null, status: "pending", createdAt: now } as const;
    await insertReview(db, { ...request, ...whose, ...first, ...judged });
    await endEarlierAccess(db, services, reviewer, { ip: null, userAgent: null, now });
    await setReader(db, { estimationId: estimation.id, userId: reviewer.id }, { reviews: true });
  }
  const { note = standing?.note } = body;
  await accountTexts(db, services.quotas, estimation, bytesOfTexts(note) - bytesOfTexts(standing?.note));
  await followReviews(db, estimation.id);
  await addNotifications(
    db,
    services.ids,
    { kind: "review.requested", actorId: requester.id, estimationId: estimation.id, subject: { reviewId: id }, now },
    [reviewer.id],
  );
  await mailRequested(db, { reviewId: id, readerId: reviewer.id, senderId: requester.id, now });
  await tellReaders(db, services, estimation, {
    event: "estimation.submitted",
    data: {
      estimationId: estimation.id,
      reviewerId: reviewer.id,
      ownerName: requester.name,
      estimationTitle: estimation.title,
      reviewUrl: webPages.review(services.config.webUrl, estimation.id, id),
    },
    senderId: requester.id,
    reviewerId: reviewer.id,
    now,
  });
  return { id, isNew: !standing, changedNothing: false };
}

/** Returns the user to ask. The refusal does not tell whether there is no such user or the address is not verified. */
async function findReviewer(
  db: Queryable,
  { config }: Pick<Services, "config">,
  { reviewerId, reviewerEmail }: RequestCall["body"],
): Promise<UserRow> {
  if (reviewerId !== undefined && reviewerEmail !== undefined) {
    refuse("/reviewerEmail", "not_allowed", "cannot be combined with `reviewerId`: name the reviewer by one of them");
  }
  const found =
    reviewerEmail === undefined
      ? await findUser(
          db,
          reviewerId ??
            refuse("/reviewerId", "required", "is missing: name the reviewer by `reviewerId` or `reviewerEmail`"),
        )
      : await findUserByEmail(db, readEmail(reviewerEmail));
  if (found && found.standsFor !== "erased" && !found.disabledAt && countsAsVerified(found, config)) return found;
  return reviewerEmail === undefined
    ? refuse("/reviewerId", "unknown_reference", "must be the id of a user whose address is verified")
    : refuse("/reviewerEmail", "unknown_reference", "must be the address of a user who has verified it");
}

function refuse(path: string, code: "required" | "not_allowed" | "unknown_reference", message: string): never {
  return failWith([{ path, in: "body", code, message }]);
}
