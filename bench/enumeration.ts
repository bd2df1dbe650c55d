/**
 * Tests whether response times reveal if an address has an account: 200 sign-ins with a wrong password and 200 requests
 * to reset a password, alternating between known and unknown addresses, compared by a rank test. The requests that
 * directly follow each reset request are timed as well: sending the mail is work that only a known address causes.
 */
import { pathToFileURL } from "node:url";
import { compareSamples } from "./sign-in/rank-test.ts";
import { quantile, startForBench } from "./sign-in/start.ts";

const TRIES = 200;
/** Requests after a reset request, one after the other: for about as long as the worker is sending the mail. */
const FOLLOWING = 12;
/** A guess from one response that is right more often than a coin toss by this much counts as revealing. */
const TELLING = 0.1;

export interface Distribution {
  readonly known: readonly number[];
  readonly unknown: readonly number[];
}

type Series = "login" | "forgot-password" | "requests right after forgot-password";

export async function benchEnumeration(tries = TRIES): Promise<Record<Series, Distribution>> {
  const service = await startForBench();
  try {
    const accounts = Array.from({ length: 20 }, (_, at) => `user${at}@example.com`);
    for (const email of accounts) await service.register(email);
    // As many addresses on both sides: the first count of an address uses another database statement than the next.
    const addressOf = (known: boolean, at: number) =>
      known ? (accounts[at % accounts.length] ?? "") : `nobody${at % accounts.length}@example.com`;
    const measure = async (
      path: string,
      status: number,
      body: (email: string) => object,
      following = 0,
    ): Promise<Distribution> => {
      const samples = { known: [] as number[], unknown: [] as number[] };
      for (let at = -20; at < tries; at += 1) {
        // The order alternates, so that neither always follows the other.
        const order = at % 2 === 0 ? [true, false] : [false, true];
        for (const known of order) {
          const response = await service.call("POST", path, { body: body(addressOf(known, Math.abs(at))) });
          if (response.status !== status) throw new Error(`${path} returned ${response.status}: ${response.text}`);
          let ms = following > 0 ? 0 : response.ms;
          for (let next = 0; next < following; next += 1) ms += (await service.call("GET", "/healthz")).ms;
          if (at >= 0) samples[known ? "known" : "unknown"].push(ms);
          // The worker's further work ends before the next request.
          await new Promise((resolve) => setTimeout(resolve, 15));
        }
      }
      return samples;
    };
    return {
      login: await measure("/api/auth/login", 401, (email) => ({ email, password: "not the password" })),
      "forgot-password": await measure("/api/auth/forgot-password", 202, (email) => ({ email })),
      "requests right after forgot-password": await measure(
        "/api/auth/forgot-password",
        202,
        (email) => ({ email }),
        FOLLOWING,
      ),
    };
  } finally {
    await service.stop();
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  for (const [name, { known, unknown }] of Object.entries(await benchEnumeration())) {
    const { longer, z } = compareSamples(known, unknown);
    const row = (values: readonly number[]) =>
      [0.1, 0.5, 0.9, 0.99].map((share) => `p${share * 100} ${quantile(values, share).toFixed(2)} ms`).join(", ");
    console.log(`${name}, ${known.length} tries each`);
    console.log(`  known address    ${row(known)}`);
    console.log(`  unknown address  ${row(unknown)}`);
    const tells = Math.abs(longer - 0.5) > TELLING;
    console.log(
      `  known takes longer in ${(longer * 100).toFixed(1)} % of the pairs (50 % wanted, within ${TELLING * 100}), z = ${z.toFixed(2)}`,
    );
    if (tells) process.exitCode = 1;
  }
}
