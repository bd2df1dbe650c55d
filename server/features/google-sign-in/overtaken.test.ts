import { expect, it } from "vitest";
import { start } from "../../../tests/harness.ts";
import type { Queryable } from "../../db/database.ts";
import { findUser } from "../auth/index.ts";
import { admit, wasOvertaken } from "./admit.ts";

const app = await start({});
const { services } = app;
/** How many queries `admit` reads with before it joins an identity to an account. */
const READS = 3;

/** Calls `work` before the query number `at` that begins with `select`. */
function beforeRead(db: Queryable, at: number, work: () => Promise<unknown>): Queryable {
  let reads = 0;
  return new Proxy(db, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      const call = member.bind(target);
      if (name !== "select") return call;
      return (...columns: unknown[]) => {
        reads += 1;
        return reads === at ? afterwards(work(), call(...columns)) : call(...columns);
      };
    },
  });
}

/** Returns the query `builder`, which waits for `work` before it runs. */
function afterwards(work: Promise<unknown>, builder: object): unknown {
  return new Proxy(builder, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      const call = member.bind(target);
      if (name === "then") return (...then: unknown[]) => work.then(() => call(...then));
      return (...given: unknown[]) => afterwards(work, call(...given));
    },
  });
}

it.each(Array.from({ length: READS }, (_, index) => index + 1))(
  "returns the account as it is now if the same person signs in elsewhere before read %i",
  async (at) => {
    const user = await app.signUp();
    await app.pool.query("update users set email_verified_at = now() where id = $1", [user.userId]);
    const claims = {
      issuer: "https://provider.example.com",
      subject: user.userId,
      email: user.email,
      emailVerified: true,
      name: "Ada",
      picture: null,
    };
    const moment = { ip: "192.0.2.1", userAgent: null, now: app.clock.now() };
    let overtakes = 0;
    const other = () => {
      overtakes += 1;
      return services.pool.transaction((tx) => admit(tx, services, claims, moment));
    };
    const admitted = await services.pool
      .transaction((tx) => admit(beforeRead(tx, at, other), services, claims, moment))
      .catch((error: unknown) => {
        // The caller tries again after this one.
        if (!wasOvertaken(error)) throw error;
        return services.pool.transaction((tx) => admit(tx, services, claims, moment));
      });
    expect(overtakes).toBe(1);
    expect(admitted).toEqual(await findUser(services.pool, user.userId));
  },
);
