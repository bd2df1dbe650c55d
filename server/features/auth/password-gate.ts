import type { Queryable } from "../../db/database.ts";
import { fail } from "../../http/failure.ts";
import { Overloaded, type Rank } from "../../platform/turns.ts";
import type { Services } from "../../services/index.ts";
import { renewPasswordHash, type UserRow } from "./store.ts";
import { createThrottle, type Try } from "./throttle.ts";

/** All operations on passwords: verifying one, within the throttle, and hashing a new one. */
export interface PasswordGate {
  /**
   * Returns the user whose password this is. Refuses with `invalid_credentials` a wrong one and, in the same time, one
   * of an unknown account (`user` undefined), after `onWrong`. Refuses with `rate_limited` beyond the limit of
   * failures, which costs no hash.
   */
  prove(tried: Try & { user: UserRow | undefined; password: string }, onWrong: () => Promise<void>): Promise<UserRow>;
  /** Hashes a new password; one that yields leaves room for sign-ins in the queue, however many of its kind come. */
  hash(password: string, rank?: Rank): Promise<string>;
  /**
   * Records, within the transaction `db`, that the owner of the account is at this address without having given a
   * password: earlier failures no longer count, and failures of others will not block the owner here.
   */
  welcome(db: Queryable, tried: Try): Promise<void>;
}

export function createPasswordGate(services: Services): PasswordGate {
  const { clock, passwords, pool } = services;
  const throttle = createThrottle(services, "failed-passwords");

  /** A better hash is useful, but its failure is no reason to refuse a user with the right password. */
  async function renewHash({ id, passwordHash }: UserRow, password: string): Promise<void> {
    try {
      await renewPasswordHash(pool, id, passwordHash ?? "", await passwords.hash(password));
    } catch (error) {
      services.log.warn({ err: error, userId: id }, "a password hash was not renewed");
    }
  }

  return {
    async prove({ user, password, ...tried }, onWrong) {
      await throttle.check(tried);
      const { matches, outdated } = await busy(() =>
        passwords.verify(password, user?.passwordHash ?? null, async () => {
          const takeBack = await throttle.count(tried);
          return () => takeBack(pool);
        }),
      );
      if (!matches || !user) {
        await onWrong();
        fail("invalid_credentials");
      }
      if (outdated) await renewHash(user, password);
      return user;
    },
    hash: (password, rank) => busy(() => passwords.hash(password, rank)),
    async welcome(on, tried) {
      await throttle.forgive(on, tried);
      await throttle.remember(on, tried, clock.now());
    },
  };
}

/** If too many passwords wait to be hashed, the service refuses at once instead of making everybody wait for long. */
async function busy<R>(work: () => Promise<R>): Promise<R> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Overloaded) fail("service_unavailable");
    throw error;
  }
}
