import { randomUUID } from "node:crypto";
import type { Attack, Stage } from "../attack.ts";

const DAYS = 3;
/** No sign-in waits longer. */
const LONGEST_SECONDS = 3_600;

let longestSeconds = 0;
let isRefused = false;

/** Makes what is counted, as if it had been written while the database's clock was ahead. */
async function putAhead({ pool }: Stage): Promise<void> {
  const ahead = `interval '${DAYS} days'`;
  await pool.query(
    `update try_counts set resets_at = resets_at + ${ahead} where resets_at < now() + interval '2 hours'`,
  );
}

export const attack: Attack = {
  what: `failed sign-ins from before the clock, ${DAYS} days ahead, was set back`,
  seconds: 12,
  async run(stage) {
    const { send, signal } = stage;
    while (!signal.aborted) {
      const email = `${randomUUID()}@example.com`;
      const from = `127.0.1.${1 + Math.floor(Math.random() * 250)}`;
      const fail = () => send("POST", "/api/auth/login", { body: { email, password: "wrong" }, from });
      for (let tries = 0; tries < 25; tries += 1) await fail();
      await putAhead(stage);
      const { status, headers } = await fail();
      isRefused ||= status === 429;
      longestSeconds = Math.max(longestSeconds, Number(headers["retry-after"] ?? 0));
    }
  },
  async find() {
    return [
      {
        line: `the longest wait for a sign-in was ${longestSeconds} s (at most ${LONGEST_SECONDS} s are promised)`,
        ok: isRefused && longestSeconds <= LONGEST_SECONDS,
      },
    ];
  },
};
