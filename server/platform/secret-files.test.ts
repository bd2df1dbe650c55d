import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readOrMakeSecret } from "./secret-files.ts";

const folder = await mkdtemp(join(tmpdir(), "secrets-"));
afterAll(() => rm(folder, { recursive: true }));

test("a secret is made once, readable only by this user, even by many processes at the same time", async () => {
  const secrets = await Promise.all(
    Array.from({ length: 20 }, () => readOrMakeSecret(join(folder, "new"), "session-secret")),
  );
  expect(new Set(secrets.map((secret) => Buffer.from(secret).toString("hex"))).size).toBe(1);
  expect(secrets[0]).toHaveLength(32);
  expect(await readdir(join(folder, "new"))).toEqual(["session-secret"]);
  expect((await stat(join(folder, "new", "session-secret"))).mode & 0o777).toBe(0o600);
  expect((await stat(join(folder, "new"))).mode & 0o777).toBe(0o700);
});

test("a file with other content stops the start and is not replaced", async () => {
  await writeFile(join(folder, "encryption-key"), "short\n");
  await expect(readOrMakeSecret(folder, "encryption-key")).rejects.toThrow(/does not hold a secret of 32 bytes/);
});
