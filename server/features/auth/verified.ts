import { isLocal } from "../../config.ts";
import { fail } from "../../http/failure.ts";
import type { Services } from "../../services/index.ts";
import type { UserRow } from "./store.ts";

/**
 * Returns whether the user's e-mail address counts as verified: it was verified, or the instance is local, where no
 * mail can be sent and nobody else has access. Computed for every request and never stored, so that it ends with the
 * configuration.
 */
export const countsAsVerified = (
  user: Pick<UserRow, "emailVerifiedAt">,
  config: Parameters<typeof isLocal>[0],
): boolean => user.emailVerifiedAt !== null || isLocal(config);

/** Refuses (403) a user whose address is not verified. */
export function demandVerified(user: UserRow, { config }: Pick<Services, "config">): void {
  if (!countsAsVerified(user, config)) fail("forbidden", { details: { reason: "email_not_verified" } });
}
