import { isLocal } from "../../config.ts";
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
