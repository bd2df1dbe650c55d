import { fail } from "../../http/failure.ts";
import type { Actor } from "../../http/handler.ts";
import type { UserRow } from "./store.ts";

/** The user who calls. Refuses (401) one who was deleted after the credential was verified. */
export const requireCaller = (user: UserRow | undefined): UserRow => user ?? fail("token_invalid");

/** The version of the tokens that the session belongs to. Refuses an API key. */
export const versionOf = (actor: Actor): number => actor.tokenVersion ?? fail("session_token_required");
