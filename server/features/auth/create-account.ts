import { TransactionRollbackError } from "drizzle-orm";
import { limits } from "../../../contract/limits.ts";
import type { Queryable } from "../../db/database.ts";
import { Failure } from "../../http/failure.ts";
import { createPasswords } from "../../platform/passwords.ts";
import type { Services } from "../../services/index.ts";
import { addUser } from "./add-user.ts";
import { localPartOf, normalizeEmail } from "./email.ts";
import { refuseWeakPassword } from "./password-policy.ts";

/** An account that the operator creates, as typed. */
export interface TypedAccount {
  readonly email: string;
  /** The address's local part by default. */
  readonly name?: string | undefined;
  readonly password: string;
  /** Whether the operator vouches for the address; otherwise a link to confirm it is mailed. */
  readonly verified: boolean;
}

/**
 * Creates an account without a request, whether or not registration is open, by the same rules. Returns its id and
 * address, or the reason for a refusal, worded for the person at the terminal.
 */
export async function createAccount(
  db: Queryable,
  { clock, ids }: Pick<Services, "clock" | "ids">,
  { email: typed, name: given, password, verified }: TypedAccount,
): Promise<{ id: string; email: string } | { refused: string }> {
  const email = normalizeEmail(typed);
  if (email === null) return { refused: `${typed} is not an e-mail address` };
  const name = given ?? localPartOf(typed, limits.userNameLength);
  if (!/\S/.test(name) || [...name].length > limits.userNameLength) {
    return { refused: `the name must have 1 to ${limits.userNameLength} characters` };
  }
  if ([...password].length > limits.passwordLengthMax) {
    return { refused: `the password must have at most ${limits.passwordLengthMax} characters` };
  }
  try {
    refuseWeakPassword(password, "/password", { email, name });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { refused: `the password ${error.faults?.[0]?.message}` };
  }
  const passwordHash = await createPasswords().hash(password);
  const origin = { ip: null, userAgent: null, now: clock.now() };
  const user = await db
    .transaction(async (tx) => {
      const added = await addUser(tx, { ids }, { email, name, passwordHash, verified, mailed: true, ...origin });
      return added ?? tx.rollback();
    })
    .catch((error: unknown) => {
      if (error instanceof TransactionRollbackError) return null;
      throw error;
    });
  return user === null ? { refused: `there is an account of ${email} already` } : { id: user.id, email };
}
