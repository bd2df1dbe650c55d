import type { User } from "../../../contract/auth.ts";
import { fail } from "../../http/failure.ts";
import type { Actor } from "../../http/handler.ts";
import type { UserRow } from "./store.ts";

/** A user who was there when the credential was verified and is gone now. */
export const present = (user: UserRow | undefined): UserRow => user ?? fail("token_invalid");

export const versionOf = (actor: Actor): number => actor.tokenVersion ?? fail("session_token_required");

export const presentUser = ({ id, email, name, avatarUrl, emailVerifiedAt, createdAt }: UserRow): User => ({
  id,
  email,
  name,
  avatarUrl,
  emailVerifiedAt: emailVerifiedAt?.toISOString() ?? null,
  createdAt: createdAt.toISOString(),
});
