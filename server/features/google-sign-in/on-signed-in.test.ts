import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { start } from "../../../tests/harness.ts";
import { createSignIns, type OnSignedIn } from "../auth/index.ts";
import { makeMailedToken } from "../auth/mailed-tokens.ts";
import { authRoutes } from "../auth/routes.ts";
import { fellowReadersOf } from "../estimations/index.ts";
import { isMember } from "../teams/index.ts";
import { issueExchangeCode } from "./exchange-code.ts";
import { googleSignInRoutes } from "./routes.ts";

let isFailing = false;

/** Records, in the transaction of the sign-in, the user it was called for; then fails if a test told it to. */
const note: OnSignedIn = async (tx, { id, emailVerifiedAt }) => {
  await tx.execute(sql`insert into noted values (${id}, ${emailVerifiedAt !== null})`);
  if (isFailing) throw new Error("what goes with the sign-in failed");
};

const app = await start({
  plant({ handlers, mounting }) {
    const signIns = createSignIns(mounting.services, [note]);
    const own = {
      ...authRoutes(mounting.services, signIns, {
        acquaintancesOf: fellowReadersOf,
        isMember,
        endEarlierAccess: async () => {},
      }),
      ...googleSignInRoutes(mounting.services, signIns),
    };
    return { handlers: { ...handlers, ...own }, mounting };
  },
});
const { pool } = app.services;
await app.pool.query("create table noted (user_id text, is_verified boolean)");
const user = await app.signUp();
await app.pool.query("truncate noted");

const post = (path: string, body: unknown) => app.request("POST", `/api/auth/${path}`, { body });
const mailedToken = async (purpose: "verify-email" | "reset-password") =>
  makeMailedToken(
    pool,
    await app.services.linkKeys.account(),
    { userId: user.userId, purpose, cause: randomUUID() },
    app.clock.now(),
  );
const exchangeCode = async () => {
  const { rows } = await app.pool.query("select token_version from users where id = $1", [user.userId]);
  return issueExchangeCode(pool, { id: user.userId, tokenVersion: rows[0].token_version }, app.clock.now());
};
const password = "a fresh password of mine";

/** The request of each way to sign in, and whether it proves the address. */
const ways: Record<string, { path: string; body: () => Promise<unknown> | unknown; verified: boolean }> = {
  registering: { path: "register", body: () => ({ email: "new@example.com", password }), verified: false },
  "the right password": {
    path: "login",
    body: () => ({ email: user.email, password: user.password }),
    verified: false,
  },
  "a link to prove the address": {
    path: "verify-email",
    body: async () => ({ token: await mailedToken("verify-email") }),
    verified: true,
  },
  "the code of a sign-in with Google": {
    path: "exchange",
    body: async () => ({ code: await exchangeCode() }),
    verified: true,
  },
  "a link to reset the password": {
    path: "reset-password",
    body: async () => ({ token: await mailedToken("reset-password"), password }),
    verified: true,
  },
};

test.for(Object.entries(ways))(
  "%s commits together with the further work of a sign-in, or not at all",
  async ([, way]) => {
    const body = await way.body();
    isFailing = true;
    const { status } = await post(way.path, body);
    expect(status).toBe(500);
    isFailing = false;
    expect([200, 201]).toContain((await post(way.path, body)).status);
    const { rows } = await app.pool.query("delete from noted returning is_verified as verified");
    expect(rows).toEqual([{ verified: way.verified }]);
  },
);
