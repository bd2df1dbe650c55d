import { expect, it } from "vitest";
import { limits } from "../../../contract/limits.ts";
import { start } from "../../../tests/harness.ts";
import { normalizeEmail } from "./email.ts";

const app = await start({ config: { rateLimitAuthPerMinute: 1_000 } });
const password = "correct horse battery";
const post = (name: string, body: unknown) => app.request("POST", `/api/auth/${name}`, { body });

it.each([
  ["ada@ｅxample.com", "ada@example.com"],
  ["ada@example。com", "ada@example.com"],
  ["ada@EXAMPLE．COM", "ada@example.com"],
  ["\u2003Ada@Example.COM\t", "ada@example.com"],
  ["ada@Bücher.example", "ada@xn--bcher-kva.example"],
  ["ada@xn--bcher-kva.example", "ada@xn--bcher-kva.example"],
  ["ada@faß.example", "ada@xn--fa-hia.example"],
  ["ada+tag@mail.under_score.example", "ada+tag@mail.under_score.example"],
  ["ada@localhost", "ada@localhost"],
  ["ÉVA@example.com", "Éva@example.com"],
  ["évA@example.com", "éva@example.com"],
])("%j is the address %s", (typed, address) => {
  expect(normalizeEmail(typed)).toBe(address);
  expect(normalizeEmail(address)).toBe(address);
});

it.each([
  ["an invisible character in the local part", "a\u200bda@example.com"],
  ["an invisible character in the domain", "ada@exam\u00adple.com"],
  ["a blank that is a letter to Unicode", "a\u3164da@example.com"],
  ["a blank Braille pattern", "a\u2800da@example.com"],
  ["a variation selector", "ada\ufe0f@example.com"],
  ["a change of direction", "ada\u202e@example.com"],
  ["half of a character", "ada\ud800@example.com"],
  ["the Kelvin sign for a K", "\u212aelly@example.com"],
  ["a letter and its accent as two characters", "e\u0301va@example.com"],
  ["a path of a URL", "ada@例え/example.com"],
  ["an escape of a URL", "ada@例え%2ecom"],
  ["an IP address", "ada@127.0.0.1"],
  ["an IP address in other digits", "ada@１２７.1"],
  ["an empty label", "ada@example..com"],
  ["a dot at the end", "ada@example.com。"],
  ["a domain that is too long in its ASCII form", `ada@${"ü".repeat(240)}`],
  ["a label that is too long", `ada@${"a".repeat(64)}.example`],
])("no account has an address with %s", async (_, email) => {
  const response = await post("register", { email, password });
  expect([response.status, response.body.message, response.body.errors?.[0]?.path]).toEqual([
    400,
    "validation_failed",
    "/email",
  ]);
  expect((await post("login", { email, password })).status).toBe(400);
  expect((await post("forgot-password", { email })).status).toBe(400);
});

it("an account is found by every spelling of its domain, and no spelling creates a second one", async () => {
  const email = "ada@example.com";
  expect((await post("register", { email, password })).status).toBe(201);
  for (const spelling of ["ada@ｅxample.com", "ADA@example。com", "ada@Example.com"]) {
    const again = await post("register", { email: spelling, password });
    expect([again.status, again.body.message]).toEqual([409, "email_taken"]);
    const { status, data } = await post("login", { email: spelling, password });
    expect([status, data.user?.email]).toEqual([200, email]);
  }
});

it("accepts a domain with non-ASCII letters up to the limit of its ASCII form", async () => {
  const label = "ü".repeat(50);
  const address = String(normalizeEmail(`ada@${label}.${label}.${label}.example`));
  const room = limits.emailLength - address.length;
  const typed = (more: number) => `${"a".repeat(more)}ada@${label}.${label}.${label}.example`;
  expect(normalizeEmail(typed(room))).toHaveLength(limits.emailLength);
  expect(normalizeEmail(typed(room + 1))).toBeNull();
});
