import { describe, expect, it } from "vitest";
import { compareSamples } from "../../../bench/sign-in/rank-test.ts";
import { start } from "../../../tests/harness.ts";
import { monotonicMs } from "../../platform/clock.ts";

const app = await start({ config: { rateLimitAuthPerMinute: 1_000_000 } });
const accounts = await Promise.all(Array.from({ length: 10 }, async () => (await app.signUp()).email));

/** How long answers for known and for unknown addresses take, asked in turns. */
async function measure(tries: number, ask: (email: string) => Promise<{ status: number }>, status: number) {
  const known: number[] = [];
  const unknown: number[] = [];
  const time = async (samples: number[], email: string) => {
    const begin = monotonicMs();
    expect((await ask(email)).status).toBe(status);
    samples.push(monotonicMs() - begin);
  };
  for (let at = 0; at < tries; at += 1) {
    const account = accounts[at % accounts.length] ?? "";
    if (at % 2) await time(known, account);
    await time(unknown, `nobody${at}@example.com`);
    if (!(at % 2)) await time(known, account);
  }
  return compareSamples(known, unknown);
}

describe("the time of an answer does not tell whether an address has an account", () => {
  // Each bound is over three standard errors of a fair coin wide; a missing hash or statement is far outside.
  it("when signing in", async () => {
    const logIn = (email: string) =>
      app.request("POST", "/api/auth/login", { body: { email, password: "not the password" } });
    const { longer } = await measure(40, logIn, 401);
    expect(Math.abs(longer - 0.5)).toBeLessThan(0.22);
  });

  it("when asking for a link to reset the password", async () => {
    const ask = (email: string) => app.request("POST", "/api/auth/forgot-password", { body: { email } });
    const { longer } = await measure(200, ask, 202);
    expect(Math.abs(longer - 0.5)).toBeLessThan(0.12);
  });

  it("judged by a comparison that sees what is there", () => {
    const quick = Array.from({ length: 40 }, (_, at) => at);
    const slow = quick.map((ms) => ms + 20);
    expect(compareSamples(quick, quick)).toEqual({ longer: 0.5, z: 0 });
    expect(compareSamples(slow, quick).longer).toBeGreaterThan(0.8);
    expect(compareSamples(quick, slow).z).toBeLessThan(-4);
  });
});
