import { randomBytes } from "node:crypto";
import type { googleSignIn } from "../../../contract/endpoints/google-sign-in.ts";
import type { Making, Samples } from "./noun.ts";

/** The samples succeed only if a provider is configured; it need not respond. */
export const googleSignInConfig = {
  google: { clientId: "estimation", clientSecret: "secret", issuer: "http://127.0.0.1:9" },
} as const;

export interface GoogleSignInRecords {
  readonly exchangeCode: string;
}

/** Stores a code as a sign-in with Google does, valid for a minute. */
export async function makeExchangeCode({
  app: { pool, clock },
  user,
}: Pick<Making, "app" | "user">): Promise<GoogleSignInRecords> {
  const exchangeCode = randomBytes(32).toString("base64url");
  await pool.query(
    "insert into exchange_codes (hash, user_id, token_version, expires_at) select sha256($1), id, token_version, $3 from users where id = $2",
    [Buffer.from(exchangeCode), user.userId, new Date(clock.now().getTime() + 60_000)],
  );
  return { exchangeCode };
}

export const googleSignInSamples: Samples<typeof googleSignIn> = {
  startGoogleSignIn: () => ({}),
  finishGoogleSignIn: () => ({ query: { state: "none" } }),
  exchangeCode: ({ exchangeCode }) => ({ body: { code: exchangeCode } }),
};
