import { expect, test } from "vitest";
import { endpointEntries } from "../../../contract/index.ts";
import { type Response, start } from "../../harness.ts";
import { changesNothing } from "../../support/dump.ts";
import { saveRows } from "../../support/saved-rows.ts";
import { callSample } from "../call.ts";
import { makeWorld, sampleConfig } from "../samples.ts";
import { accountCalls, newEmail, signUpWithLinks } from "./account.ts";

const app = await start({ config: { ...sampleConfig, rateLimitAuthPerMinute: 1_000_000 } });
const { register, logIn, change, me, reset } = accountCalls(app);
/** For what is refused: nothing of it may change. */
const unchanged = await makeWorld(app);

/** Tables that record wrong passwords. */
const RECORDS_OF_GUESSES = ["public.try_counts", "public.audit_events"];

type Account = Awaited<ReturnType<typeof signUpWithLinks>>;

/** Sets a password in each of the three ways, for three accounts. */
async function setEverywhere(changing: Account, resetting: Account, password: string): Promise<Response[]> {
  return [
    await register(newEmail(), password),
    await change(changing.user.token, changing.user.password, password),
    await reset(resetting.resetToken, password),
  ];
}

/** Checks that a password is refused wherever one is set, and that nothing changes. */
async function expectRefusedEverywhere(password: string): Promise<void> {
  const responses = await changesNothing(app, () => setEverywhere(unchanged, unchanged, password));
  for (const { status, body } of responses)
    expect([status, body.message, body.errors?.[0]?.path], password).toEqual([
      400,
      "validation_failed",
      expect.stringMatching(/^\/(password|newPassword)$/),
    ]);
}

test("V6.2.1 fewer than eight characters are refused wherever a password is set, counted as people count them", async () => {
  for (const password of ["", "seven 7", "🦊🐙🦄🐝", "e\u0301".repeat(7)]) await expectRefusedEverywhere(password);
  const responses = await setEverywhere(await signUpWithLinks(app), await signUpWithLinks(app), "8 chars!");
  expect(responses.map(({ status }) => status)).toEqual([201, 200, 200]);
});

test("V6.2.2 a user can change the password, and the old one is no longer valid", async () => {
  const user = await app.signUp();
  expect((await change(user.token, user.password, "a new fine password")).status).toBe(200);
  expect((await logIn(user.email, user.password)).status).toBe(401);
  expect((await logIn(user.email, "a new fine password")).status).toBe(200);
});

test("V6.2.3 a session alone is not enough to change the password: the current one is required", async () => {
  const user = await app.signUp();
  const path = "/api/auth/change-password";
  const body = { newPassword: "a new password" };
  const without = await changesNothing(app, () => app.request("POST", path, { token: user.token, body }));
  expect([without.status, without.body.errors?.[0]?.path]).toEqual([400, "/currentPassword"]);
  await changesNothing(
    app,
    async () => {
      for (const wrong of ["", "wrong password", `${user.password} `, user.password.toUpperCase()]) {
        const refused = await change(user.token, wrong, "a new fine password");
        expect([refused.status, refused.body.message]).toEqual([401, "invalid_credentials"]);
      }
    },
    RECORDS_OF_GUESSES,
  );
  expect((await me(user.token)).status).toBe(200);
});

test("V6.2.4 the most common passwords are refused wherever one is set, in upper or lower case", async () => {
  for (const password of ["password", "Password1", "12345678", "QWERTYUIOP", "iloveyou", "football", "1q2w3e4r"])
    expect((await register(newEmail(), password)).status, password).toBe(400);
  await expectRefusedEverywhere("PASSWORD123");
});

test("V6.2.5 a password may consist of any characters, even of only one kind", async () => {
  const fine = [
    "lettersofonecaseonly",
    "739102846105",
    "только кириллица",
    "正確な馬の電池の留め金",
    "🦊🐙🦄🐝🦋🐢🐬🦉",
    "          ",
    "' or 1=1; drop table users --",
    '<script>alert("x")</script>',
    "tab\tand\nnew line\u0007",
    "\\u0000 %00 {{y}} $(z)",
  ];
  for (const password of fine) {
    const email = newEmail();
    expect((await register(email, password)).status, password).toBe(201);
    expect((await logIn(email, password)).status, password).toBe(200);
  }
});

test("V6.2.8 every character counts: two passwords that share their first 72 or 127 characters are different", async () => {
  for (const shared of [72, 127]) {
    const email = newEmail();
    const start = "correct horse battery staple ".repeat(5).slice(0, shared);
    expect((await register(email, `${start}A`)).status).toBe(201);
    for (const wrong of [start, `${start}B`, `${start}a`]) expect((await logIn(email, wrong)).status).toBe(401);
    expect((await logIn(email, `${start}A`)).status).toBe(200);
  }
});

test("V6.2.8 nothing is trimmed, folded or simplified", async () => {
  const email = newEmail();
  const password = "  Straße ² ﬁn Ångström\u00a0";
  expect((await register(email, password)).status).toBe(201);
  const near = [
    password.trim(),
    password.trimEnd(),
    password.toLowerCase(),
    password.replace("ß", "ss"),
    password.replace("²", "2"),
    password.replace("ﬁ", "fi"),
    password.replace("Å", "A"),
    password.replace("\u00a0", " "),
  ];
  for (const wrong of near) expect((await logIn(email, wrong)).status, JSON.stringify(wrong)).toBe(401);
  expect((await logIn(email, password)).status).toBe(200);
});

test("V6.2.8 the same text typed on two systems is the same password (Unicode normalization form C)", async () => {
  const email = newEmail();
  expect((await register(email, "crème brûlée Å".normalize("NFC"))).status).toBe(201);
  expect((await logIn(email, "crème brûlée Å".normalize("NFD"))).status).toBe(200);
});

test("V6.2.9 128 characters count in full, even if each has four bytes, and 129 are refused, not cut", async () => {
  for (const character of ["x", "🦊"]) {
    const email = newEmail();
    const longest = `${character.repeat(127)}!`;
    expect((await register(email, longest)).status).toBe(201);
    expect((await logIn(email, longest)).status).toBe(200);
    expect((await logIn(email, character.repeat(127))).status).toBe(401);
  }
  await expectRefusedEverywhere("x".repeat(129));
});

test("V6.2.10 a password does not expire", async () => {
  const user = await app.signUp();
  await app.pool.query("update users set created_at = created_at - interval '10 years' where id = $1", [user.userId]);
  expect((await logIn(user.email, user.password)).status).toBe(200);
});

test("V6.2.11 the account's own address and name, and the service's, are refused as passwords", async () => {
  const email = newEmail();
  const named = (password: string) => register(email, password, { name: "Ada Lovelace" });
  const words = [email, email.toUpperCase(), email.split("@")[0] ?? "", "ada lovelace", "Estimation Service"];
  for (const word of words) {
    const { status, body } = await named(word);
    expect([status, body.errors?.[0]?.path], word).toEqual([400, "/password"]);
  }
  expect((await named("none of these words")).status).toBe(201);
});

test("V6.3.2 a new instance has no accounts, also none with a well-known name", async () => {
  const fresh = await start();
  expect((await fresh.pool.query("select 1 from users")).rows).toEqual([]);
  for (const name of ["admin", "root", "sa", "test", "postgres"]) {
    const body = { email: `${name}@localhost`, password: name };
    expect((await fresh.request("POST", "/api/auth/login", { body })).status).toBe(401);
  }
});

test("V6.3.4 sessions begin in three documented ways and in no other", async () => {
  const opening: string[] = [];
  const { restore } = await saveRows(app.pool);
  for (const [id, { access }] of endpointEntries) {
    if (access !== "anyone") continue;
    const { data } = await callSample(app, id, unchanged);
    await restore();
    if (data.token !== undefined) opening.push(id);
  }
  expect(opening.sort()).toEqual(["exchangeCode", "logIn", "registerUser"]);
});

test("V6.3.4 guessing through change-password counts like guessing at sign-in", async () => {
  const strict = await start({ config: { rateLimitAuthPerMinute: 2 } });
  const user = await strict.signUp();
  const calls = accountCalls(strict);
  expect((await calls.change(user.token, "wrong password", "a new password")).status).toBe(401);
  expect((await calls.logIn(user.email, "wrong password")).status).toBe(401);
  expect((await calls.change(user.token, "wrong password", "a new password")).status).toBe(429);
  expect((await calls.logIn(user.email, "wrong password")).status).toBe(429);
});

test("V6.3.6 a mailed link signs nobody in", async () => {
  const { resetToken, verificationToken } = await signUpWithLinks(app);
  const { verify } = accountCalls(app);
  for (const { status, data, headers } of [await verify(verificationToken), await reset(resetToken, "a new password")])
    expect([status, data, headers.get("set-cookie")]).toEqual([200, {}, null]);
});
