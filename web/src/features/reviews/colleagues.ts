import type { Review } from "../../../../contract/endpoints/reviews.ts";
import type { Share } from "../../../../contract/endpoints/shares.ts";
import type { TeamMember } from "../../../../contract/endpoints/teams.ts";

/** Somebody whom the reader works with. */
export interface Colleague {
  readonly id: string;
  readonly name: string;
}

const SHOWN = 6;

/**
 * Returns the people to propose as reviewers: those whom the reader asked last, then those who have joined the estimation, then the
 * members of the reader's teams; not the reader, nor those who are asked already by one of the estimation's `reviews`.
 */
export function colleaguesOf(
  asked: readonly Pick<Review, "reviewer">[],
  shares: readonly Pick<Share, "userId" | "userName">[],
  members: readonly Pick<TeamMember, "userId" | "name">[],
  reviews: readonly Pick<Review, "reviewer" | "status">[],
  userId: string,
): Colleague[] {
  const people = new Map<string, Colleague>();
  for (const { reviewer } of asked) people.set(reviewer.id, people.get(reviewer.id) ?? reviewer);
  for (const { userId: id, userName: name } of shares)
    if (id !== null && name !== null && !people.has(id)) people.set(id, { id, name });
  for (const { userId: id, name } of members) if (!people.has(id)) people.set(id, { id, name });
  people.delete(userId);
  for (const { reviewer, status } of reviews) if (status === "pending") people.delete(reviewer.id);
  return [...people.values()].slice(0, SHOWN);
}
