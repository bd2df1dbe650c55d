import type { ClientAnswer, ClientLink, Proposal } from "../../../contract/endpoints/client-links.ts";
import type { ShownQuestion } from "../../../contract/values/proposal.ts";
import type { Published, PublishedNode } from "../../../domain/client-links/shape.ts";
import { amountOf, shownPoints, totalOf } from "../../../domain/client-links/total.ts";
import type { ShownAnswer } from "./answer-store.ts";
import type { LinkRow, OpenLink } from "./store.ts";

/** Returns whether a link that was not revoked has expired at `now`. */
export const isExpired = ({ expiresAt }: Pick<LinkRow, "expiresAt">, now: Date): boolean =>
  expiresAt !== null && expiresAt <= now;

/** Returns a link as the API shows it at `now`. */
export const presentLink = (row: LinkRow, now: Date): ClientLink => ({
  id: row.id,
  estimationId: row.estimationId,
  title: row.title,
  shows: row.shows,
  percentile: row.percentile,
  choices: row.choices,
  descriptions: row.descriptions,
  step: row.step,
  state: row.revokedAt ? "revoked" : isExpired(row, now) ? "expired" : "active",
  version: { id: row.versionId, number: row.versionNumber },
  edition: row.edition,
  total: row.total,
  creator: { id: row.creatorId, name: row.creatorName },
  createdAt: row.createdAt.toISOString(),
  publishedAt: row.publishedAt.toISOString(),
  expiresAt: row.expiresAt?.toISOString() ?? null,
  revokedAt: row.revokedAt?.toISOString() ?? null,
  acceptedAt: row.acceptedAt?.toISOString() ?? null,
  appliedAt: row.appliedAt?.toISOString() ?? null,
});

/** Returns what somebody said as the API shows it to those who made the link. */
export const presentAnswer = (row: ShownAnswer): ClientAnswer => ({
  id: row.id,
  linkId: row.linkId,
  kind: row.kind,
  name: row.name,
  email: row.email,
  note: row.note,
  edition: row.edition,
  version: { id: row.versionId, number: row.versionNumber },
  selection: { select: [...row.selection.select], deselect: [...row.selection.deselect] },
  total: row.total,
  ip: row.ip,
  createdAt: row.createdAt.toISOString(),
});

/**
 * Returns all that the page of a link shows, with what of it was accepted. Each field is named here: what is stored beside it stays
 * inside.
 */
export function presentProposal(link: OpenLink, published: Published, acceptance: Proposal["acceptance"]): Proposal {
  const question = (node: PublishedNode): ShownQuestion => ({
    id: node.id,
    title: node.title,
    description: node.description,
    kind: node.kind,
    required: node.required,
    min: node.min,
    max: node.max,
    options: node.options.map((option) => ({
      id: option.id,
      title: option.title,
      description: option.description,
      selected: option.selected,
      amount: option.units && amountOf(option.units, link),
      points: option.points && shownPoints(option.points, link.step),
      questions: option.nodes.map(question),
    })),
  });
  return {
    title: link.title ?? published.title,
    description: published.description,
    assumptions: published.assumptions ?? null,
    edition: link.edition,
    publishedAt: link.publishedAt.toISOString(),
    expiresAt: link.expiresAt?.toISOString() ?? null,
    shows: link.shows,
    percentile: link.percentile,
    choices: link.choices,
    accepted: link.acceptedAt !== null,
    acceptance,
    currency: published.currency,
    step: link.step,
    questions: published.nodes.map(question),
    fixed: amountOf(published.fixed, link),
    total: amountOf(totalOf(published), link),
  };
}
