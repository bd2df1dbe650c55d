import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { COMMON_PASSWORDS_FILE, commonPasswordsFile } from "../../../scripts/common-passwords.ts";
import { start } from "../../../tests/harness.ts";
import { createPasswords } from "../../platform/passwords.ts";
import { commonPasswords } from "./password-policy.ts";

const app = await start({ config: { rateLimitAuthPerMinute: 1_000 } });
const register = (email: string, password: string, name?: string) =>
  app.request("POST", "/api/auth/register", { body: { email, password, ...(name ? { name } : {}) } });

describe("the most common passwords", () => {
  it("are the 10,000 of the source, as committed", () => {
    expect(readFileSync(COMMON_PASSWORDS_FILE, "utf8")).toBe(commonPasswordsFile());
    expect(commonPasswords().size).toBe(10_000);
    for (const password of commonPasswords()) expect([...password].length).toBeGreaterThanOrEqual(8);
    for (const known of ["password", "12345678", "iloveyou1", "qwertyuiop"]) expect(commonPasswords()).toContain(known);
  });

  it("are refused in upper and lower case, each with its reason, and nobody is registered (V6.2.4)", async () => {
    const all = [...commonPasswords()];
    for (const password of [all[0], all[9_999], "PassWord", "PASSWORD123", "Trustno1"]) {
      const { status, body } = await register("weak@example.com", password ?? "");
      expect([status, body.message, body.errors], password).toEqual([
        400,
        "validation_failed",
        [
          {
            path: "/password",
            in: "body",
            code: "common_password",
            message: "is one of the most common passwords, which are tried first; choose another",
          },
        ],
      ]);
    }
  });

  it("are compared as a whole: a longer password may contain one", async () => {
    for (const [at, password] of ["password password", " password", "passwordé"].entries()) {
      expect((await register(`longer${at}@example.com`, password)).status).toBe(201);
    }
  });

  it("are refused in a change of the password, which then stays (V6.2.4)", async () => {
    const user = await app.signUp();
    const body = { currentPassword: user.password, newPassword: "Password1" };
    const response = await app.request("POST", "/api/auth/change-password", { token: user.token, body });
    expect([response.status, response.body.errors?.[0]?.path]).toEqual([400, "/newPassword"]);
    const again = { email: user.email, password: user.password };
    expect((await app.request("POST", "/api/auth/login", { body: again })).status).toBe(200);
  });

  it("still let users sign in who already have one", async () => {
    const user = await app.signUp();
    const hash = await createPasswords().hash("password1");
    await app.pool.query("update users set password_hash = $2 where id = $1", [user.userId, hash]);
    const body = { email: user.email, password: "password1" };
    expect((await app.request("POST", "/api/auth/login", { body })).status).toBe(200);
  });
});

describe("passwords that are easily guessed", () => {
  it.each([
    ["the address", "ada.moreau@example.com", undefined],
    ["the address's local part", "ADA.Moreau", undefined],
    ["the name", "Ada Moréau", "Ada More\u0301au "],
    ["the service's name", "Estimation-Service", undefined],
  ])("is refused: %s (V6.2.11)", async (_, password, name) => {
    const { status, body } = await register("Ada.Moreau@example.com", password, name);
    expect([status, body.errors?.[0]?.message]).toEqual([
      400,
      "is easily guessed: it is the account's or the service's name; choose another",
    ]);
  });
});
