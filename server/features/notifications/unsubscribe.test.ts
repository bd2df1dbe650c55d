import { createHash, randomUUID } from "node:crypto";
import { afterAll, describe, expect, it } from "vitest";
import { mailSettingNames } from "../../../contract/mails.ts";
import { start, type TestUser, until } from "../../../tests/harness.ts";
import { changesNothing, WRITTEN_BY_WORKERS } from "../../../tests/support/dump.ts";
import { countJobs } from "../../../tests/support/jobs.ts";
import { startMailServer } from "../../../tests/support/mail-server.ts";
import { createUnsubscribeTokens } from "./unsubscribe-tokens.ts";

const mail = await startMailServer();
const app = await start({
  worker: true,
  config: { smtpUrl: mail.url, mailFrom: "Estimations <no-reply@example.org>", invitationsPerHour: 1_000 },
});
afterAll(mail.stop);
const tokens = createUnsubscribeTokens(app.services.linkKeys.unsubscribe);
const verify = ({ userId }: TestUser) =>
  app.pool.query("update users set email_verified_at = now() where id = $1", [userId]);
const owner = await app.signUp();
await verify(owner);

/** Invites an address to a new estimation; returns the mail that it got, or undefined if it got none. */
async function invite(email: string) {
  const made = await app.request("POST", "/api/estimations", { token: owner.token, body: { title: "Checkout" } });
  const path = `/api/estimations/${made.data.estimation?.id}/shares`;
  // Others, such as the one that an account begins with, may still be on their way.
  await until(async () => (await countJobs(app.pool, "send-mail")) === 0);
  const before = mail.mails.length;
  const { status } = await app.request("POST", path, { token: owner.token, body: { email, permission: "view" } });
  expect(status).toBe(201);
  await until(async () => (await countJobs(app.pool, "send-mail")) === 0);
  return mail.mails.slice(before).find(({ to }) => to.includes(email));
}

/** Runs `work`, which must change nothing, once no mail is to be sent any more; the worker's own records are its own. */
async function leavesAlone<R>(work: () => Promise<R>): Promise<R> {
  await until(async () => (await countJobs(app.pool, "send-mail")) === 0);
  return changesNothing(app, work, WRITTEN_BY_WORKERS);
}

/** Opens the link as a mail program does at one click. */
const oneClick = (url: string) =>
  fetch(app.url + new URL(url).pathname + new URL(url).search, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: "List-Unsubscribe=One-Click",
  });

const linkOf = (headers: Readonly<Record<string, string>> = {}) =>
  /^<(\S+)>$/.exec(headers["list-unsubscribe"] ?? "")?.[1] ?? "";
const settingsOf = async ({ token }: TestUser) =>
  (await app.request("GET", "/api/auth/me/notifications", { token })).data.notifications;
const all = (value: boolean) => Object.fromEntries(mailSettingNames.map((name) => [name, value]));

describe("the link of a mail", () => {
  it("turns its kind of mail off with one click, without signing in; others stay on", async () => {
    const user = await app.signUp();
    await verify(user);
    const received = await invite(user.email);
    expect(received?.headers["list-unsubscribe-post"]).toBe("List-Unsubscribe=One-Click");
    const url = linkOf(received?.headers);
    expect(received?.body).toContain(url);
    expect(received?.html).toContain(url);
    expect(await settingsOf(user)).toEqual(all(true));
    const response = await oneClick(url);
    expect([response.status, response.redirected]).toEqual([200, false]);
    expect(await settingsOf(user)).toEqual({ ...all(true), shareInvited: false });
    expect(await invite(user.email)).toBeUndefined();
    expect((await oneClick(url)).status).toBe(200);
    expect(await settingsOf(user)).toEqual({ ...all(true), shareInvited: false });
  });

  it("works for an address without an account, which may turn mails on again once it has one", async () => {
    const email = `${randomUUID()}@example.com`;
    await oneClick(linkOf((await invite(email))?.headers));
    expect(await invite(email)).toBeUndefined();
    const user = await app.signUp(email);
    const path = "/api/auth/me/notifications";
    // Another person may have registered with the address: they do not decide for its owner.
    await leavesAlone(async () => {
      for (const [method, body] of [["GET"], ["PATCH", { shareInvited: true }]] as const) {
        const refused = await app.request(method, path, { token: user.token, body });
        expect([refused.status, refused.body.details]).toEqual([403, { reason: "email_not_verified" }]);
      }
    });
    await verify(user);
    expect(await settingsOf(user)).toEqual({ ...all(true), shareInvited: false });
    const body = { shareInvited: true, reviewDecided: false };
    const changed = await app.request("PATCH", path, { token: user.token, body });
    expect(changed.data.notifications).toEqual({ ...all(true), reviewDecided: false });
    expect(await invite(email)).toBeDefined();
  });

  it("shows only a page when it is opened, the same for any token", async () => {
    const url = linkOf((await invite(`${randomUUID()}@example.com`))?.headers);
    const pages = await leavesAlone(() =>
      Promise.all(
        [new URL(url).search, "?token=nonsense", "?token=a&token=b", ""].map(async (search) => {
          const response = await fetch(`${app.url}/unsubscribe${search}`);
          expect(response.status).toBe(200);
          expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
          expect(response.headers.get("cache-control")).toBe("no-store");
          expect(response.headers.get("content-security-policy")).toContain("form-action 'self'");
          return response.text();
        }),
      ),
    );
    expect(new Set(pages).size).toBe(1);
    expect(pages[0]).toContain('<form method="post">');
  });

  it("has the same response for a forged or damaged token as for a valid one, and changes nothing", async () => {
    const email = `${randomUUID()}@example.com`;
    const good = tokens.make(email, "reviewDecided");
    const [setting = "", hash = "", signature = ""] = good.split(".");
    const other = createHash("sha256").update("b@example.com").digest("base64url");
    const forged = [
      `shareInvited.${hash}.${signature}`,
      `${setting}.${other}.${signature}`,
      `${setting}.${hash}.${createHash("sha256").digest("base64url")}`,
      `${setting}.${hash}`,
      good.slice(0, -1),
      `${good}A`,
      createUnsubscribeTokens(new Uint8Array(32)).make(email, "reviewDecided"),
      "",
    ];
    const bad = await leavesAlone(() =>
      Promise.all(forged.map((token) => oneClick(`${app.url}/unsubscribe?token=${token}`))),
    );
    const responses = [...bad, await oneClick(`${app.url}/unsubscribe?token=${good}`)];
    const shown = await Promise.all(
      responses.map(async (response) => {
        const headers = [...response.headers].filter(([name]) => !/^(date|x-request-id|ratelimit)/.test(name));
        return JSON.stringify([response.status, headers, await response.text()]);
      }),
    );
    expect(new Set(shown).size).toBe(1);
    const { rows } = await app.pool.query("select setting from refused_mails where address_hash = $1", [
      createHash("sha256").update(email).digest(),
    ]);
    expect(rows).toEqual([{ setting: "reviewDecided" }]);
  });

  it("accepts any small body, and refuses a large one", async () => {
    const url = `${app.url}/unsubscribe?token=x`;
    const form = new FormData();
    form.set("List-Unsubscribe", "One-Click");
    expect((await fetch(url, { method: "POST", body: form })).status).toBe(200);
    expect((await fetch(url, { method: "POST" })).status).toBe(200);
    expect((await fetch(url, { method: "POST", body: "x".repeat(4_096) })).status).toBe(200);
    expect((await fetch(url, { method: "POST", body: "x".repeat(4_097) })).status).toBe(413);
    const put = await fetch(url, { method: "PUT", body: "x" });
    expect([put.status, put.headers.get("allow")]).toEqual([405, "GET, HEAD, POST"]);
  });
});

describe("the settings", () => {
  it("refuse unknown settings and values other than true and false, and change nothing", async () => {
    const user = await app.signUp();
    await verify(user);
    const { token } = user;
    await leavesAlone(async () => {
      for (const body of [{ passwordChanged: false }, { shareInvited: "no" }, { shareInvited: null }, [], 1]) {
        const { status } = await app.request("PATCH", "/api/auth/me/notifications", { token, body });
        expect(status).toBe(400);
      }
    });
    expect((await app.request("PATCH", "/api/auth/me/notifications", { token, body: {} })).status).toBe(200);
  });

  it("do not affect mails about the account, which cannot be turned off", async () => {
    const user = await app.signUp();
    const received = await mail.mailTo(user.email);
    expect(received.headers.subject).toBe("Confirm your e-mail address");
    expect(received.headers).not.toHaveProperty("list-unsubscribe");
    expect(received.body).not.toContain("/unsubscribe");
  });
});
