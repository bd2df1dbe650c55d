import { describe, expect, it } from "vitest";
import { compareSamples } from "../../../bench/sign-in/rank-test.ts";
import { start } from "../../../tests/harness.ts";
import { effortOf } from "../../../tests/support/effort.ts";

const app = await start({ fullPasswordCost: true, config: { rateLimitAuthPerMinute: 1_000_000 } });
const { email: known } = await app.signUp();
const unknown = "nobody@example.com";

const logIn = async (email: string) => {
  const response = await app.request("POST", "/api/auth/login", { body: { email, password: "not the password" } });
  expect(response.status).toBe(401);
};
const forgotPassword = async (email: string) => {
  const response = await app.request("POST", "/api/auth/forgot-password", { body: { email } });
  expect(response.status).toBe(202);
};

// `bench/enumeration.ts` measures how long it takes.
describe("a response takes the same work whether or not an address has an account", () => {
  it("when signing in: one hash, and the same statements (V6.3.8)", async () => {
    await logIn(known);
    const [withAccount, without] = [
      await effortOf(app.connection.database, () => logIn(known)),
      await effortOf(app.connection.database, () => logIn(unknown)),
    ];
    expect(withAccount.hashes).toBe(1);
    expect(withAccount.statements.length).toBeGreaterThan(2);
    expect(without).toEqual(withAccount);
  });

  it("when requesting a link to reset the password: no hash, and the same statements (V6.3.8)", async () => {
    await forgotPassword(known);
    const [withAccount, without] = [
      await effortOf(app.connection.database, () => forgotPassword(known)),
      await effortOf(app.connection.database, () => forgotPassword(unknown)),
    ];
    expect(withAccount.hashes).toBe(0);
    expect(withAccount.statements.length).toBeGreaterThan(4);
    expect(without).toEqual(withAccount);
  });
});

describe("the comparison of times in the bench", () => {
  it("detects a difference", () => {
    const quick = Array.from({ length: 40 }, (_, at) => at);
    const slow = quick.map((ms) => ms + 20);
    expect(compareSamples(quick, quick)).toEqual({ longer: 0.5, z: 0 });
    expect(compareSamples(slow, quick).longer).toBeGreaterThan(0.8);
    expect(compareSamples(quick, slow).z).toBeLessThan(-4);
  });
});
