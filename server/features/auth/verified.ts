import { isLocal } from "../../config.ts";
import type { UserRow } from "./store.ts";

/**
 * Whether the user's e-mail address counts as proved: it was, or the instance is local, where nobody can be written to and
 * nobody else gets in. Computed whenever it is asked and never stored, so that it ends with the configuration.
 */
export const countsAsVerified = (
  user: Pick<UserRow, "emailVerifiedAt">,
  config: Parameters<typeof isLocal>[0],
): boolean => user.emailVerifiedAt !== null || isLocal(config);
