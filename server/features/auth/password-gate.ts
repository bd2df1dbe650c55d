import { limits } from "../../../contract/limits.ts";
import { fail, failWith } from "../../http/failure.ts";
import { createPasswords, normalizePassword } from "../../platform/passwords.ts";
import { Overloaded } from "../../platform/turns.ts";
import type { Services } from "../../services.ts";
import { renewPasswordHash, type UserRow } from "./store.ts";
import { type Attempt, createThrottle } from "./throttle.ts";

/** Everything that happens to passwords: proving one, within the throttle, and setting one. */
export interface PasswordGate {
  /**
   * Answers the user whose password this is. Refuses with `invalid_credentials` a wrong one and, in the same time, one of
   * an unknown account (`user` undefined); with `rate_limited` beyond the limit of failures, which costs no hash.
   */
  prove(attempt: Attempt & { user: UserRow | undefined; password: string }): Promise<UserRow>;
  /** Hashes a password to be set. */
  hash(password: string): Promise<string>;
}

/** Refuses (400) a password to be set that is too short once it is composed; `path` is where in the body it stands. */
export function refuseShortPassword(password: string, path: string): void {
  if ([...normalizePassword(password)].length >= limits.passwordLengthMin) return;
  failWith([{ path, message: `must have at least ${limits.passwordLengthMin} characters once they are composed` }]);
}

export function createPasswordGate(services: Services): PasswordGate {
  const { db } = services;
  const passwords = createPasswords();
  const throttle = createThrottle(services);

  /** A better hash is worth having, but no reason to refuse who has proved the password. */
  async function renewHash({ id, passwordHash }: UserRow, password: string): Promise<void> {
    try {
      await renewPasswordHash(db, id, passwordHash ?? "", await passwords.hash(password));
    } catch (error) {
      // The cause alone: the error around it quotes the statement with its values, the hash among them.
      services.log.warn(
        { err: error instanceof Error ? (error.cause ?? error) : error, userId: id },
        "a password hash was not renewed",
      );
    }
  }

  return {
    async prove({ user, password, ...attempt }) {
      await throttle.check(attempt);
      let takeBack = async () => {};
      const { matches, outdated } = await busy(() =>
        passwords.verify(password, user?.passwordHash ?? null, async () => {
          takeBack = await throttle.count(attempt);
        }),
      );
      if (!matches || !user) {
        await throttle.tidy();
        fail("invalid_credentials");
      }
      await takeBack();
      if (outdated) await renewHash(user, password);
      return user;
    },
    hash: (password) => busy(() => passwords.hash(password)),
  };
}

/** Where too many passwords wait to be hashed the service says so at once, instead of letting everybody wait for long. */
async function busy<R>(work: () => Promise<R>): Promise<R> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Overloaded) fail("service_unavailable");
    throw error;
  }
}
