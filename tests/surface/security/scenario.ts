import { randomBytes } from "node:crypto";
import { createBrowser } from "../../../server/features/google-sign-in/testing/browser.ts";
import { startForgingProvider } from "../../../server/features/google-sign-in/testing/forging-provider.ts";
import { createLog } from "../../../server/platform/log.ts";
import { start, type TestApp, until } from "../../harness.ts";
import { dump } from "../../support/dump.ts";
import { makeJobsDue } from "../../support/jobs.ts";
import { startMailServer, tokenIn } from "../../support/mail-server.ts";
import { accountCalls } from "./account.ts";

const BASE_URL = "https://estimates.example.com";
const CALLBACK = `${BASE_URL}/api/auth/google/callback`;

/** Credentials of every kind, and everything that was stored and logged meanwhile. */
export interface Scenario {
  readonly app: TestApp;
  readonly email: string;
  /** Every secret that was issued, entered or configured, by its kind. */
  readonly secrets: ReadonlyMap<string, string>;
  /** Whole databases as text: while jobs and links were waiting, and at the end. */
  readonly dumps: readonly string[];
  /** What was logged at the level `trace`. */
  readonly log: () => string;
  stop(): Promise<void>;
}

/**
 * Uses every kind of secret, with the worker, a mail server that fails at first, an OpenID provider and a receiver that is
 * unreachable: registers, signs in, fails to sign in, changes and resets the password, verifies the address, creates and
 * rotates a key and a webhook's secret, signs in with Google, once unsuccessfully, and causes an error in the database.
 */
export async function playScenario(): Promise<Scenario> {
  const secrets = new Map<string, string>();
  const keep = (name: string, value: unknown): string => {
    if (typeof value !== "string" || value.length < 8) throw new Error(`${name} is no secret: ${value}`);
    secrets.set(name, value);
    return value;
  };
  const mail = await startMailServer();
  const forger = await startForgingProvider();
  const lines: string[] = [];
  const log = createLog("trace", { write: (line) => void lines.push(line) });
  const [sessionSecret, encryptionKey] = [randomBytes(32), randomBytes(32)];
  keep("the session secret", sessionSecret.toString("base64url"));
  keep("the encryption key", encryptionKey.toString("base64url"));
  const smtpPassword = keep("the mail server's password", "hunter-of-mails-42");
  const google = { ...forger.config, clientSecret: keep("the client's secret", "s3cret-of-the-client") };
  const smtpUrl = mail.url.replace("//", `//mailer:${smtpPassword}@`);
  const app = await start({
    fullPasswordCost: true,
    worker: true,
    log,
    config: { baseUrl: BASE_URL, smtpUrl, google, sessionSecret, encryptionKey, rateLimitAuthPerMinute: 1_000 },
  });
  const calls = accountCalls(app);
  const email = "dumped@example.com";
  const firstPassword = keep("the first password", "correct horse battery");

  // Registering, while the mail server refuses mails.
  mail.refuse(451, email, Number.POSITIVE_INFINITY);
  const registered = await calls.register(email, firstPassword);
  const session = keep("a session of registering", registered.data.token);
  await calls.logIn(email, keep("a wrong password", "nearly correct horse"));
  await app.clock.advance(1_000);
  keep("a session of signing in", (await calls.logIn(email, firstPassword)).data.token);
  await app.clock.advance(1_000);
  keep("a renewed session", (await calls.renew(session)).data.token);
  await calls.askForReset(email);
  const failed = "select 1 from job_leases where last_error is not null";
  await makeJobsDue(app.pool, "untried");
  await until(async () => (await app.pool.query(failed)).rowCount === 2);

  // Keys and webhooks; the receiver is unreachable, so that its jobs wait as well.
  const token = session;
  const key = await app.request("POST", "/api/api-keys", {
    token,
    body: { name: "k", scopes: ["admin"] },
    headers: { "idempotency-key": "a-key" },
  });
  keep("a key", key.data.plaintext);
  const rotated = await app.request("POST", `/api/api-keys/${key.data.apiKey?.id}/rotate`, { token });
  keep("a rotated key", rotated.data.plaintext);
  const webhook = await app.request("POST", "/api/webhooks", {
    token,
    body: { url: "https://127.0.0.1:9/in", events: ["estimation.tasks_generated"] },
    headers: { "idempotency-key": "a-webhook" },
  });
  keep("a webhook's secret", webhook.data.secret);
  const hook = `/api/webhooks/${webhook.data.webhook?.id}`;
  keep("a webhook's new secret", (await app.request("POST", `${hook}/rotate-secret`, { token })).data.secret);
  await app.request("POST", `${hook}/test`, { token });
  const made = await app.request("POST", "/api/estimations", { token, body: { title: "Shop" } });
  const link = await app.request("POST", `/api/estimations/${made.data.estimation?.id}/links`, {
    token,
    body: { shows: "hours", percentile: "p80", choices: true, descriptions: false },
    headers: { "idempotency-key": "a-link" },
  });
  const linkToken = keep("what the address of a page for a client ends with", String(link.data.url).split("/").at(-1));
  const waiting = await dump(app.pool);

  // Now the mails arrive.
  mail.accept(email);
  await makeJobsDue(app.pool);
  const tokens = new Map<string, string>();
  for (const number of [1, 2]) {
    const received = await mail.mailTo(email, number);
    tokens.set(String(received.headers.subject), tokenIn(received));
  }
  const verification = keep("a link's token to confirm", tokens.get("Confirm your e-mail address"));
  const resetting = keep("a link's token to reset", tokens.get("Reset your password"));
  const linked = await dump(app.pool);
  await calls.verify(verification);
  const secondPassword = keep("the second password", "a second fine password");
  await calls.reset(resetting, secondPassword);
  await app.clock.advance(1_000);
  const again = keep("a session after the reset", (await calls.logIn(email, secondPassword)).data.token);
  const thirdPassword = keep("the third password", "a third fine password");
  const changed = await calls.change(again, secondPassword, thirdPassword);
  keep("a session after the change", changed.data.token);

  // Google, once with a valid token and once with one that is refused.
  for (const nonce of [undefined, "another nonce"]) {
    const which = nonce === undefined ? "" : " in vain";
    const browser = createBrowser({ [BASE_URL]: app.url });
    const page = await browser.visit(`${BASE_URL}/api/auth/google`);
    const sent = page.location?.searchParams;
    const state = keep(`a state${which}`, sent?.get("state"));
    const claims = forger.claims(keep(`a nonce${which}`, sent?.get("nonce")), "the-subject");
    keep(`a browser's cookie${which}`, browser.cookiesFor(CALLBACK).split("=")[1]);
    const idToken = keep(`an ID token${which}`, await forger.sign(nonce === undefined ? claims : { ...claims, nonce }));
    const accessToken = keep(`the provider's access token${which}`, randomBytes(24).toString("base64url"));
    forger.responses.set("/token", async (form) => {
      keep(`a PKCE verifier${which}`, form.get("code_verifier"));
      return { body: { access_token: accessToken, token_type: "Bearer", id_token: idToken } };
    });
    const code = keep(`the provider's code${which}`, randomBytes(24).toString("base64url"));
    const back = await browser.visit(`${CALLBACK}?code=${code}&state=${state}`);
    const exchangeCode = back.location?.searchParams.get("code");
    if (nonce !== undefined) continue;
    keep("an exchange code", exchangeCode);
    await calls.exchange("made-up-exchange-code");
    keep("a session of Google", (await calls.exchange(String(exchangeCode))).data.token);
  }

  // Errors that quote the values that caused them.
  await app.pool.query("alter table users rename to gone");
  await calls.logIn(email, keep("a password during a fault", "lost in a broken query"));
  await calls.register("other@example.com", keep("another password during a fault", "lost in another query"));
  await calls.me(keep("a key that never was", `svc_live_${randomBytes(33).toString("base64url")}`));
  await app.pool.query("alter table gone rename to users");
  await app.pool.query("alter table client_links rename to gone");
  await app.request("GET", `/api/links/${linkToken}`);
  await app.pool.query("alter table gone rename to client_links");
  const end = await dump(app.pool);
  return { app, email, secrets, dumps: [waiting, linked, end], log: () => lines.join(""), stop: mail.stop };
}
