import { expect, test } from "vitest";
import { request, start, until } from "../harness.ts";
import { runAnother } from "../support/another-process.ts";
import { patient } from "../support/patience.ts";

const LIMIT = 300;
const TOLERATED = LIMIT / 10;

const app = await start();

/** Another process of the service, and the number of requests that it accepts from a user before it refuses one. */
async function startProcess() {
  const service = await runAnother(app, ["serve", "--only", "api"], { RATE_LIMIT_PER_MINUTE: String(LIMIT) });
  const url = await service.url();
  return {
    service,
    async acceptedOf(token: string): Promise<number> {
      for (let accepted = 0; ; accepted += 1) {
        const { status, text } = await request(url, "GET", "/api/auth/me", { token });
        if (status === 429) return accepted;
        if (status !== 200) throw new Error(`${status} ${text}`);
      }
    },
  };
}

/** The window of the caller who used the most, which is the test's user: nobody else sends more than a few requests. */
const fullest = async (): Promise<{ readonly used: number; readonly endsAt: number; readonly isOver: boolean }> =>
  (
    await app.pool.query(
      `select used::int, extract(epoch from ends_at)::float8 as "endsAt", ends_at < now() as "isOver"
         from request_counts order by ends_at < now(), used desc limit 1`,
    )
  ).rows[0] ?? { used: 0, endsAt: 0, isOver: true };

test("a user's requests to two processes are refused at the limit of one, which a restart does not reset", {
  timeout: patient(120_000),
}, async () => {
  const { token } = await app.signUp();
  let one = await startProcess();
  const other = await startProcess();
  // Once, unless a busy machine takes a whole window for it.
  await until(async () => {
    const senders = [one, other, one, other].map(async (each) => ({
      accepted: await each.acceptedOf(token),
      endsAt: (await fullest()).endsAt,
    }));
    const sent = await Promise.all(senders);
    const accepted = sent.reduce((sum, each) => sum + each.accepted, 0);
    const full = await fullest();
    // A window ended before all of them were refused in it.
    if (full.isOver || sent.some(({ endsAt }) => endsAt !== full.endsAt)) return false;
    // Slow requests cost more than one: nobody was refused before the limit was used up.
    expect(full.used).toBeGreaterThan(LIMIT - TOLERATED);
    expect(accepted).toBeLessThanOrEqual(LIMIT + TOLERATED);
    one.service.send("SIGTERM");
    expect(await one.service.exitCode).toBe(0);
    one = await startProcess();
    const again = await one.acceptedOf(token);
    const now = await fullest();
    if (now.isOver || now.endsAt !== full.endsAt) return false;
    expect(again).toBeLessThanOrEqual(TOLERATED);
    return true;
  }, patient(110_000));
});
