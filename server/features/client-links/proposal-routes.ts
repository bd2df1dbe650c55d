import type { clientLinks, Proposal } from "../../../contract/endpoints/client-links.ts";
import type { Amount } from "../../../contract/values/proposal.ts";
import type { Published } from "../../../domain/client-links/shape.ts";
import { amountOf, totalOf, treeOf } from "../../../domain/client-links/total.ts";
import { problems } from "../../../domain/tree/check/problems.ts";
import { walkCounted } from "../../../domain/tree/hours/evaluate.ts";
import { type Trial, tryOut } from "../../../domain/tree/hours/try-out.ts";
import type { Tree } from "../../../domain/tree/shape.ts";
import type { Queryable } from "../../db/database.ts";
import { fail, failWith } from "../../http/failure.ts";
import type { Call, Handlers } from "../../http/handler.ts";
import { inTurn } from "../../platform/compute.ts";
import type { Services } from "../../services/index.ts";
import { readEmail } from "../auth/index.ts";
import {
  accountTexts,
  bytesOfTexts,
  type LockedEstimation,
  lockForOwnRecord,
  recordActivity,
  tellReaders,
  webPages,
} from "../estimations/index.ts";
import { type AnswerRow, countComments, findAcceptance, insertAnswer } from "./answer-store.ts";
import { mailAnswer } from "./mails.ts";
import { isExpired, presentProposal } from "./present.ts";
import { findByToken, type OpenLink, updateLink } from "./store.ts";
import { hashOfLinkToken } from "./token.ts";

/** Those of anybody who has the address of a page. */
type ProposalHandlers = Pick<
  Handlers<typeof clientLinks>,
  "getProposal" | "tryProposal" | "acceptProposal" | "commentOnProposal"
>;

type AnswerCall = Call<typeof clientLinks.acceptProposal> | Call<typeof clientLinks.commentOnProposal>;

/** What is published as it is. */
const NOTHING_ELSE: Trial = { select: [], deselect: [] };

/** A link that can be read now, with what it shows. */
interface Open {
  readonly link: OpenLink;
  readonly published: Published;
}

/** What clients do: they read what a link shows, try other options, accept and comment. */
export function proposalRoutes(services: Services): ProposalHandlers {
  /**
   * Stores what a client says, and tells the owner: in the activity, as received by the owner, and by mail. Refuses (409) what is said
   * of another edition, an acceptance where there is one, and of a selection that is not complete.
   */
  const answer = async ({ params, body, db, now, ip }: AnswerCall, kind: AnswerRow["kind"]) => {
    const before = await demandOpen(db, params.token, now);
    const estimation = (await lockForOwnRecord(db, before.link.estimationId, before.link.ownerId)) ?? fail("not_found");
    // Read again once it is locked: it may have been published anew, or revoked.
    const open = await demandOpen(db, params.token, now);
    const { link } = open;
    const { edition = link.edition, note = null } = body;
    if (kind === "accepted" && link.acceptedAt !== null) fail("proposal_accepted");
    if (edition !== link.edition) fail("proposal_changed", { details: { edition: link.edition } });
    if (kind === "comment") {
      const used = async () => 1 + (await countComments(db, link.id));
      await services.quotas.reserve(db, { quota: "commentsPerLink", used });
    }
    const accepted = link.acceptedAt === null ? undefined : await findAcceptance(db, link.id);
    const selection = body.selection ?? accepted?.selection ?? NOTHING_ELSE;
    const tried = await inTurn(link.bytes, () => tryIn(open, selection, "/selection"));
    if (kind === "accepted" && link.choices) demandComplete(tried.tree);
    const row: AnswerRow = {
      ...{ id: services.ids.next("answer"), linkId: link.id, estimationId: estimation.id, kind, note, ip },
      ...{ name: body.name, email: readEmail(body.email), selection, total: tried.total, createdAt: now },
      ...{ versionId: link.versionId, edition },
    };
    await mailAnswer(db, row);
    await insertAnswer(db, row);
    // Comments have the part of those who are not the owner; the one acceptance of a link is not refused for them.
    const writer = kind === "comment" ? ({ ...estimation, access: "reviewer" } as const) : estimation;
    await accountTexts(db, services.quotas, writer, bytesOfTexts(row.name, row.email, note));
    const subject = { linkId: link.id, versionId: link.versionId };
    const received = { db, estimation, actor: { userId: estimation.ownerId }, now };
    await recordActivity(received, `proposal.${kind === "accepted" ? "accepted" : "commented"}`, { subject });
    return { link, estimation, receipt: { edition, total: row.total, createdAt: now.toISOString() } };
  };

  const tellAccepted = (tx: Queryable, estimation: LockedEstimation, link: OpenLink, now: Date) =>
    tellReaders(tx, services, estimation, {
      event: "proposal.accepted",
      data: {
        linkId: link.id,
        estimationId: estimation.id,
        versionId: link.versionId,
        estimationTitle: estimation.title,
        estimationUrl: webPages.estimation(services.config.webUrl, estimation.id),
      },
      senderId: estimation.ownerId,
      now,
    });

  return {
    async getProposal({ params, db, now }) {
      const open = await demandOpen(db, params.token, now);
      const { link, published } = open;
      const row = link.acceptedAt === null ? undefined : await findAcceptance(db, link.id);
      const acceptance = row ? await inTurn(link.bytes, () => acceptanceIn(open, row)) : null;
      return { data: { proposal: presentProposal(link, published, acceptance) } };
    },

    async tryProposal({ params, body, now }) {
      const open = await demandOpen(services.pool, params.token, now);
      if (!open.link.choices) fail("choices_fixed");
      const { total } = await inTurn(open.link.bytes, () => tryIn(open, body, ""));
      return { data: { whatIf: { edition: open.link.edition, total } } };
    },

    async acceptProposal(call) {
      const { link, estimation, receipt } = await answer(call, "accepted");
      await updateLink(call.db, link.id, { acceptedAt: call.now });
      await tellAccepted(call.db, estimation, link, call.now);
      return { data: { receipt } };
    },

    commentOnProposal: async (call) => ({ data: { receipt: (await answer(call, "comment")).receipt } }),
  };
}

/** Returns the link of a token with what it shows. Refuses (404) one that was revoked or never made, and (410) one that has expired. */
async function demandOpen(db: Queryable, token: string, now: Date): Promise<Open> {
  const hash = hashOfLinkToken(token);
  const link = (hash && (await findByToken(db, hash))) ?? fail("not_found");
  if (link.expiresAt && isExpired(link, now))
    fail("link_expired", { details: { expiredAt: link.expiresAt.toISOString() } });
  return { link, published: await inTurn(link.bytes, () => JSON.parse(link.published) as Published) };
}

/**
 * Returns what is selected with other options, and what it adds up to. Refuses (409) any where nothing can be chosen, and (400) options that
 * are not there. `path` leads to the selection in the body.
 */
function tryIn({ link, published }: Open, trial: Trial, path: string): { readonly tree: Tree; readonly total: Amount } {
  if (!link.choices && trial.select.length + trial.deselect.length > 0) fail("choices_fixed");
  const tried = tryOut(treeOf(published), trial);
  if (!tried.ok) failWith(tried.faults.map((fault) => ({ ...fault, in: "body", path: `${path}${fault.path}` })));
  return { tree: tried.tree, total: amountOf(totalOf(published, tried.tree), link) };
}

/** Returns what was accepted of what a page shows. */
function acceptanceIn(open: Open, { createdAt, selection, total }: AnswerRow): Proposal["acceptance"] {
  const optionIds: string[] = [];
  walkCounted(tryIn(open, selection, "").tree.nodes, { option: ({ id }) => void optionIds.push(id) });
  return { acceptedAt: createdAt.toISOString(), optionIds, total };
}

/** Refuses (409) a selection with open questions, or with options that do not go together. */
function demandComplete(tree: Tree): void {
  const found = problems(tree);
  if (found.length === 0) return;
  fail("tree_incomplete", {
    faults: found.map((problem) => ({ ...problem, in: "tree", code: "incomplete", message: problem.remedy }) as const),
    hint: "Choose other options as each row of `errors` says, then accept again.",
  });
}
