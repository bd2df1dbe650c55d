import { execFile } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { start } from "../harness.ts";
import { freePort } from "../support/free-port.ts";
import { runProgram } from "../support/program.ts";

const main = fileURLToPath(new URL("../../tour/main.ts", import.meta.url));
const elsewhere = await mkdtemp(join(tmpdir(), "estimation-tour-"));
afterAll(() => rm(elsewhere, { recursive: true }));

/** Plays the tour as `npm run tour` does. */
function play(address: string, dataDir: string): Promise<{ code: number; out: string; err: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [main, address], { env: { DATA_DIR: dataDir } }, (error, out, err) =>
      resolve({ code: Number(error?.code ?? 0), out, err }),
    );
  });
}

describe("the tour, as a command", () => {
  test("succeeds against a working service, and leaves nothing in its data directory", async () => {
    const app = await start({ worker: true });
    const { dataDir } = app.services.config;
    const { code, out, err } = await play(app.url, dataDir);
    expect([code, err]).toEqual([0, ""]);
    expect(out).toContain("X-Service-Event: estimation.tasks_generated");
    expect(existsSync(join(dataDir, "trusted-ca"))).toBe(false);
  });

  test("fails with one line if the service cannot trust the receiver", async () => {
    const app = await start({ worker: true });
    const { code, err } = await play(app.url, join(elsewhere, "data"));
    expect(code).toBe(1);
    expect(err).toMatch(/^tour: webhook\.test could not be delivered \(certificate\): .* DATA_DIR .*\n$/);
    expect(existsSync(join(elsewhere, "data"))).toBe(false);
  });

  test.each([
    ["SIGINT", "1. Make an account"],
    ["SIGINT", "5. Import the decision tree"],
    ["SIGTERM", "11. Register a webhook"],
    ["SIGINT", "12. Send a test"],
  ] as const)("ended by %s at %j leaves no webhook, estimation, key or file behind", async (signal, step) => {
    const app = await start({ worker: true });
    const { dataDir } = app.services.config;
    const temporary = await mkdtemp(join(elsewhere, "temporary-"));
    const env = { DATA_DIR: dataDir, TMPDIR: temporary };
    const tour = runProgram([process.execPath, main, app.url], { env });
    await tour.shows(new RegExp(step.replace(".", "\\.")));
    tour.send(signal);
    expect(await tour.ended).toBe(1);
    expect(tour.printed.err).toBe("tour: stopped; what it made is removed\n");
    const { rows } = await app.pool.query(`select
      (select count(*)::int from webhooks where deleted_at is null) as webhooks,
      (select count(*)::int from estimations where deleted_at is null) as estimations,
      (select count(*)::int from api_keys where revoked_at is null) as keys,
      (select count(*)::int from users) as users`);
    expect(rows).toEqual([{ webhooks: 0, estimations: 0, keys: 0, users: 1 }]);
    expect(existsSync(join(dataDir, "trusted-ca"))).toBe(false);
    expect(readdirSync(temporary)).toEqual([]);
  });

  test("fails with one line if something is refused", async () => {
    const app = await start({ config: { registration: "closed" } });
    const { code, err } = await play(app.url, elsewhere);
    expect([code, err]).toEqual([1, expect.stringMatching(/^tour: "Make an account" failed: 403 .*\n$/)]);
  });

  test("fails with one line if nothing, or something else, responds", async () => {
    const other = createServer((_, response) => response.writeHead(404).end("no such page"));
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const address = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    expect(await play(address, elsewhere)).toMatchObject({
      code: 1,
      err: `tour: what responds at ${address} is not ready (404 from /readyz)\n`,
    });
    await new Promise((resolve) => other.close(resolve));
    const nowhere = `http://127.0.0.1:${await freePort()}`;
    const { code, err } = await play(nowhere, elsewhere);
    expect(code).toBe(1);
    expect(err).toBe(
      `tour: nothing responds at ${nowhere} (ECONNREFUSED); start the service in another terminal first: npm start\n`,
    );
  });
});
