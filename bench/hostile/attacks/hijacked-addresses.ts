import { randomUUID } from "node:crypto";
import { createBrowser } from "../../../server/features/google-sign-in/testing/browser.ts";
import { type OpenProvider, openProvider } from "../../../server/features/google-sign-in/testing/provider.ts";
import type { Attack, Stage } from "../attack.ts";

const BASE_URL = "https://estimates.example.com";
/** Addresses that are hijacked at the same time. */
const AT_ONCE = 2;

let provider: OpenProvider | undefined;
let joined = 0;
let acceptedBefore = 0;
let accepted = 0;

/** Signs in with the identity of this address, as its owner does. */
async function join({ url, send }: Stage, email: string): Promise<boolean> {
  provider?.accounts.set(email, { email, email_verified: true });
  const browser = createBrowser({ [BASE_URL]: url });
  const { location } = await browser.visit(`${BASE_URL}/api/auth/google`);
  const callback = location && (await provider?.answer(browser, location, email));
  const back = callback && (await browser.visit(callback));
  const code = back?.location?.searchParams.get("code");
  return (await send("POST", "/api/auth/exchange", { body: { code } })).status === 200;
}

async function hijack(stage: Stage): Promise<void> {
  const { send, pool, signal } = stage;
  const account = { email: `${randomUUID()}@example.com`, password: "known to the hijacker" };
  const made = await send("POST", "/api/auth/register", { body: account });
  if (made.status !== 201) return;
  const { token } = JSON.parse(made.text).data;
  const tryAll = async () => {
    const session = await send("GET", "/api/auth/me", { token });
    const password = await send("POST", "/api/auth/login", { body: account });
    return [session, password].filter(({ status }) => status === 200).length;
  };
  // The owner has followed the link in the mail, because it came from a service that the owner uses.
  await pool.query("update users set email_verified_at = now() where email = $1", [account.email]);
  const before = await tryAll();
  if (!(await join(stage, account.email)) || signal.aborted) return;
  const after = await tryAll();
  joined += 1;
  acceptedBefore += before;
  accepted += after;
}

export const attack: Attack = {
  what: `somebody who registers addresses of others, ${AT_ONCE} at a time, and goes on after their owners have signed in with Google`,
  async env() {
    provider = await openProvider({ redirectUri: `${BASE_URL}/api/auth/google/callback` });
    const { clientId, clientSecret, issuer } = provider.config;
    return {
      ...{ BASE_URL, GOOGLE_CLIENT_ID: clientId, GOOGLE_CLIENT_SECRET: clientSecret, GOOGLE_ISSUER: issuer },
      // Nothing listens there: mails are not what is measured.
      ...{ SMTP_URL: "smtp://127.0.0.1:9", RATE_LIMIT_AUTH_PER_MINUTE: "1000" },
    };
  },
  run: (stage) => stage.repeat(AT_ONCE, () => hijack(stage).catch(() => {})),
  async find() {
    provider?.close();
    return [
      {
        line: `${acceptedBefore} requests of hijackers were accepted before ${joined} owners came`,
        ok: joined > 0 && acceptedBefore > 0,
      },
      { line: `${accepted} were accepted afterwards`, ok: accepted === 0 },
    ];
  },
};
