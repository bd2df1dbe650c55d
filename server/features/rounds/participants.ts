import type { Fault } from "../../../contract/values/faults.ts";
import { neededIn } from "../../../domain/rounds/result.ts";
import type { Queryable } from "../../db/database.ts";
import { failWith } from "../../http/failure.ts";
import type { Services } from "../../services/index.ts";
import { countsAsVerified, findUser, findUserByEmail, normalizeEmail, type UserRow } from "../auth/index.ts";
import type { NewParticipant } from "./participant-store.ts";

/** Somebody who is asked: a user whose address is verified, or an address of no such user. */
export type Invitee =
  | { readonly user: UserRow; readonly email?: never }
  | { readonly email: string; readonly user?: never };

/** Returns what is stored of somebody who is asked. */
export const participantOf = ({ user, email }: Invitee): NewParticipant =>
  user ? { userId: user.id, email: null } : { userId: null, email: email ?? null };

/**
 * Returns who is meant by ids and addresses. Refuses (400) users who do not exist, or whose address is not verified, what is no
 * address, and whoever is named twice. As for reviews, it does not say which of these a user is.
 */
export async function findInvitees(
  db: Queryable,
  { config }: Pick<Services, "config">,
  { participants, anonymous }: { readonly participants: readonly string[]; readonly anonymous: boolean },
): Promise<Invitee[]> {
  const found: Invitee[] = [];
  const faults: Fault[] = [];
  const seen = new Set<string>();
  const mayTakePart = (user: UserRow | undefined): user is UserRow =>
    user !== undefined && user.standsFor === null && user.disabledAt === null && countsAsVerified(user, config);
  for (const [at, text] of participants.entries()) {
    const refuse = (code: Fault["code"], message: string) =>
      faults.push({ path: `/participants/${at}`, in: "body", code, message });
    const email = text.includes("@") ? normalizeEmail(text) : null;
    const user = email === null ? await findUser(db, text) : await findUserByEmail(db, email);
    const invitee = mayTakePart(user) ? { user } : email === null ? null : { email };
    if (invitee === null) {
      refuse("unknown_reference", "must be the id of a user whose address is verified, or an e-mail address");
      continue;
    }
    const key = invitee.user?.id ?? invitee.email ?? "";
    if (seen.has(key)) refuse("repeated", "names somebody for the second time");
    seen.add(key);
    found.push(invitee);
  }
  const needed = neededIn({ anonymous });
  if (participants.length < needed)
    faults.push({
      ...{ path: "/participants", in: "body", code: "too_few" },
      message: `must be at least ${needed} people, because with fewer it is plain whose an estimate is`,
    });
  return faults.length > 0 ? failWith(faults) : found;
}
