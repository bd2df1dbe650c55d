import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { start, until } from "../../tests/harness.ts";
import { startService } from "../app.ts";
import { readInstanceState } from "../db/instance-state.ts";
import { makeDueBackup } from "./automatic-backups.ts";
import { startRestore } from "./backups.ts";

const HOUR_MS = 3_600_000;
const folder = await mkdtemp(join(tmpdir(), "automatic-backups-"));
afterAll(() => rm(folder, { recursive: true }));
const app = await start();
const never = new AbortController().signal;

/** Looks whether a backup is due in this folder, as the job does each minute. */
async function look(backupDir: string, signal = never, backupEveryHours: number | null = 24): Promise<void> {
  const config = { ...app.services.config, backupEveryHours, backupKeep: 3, backupDir };
  await makeDueBackup({ ...app.services, config }, app.connection, signal);
}

const list = async (backupDir: string) => (await readdir(backupDir).catch(() => [])).sort();
/** The name of a backup that is made now. */
const nameNow = () => `estimation-${app.clock.now().toISOString().slice(0, 19).replaceAll(":", "-")}Z.backup`;

test("one is made when it is due, which can be restored; older ones go, and nothing else does", async () => {
  const place = join(folder, "kept");
  await look(place, never, null);
  expect(await list(place)).toEqual([]);
  await look(place);
  const names = [nameNow()];
  expect(await list(place)).toEqual(names);
  const restoring = await startRestore(join(place, nameNow()), app.services.config);
  await restoring.close();
  const { backedUpAt, backupTriedAt } = await readInstanceState(app.services.pool);
  expect(backupTriedAt).toEqual(app.clock.now());
  expect(restoring.backup.header.madeAt).toBe(backedUpAt?.toISOString());

  const others = [
    "estimation-mine.backup",
    "estimation-2020-01-01T00-00-00Z.backup.old",
    ".estimation-x.part",
    "notes.txt",
  ];
  for (const name of others) await writeFile(join(place, name), "");
  // What a process left that was killed.
  await writeFile(join(place, ".estimation-2020-01-01T00-00-00Z.backup.0123456789ab.part"), "");
  await app.clock.advance(24 * HOUR_MS - 1);
  await look(place);
  expect(await list(place)).toContain(names[0]);
  expect((await list(place)).filter((name) => name.endsWith("Z.backup"))).toEqual(names);
  await app.clock.advance(1);
  for (let days = 0; days < 4; days += 1) {
    await look(place);
    names.push(nameNow());
    await app.clock.advance(24 * HOUR_MS);
  }
  expect(await list(place)).toEqual([...others, ...names.slice(-3)].sort());
});

test("one that fails is made again at the next time, and one that was cut off at once", async () => {
  const place = join(folder, "file");
  await writeFile(place, "");
  const before = await readInstanceState(app.services.pool);
  await expect(look(place)).rejects.toThrow(/EEXIST|ENOTDIR/);
  await look(place);
  const failed = await readInstanceState(app.services.pool);
  expect(failed).toEqual({ ...before, backupTriedAt: app.clock.now() });
  await rm(place);
  await app.clock.advance(24 * HOUR_MS);
  await expect(look(place, AbortSignal.abort(new Error("stops")))).rejects.toThrow("stops");
  expect(await list(place)).toEqual([]);
  expect(await readInstanceState(app.services.pool)).toEqual(failed);
  await look(place);
  expect(await list(place)).toEqual([nameNow()]);
});

test("of two workers one makes it", async () => {
  const backupDir = join(folder, "workers");
  await mkdir(backupDir);
  const config = { backupEveryHours: 1, backupDir };
  const lines: string[] = [];
  const log = pino({ level: "info" }, { write: (line: string) => void lines.push(line) });
  const worker = await start({ worker: true, config, log });
  onTestFinished(worker.stop);
  const { connection, clock, services } = worker;
  const second = await startService({ config: services.config, connection, log: services.log, clock, only: "worker" });
  onTestFinished(second.stop);
  const made = () => lines.filter((line) => line.includes("a backup was made")).length;
  await until(() => made() > 0);
  await until(async () => (await readInstanceState(services.pool)).backupTriedAt !== null);
  // The job is due again in a minute.
  const due = "select from job_leases where name = 'make-backup' and lease is null and due_at > now()";
  await until(async () => (await worker.pool.query(due)).rowCount === 1);
  expect([made(), (await list(backupDir)).length]).toEqual([1, 1]);
});
