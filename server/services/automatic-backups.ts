import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type pg from "pg";
import { createPool } from "../db/database.ts";
import { changeInstanceState, readInstanceState } from "../db/instance-state.ts";
import { monotonicMs } from "../platform/clock.ts";
import { makeFolder } from "../platform/make-folder.ts";
import { backUp } from "./backups.ts";
import type { Services } from "./index.ts";

const HOUR_MS = 3_600_000;

/** The names of automatic backups, the oldest first in the order of the alphabet. */
const NAME = /^estimation-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.backup$/;
const nameAt = (at: Date): string => `estimation-${at.toISOString().slice(0, 19).replaceAll(":", "-")}Z.backup`;

/**
 * Makes a backup in `BACKUP_DIR` if it is due, and removes older ones beyond `BACKUP_KEEP`; nothing else there. One that fails
 * is not tried again before the next is due.
 * @throws whatever made it fail.
 */
export async function makeDueBackup(services: Services, connection: pg.PoolConfig, signal: AbortSignal): Promise<void> {
  const { config, clock, pool } = services;
  const { backupEveryHours, backupDir } = config;
  if (backupEveryHours === null) return;
  const now = clock.now();
  const { backupTriedAt } = await readInstanceState(pool);
  if (backupTriedAt !== null && now.getTime() - backupTriedAt.getTime() < backupEveryHours * HOUR_MS) return;
  try {
    await makeFolder(backupDir, 0o700);
    await make(services, connection, join(backupDir, nameAt(now)), signal);
    await removeOld(services);
  } finally {
    // One that was cut off by the end of its process is made by the next one.
    if (!signal.aborted) await changeInstanceState(pool, { backupTriedAt: now });
  }
}

async function make(
  { backupKeys, log }: Services,
  connection: pg.PoolConfig,
  file: string,
  signal: AbortSignal,
): Promise<void> {
  const startedMs = monotonicMs();
  // Apart from the connections of jobs, whose queries are short.
  const connections = createPool(connection, log, 1);
  try {
    const { bytes } = await backUp(connections, file, await backupKeys(), signal);
    log.info({ file, bytes, durationMs: Math.round(monotonicMs() - startedMs) }, "a backup was made");
  } finally {
    await connections.end();
  }
}

/** Removes the oldest backups, and what processes left that were ended while they made one. */
async function removeOld({ config: { backupDir, backupKeep } }: Services): Promise<void> {
  const names = await readdir(backupDir);
  const complete = names.filter((name) => NAME.test(name)).sort();
  const drafts = names.filter((name) => /^\.(.*)\.part$/.test(name) && NAME.test(name.slice(1, -".part".length)));
  for (const name of [...complete.slice(0, -backupKeep), ...drafts]) await rm(join(backupDir, name), { force: true });
}
