import { type Config, isLoopback } from "../../config.ts";
import type { UserRow } from "./store.ts";

/** Whether the instance is local: it has no mail server, and nobody but this machine reaches it. */
export const isLocal = ({ smtpUrl, host }: Pick<Config, "smtpUrl" | "host">): boolean =>
  smtpUrl === null && isLoopback(host);

/**
 * Whether the user's e-mail address counts as proved: it was, or the instance is local, where nobody can be written to and
 * nobody else gets in. Computed whenever it is asked and never stored, so that it ends with the configuration.
 */
export const countsAsVerified = (
  user: Pick<UserRow, "emailVerifiedAt">,
  config: Pick<Config, "smtpUrl" | "host">,
): boolean => user.emailVerifiedAt !== null || isLocal(config);
