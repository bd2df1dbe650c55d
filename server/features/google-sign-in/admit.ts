import { limits } from "../../../contract/limits.ts";
import { VISIBLE } from "../../../contract/shapes.ts";
import type { Queryable } from "../../db/database.ts";
import { violatedIndex } from "../../db/failures.ts";
import { isStorable } from "../../http/validation/storable.ts";
import type { Services } from "../../services/index.ts";
import { type Origin, recordIdentityEvent } from "../audit-log/index.ts";
import {
  addUser,
  countsAsVerified,
  endUnprovedAccess,
  findUser,
  findUserByEmail,
  localPartOf,
  mayRegister,
  type NewUser,
  normalizeEmail,
  requestAccountMail,
  type UserRow,
} from "../auth/index.ts";
import type { Claims } from "./provider.ts";
import { refuse } from "./refusal.ts";
import { findSubjectOf, findUserIdOf, insertIdentity } from "./store.ts";

/** When and from where a user signs in. */
export type Moment = Origin & { readonly now: Date };

/**
 * Returns the account that verified claims sign in to, within the transaction `db`: the one that the identity belongs
 * to, whatever the address is now; else the one with the same address, if both sides have verified it; else a new one.
 * Refuses everybody else, without writing anything.
 */
export async function admit(db: Queryable, services: Services, claims: Claims, moment: Moment): Promise<UserRow> {
  if (claims.emailVerified !== true) refuse("email_not_verified");
  const email = emailOf(claims) ?? refuse("sign_in_failed");
  const { issuer, subject } = claims;
  const userId = await findUserIdOf(db, claims);
  if (userId !== undefined) return enabled((await findUser(db, userId)) ?? refuse("sign_in_failed"));

  const owner = await findUserByEmail(db, email);
  if (!owner && !mayRegister(email, services.config)) refuse("registration_closed");
  if (owner) {
    enabled(owner);
    const known = await findSubjectOf(db, owner.id, issuer);
    // Another request joined them after `owner` was read, so `owner` has the token version of before.
    if (known === subject) overtaken();
    // The address now belongs to another person at the provider, or the same person has another account there.
    if (known !== undefined) refuse("account_linked", { userId: owner.id });
    // Somebody who made the account with another person's address may be waiting for that person to sign in.
    if (!countsAsVerified(owner, services.config)) refuse("account_not_verified", { userId: owner.id });
  }
  const user = owner
    ? await endUnprovedAccess(db, owner.id)
    : ((await addUser(db, services, profileOf(claims, email, moment))) ?? overtaken());
  await insertIdentity(db, { issuer, subject, userId: user.id, createdAt: moment.now });
  await recordIdentityEvent(db, services, { userId: user.id, event: "google.linked", ...moment });
  if (!owner) return user;
  const passwordRemoved = owner.passwordHash !== null && user.passwordHash === null;
  if (passwordRemoved)
    await recordIdentityEvent(db, services, { userId: user.id, event: "password.removed", ...moment });
  // The account's earlier user may not know of this, or may be a person whose keys the newcomer does not know of.
  await requestAccountMail(db, user.id, "google-linked", moment.now, { passwordRemoved });
  return user;
}

/** Returns the account. Refuses one that an administrator has disabled. */
function enabled(user: UserRow): UserRow {
  return user.disabledAt === null ? user : refuse("account_disabled", { userId: user.id });
}

/** Another request created the account or the identity at the same moment. */
class Overtaken extends Error {}

const overtaken = (): never => {
  throw new Overtaken();
};

/** Returns whether another request created the same account or identity at the same moment: a retry finds it. */
export const wasOvertaken = (error: unknown): boolean =>
  error instanceof Overtaken || ["identities_by_subject", "identities_by_user"].includes(violatedIndex(error) ?? "");

/** Returns the account to create for a new user, whose address the provider has verified. */
const profileOf = (claims: Claims, email: string, moment: Moment): NewUser => ({
  email,
  name: nameOf(claims) ?? localPartOf(email, limits.userNameLength),
  avatarUrl: pictureOf(claims),
  passwordHash: null,
  verified: true,
  mailed: false,
  ...moment,
});

/** Returns the address that the provider vouches for, normalized; null if it gives none that an account could have. */
function emailOf({ email }: Claims): string | null {
  return typeof email === "string" && isStorable(email) ? normalizeEmail(email) : null;
}

/** Returns the name for a new account, within its limit; null if the provider gives none. */
function nameOf({ name }: Claims): string | null {
  const given = typeof name === "string" && isStorable(name) ? name.trim() : "";
  return !new RegExp(VISIBLE, "u").test(given) ? null : [...given].slice(0, limits.userNameLength).join("").trimEnd();
}

/** Returns the picture for a new account; null if the provider gives none that the service would show. */
function pictureOf({ picture }: Claims): string | null {
  if (typeof picture !== "string" || picture.length > limits.urlLength) return null;
  const url = URL.parse(picture);
  const plain = url?.protocol === "https:" && url.username === "" && url.password === "";
  return plain && /^https:\/\/\S+$/.test(picture) && isStorable(picture) ? picture : null;
}
