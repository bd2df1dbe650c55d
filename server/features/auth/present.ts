import type { User } from "../../../contract/endpoints/auth.ts";
import type { UserRow } from "./store.ts";

export const presentUser = ({ id, email, name, avatarUrl, emailVerifiedAt, createdAt }: UserRow): User => ({
  id,
  email,
  name,
  avatarUrl,
  emailVerifiedAt: emailVerifiedAt?.toISOString() ?? null,
  createdAt: createdAt.toISOString(),
});
