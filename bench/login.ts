/**
 * Measures how 100 simultaneous sign-ins affect other users: the p99 of `GET /api/auth/me` during such bursts against
 * its p99 while nobody signs in, alternating in the same run.
 */
import { pathToFileURL } from "node:url";
import { PASSWORD, quantile, startForBench } from "./sign-in/start.ts";

const LOGINS = 100;
const ROUNDS = 8;
/** Requests that are measured come one after the other with this pause, as from one busy page. */
const PAUSE_MS = 2;
const RATIO_MAX = 5;

export interface LoginBench {
  readonly quietP99Ms: number;
  readonly stormP99Ms: number;
  readonly ratio: number;
  readonly loginsPerSecond: number;
  readonly requests: readonly [quiet: number, storm: number];
}

export async function benchLogin(): Promise<LoginBench> {
  const service = await startForBench();
  try {
    const emails = Array.from({ length: LOGINS }, (_, at) => `user${at}@example.com`);
    for (const email of emails) await service.register(email);
    const token = await service.register("measured@example.com");
    const quiet: number[] = [];
    const storm: number[] = [];
    let loginMs = 0;

    /** Measures one request after the other until `end`. */
    const measure = async (samples: number[], end: Promise<unknown>) => {
      let ended = false;
      void end.then(() => {
        ended = true;
      });
      while (!ended) {
        const { status, ms } = await service.call("GET", "/api/auth/me", { token });
        if (status !== 200) throw new Error(`reading oneself returned ${status}`);
        samples.push(ms);
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
    };
    const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
    const signIn = async (email: string) => {
      const { status } = await service.call("POST", "/api/auth/login", { body: { email, password: PASSWORD } });
      if (status !== 200) throw new Error(`signing in returned ${status}`);
    };

    await measure([], wait(1_000));
    for (let round = 0; round < ROUNDS; round += 1) {
      await measure(quiet, wait(3_000));
      const begin = performance.now();
      const logins = Promise.all(emails.map(signIn));
      await measure(storm, logins);
      loginMs += performance.now() - begin;
    }
    const [quietP99Ms, stormP99Ms] = [quantile(quiet, 0.99), quantile(storm, 0.99)];
    return {
      quietP99Ms,
      stormP99Ms,
      ratio: stormP99Ms / quietP99Ms,
      loginsPerSecond: (ROUNDS * LOGINS * 1000) / loginMs,
      requests: [quiet.length, storm.length],
    };
  } finally {
    await service.stop();
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const { quietP99Ms, stormP99Ms, ratio, loginsPerSecond, requests } = await benchLogin();
  console.log(
    `GET /api/auth/me, p99: quiet ${quietP99Ms.toFixed(1)} ms (${requests[0]} requests), during ${LOGINS} parallel sign-ins ${stormP99Ms.toFixed(1)} ms (${requests[1]} requests)`,
  );
  console.log(`ratio ${ratio.toFixed(2)} (under ${RATIO_MAX} wanted); ${loginsPerSecond.toFixed(0)} sign-ins a second`);
  process.exitCode = ratio < RATIO_MAX ? 0 : 1;
}
