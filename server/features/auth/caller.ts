import { fail } from "../../http/failure.ts";
import type { Actor, ActorSession } from "../../http/handler.ts";
import type { UserRow } from "./store.ts";

/** Returns the calling user. Refuses (401) one who was deleted after the credential was checked. */
export const requireCaller = (user: UserRow | undefined): UserRow => user ?? fail("token_invalid");

/** Returns the session of the caller. Refuses an API key. */
export const sessionOf = (actor: Actor): ActorSession => actor.session ?? fail("session_token_required");

/** Returns the version of the session's tokens. Refuses an API key. */
export const versionOf = (actor: Actor): number => actor.tokenVersion ?? fail("session_token_required");
