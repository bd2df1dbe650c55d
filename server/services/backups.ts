import type pg from "pg";
import type { Config } from "../config.ts";
import { type BackupKeys, UnusableBackup } from "../db/backup/format.ts";
import { type OpenBackup, openBackup } from "../db/backup/read-backup.ts";
import { type Restored, restoreBackup } from "../db/backup/restore-backup.ts";
import { type MadeBackup, writeBackup } from "../db/backup/write-backup.ts";
import { drizzleOver } from "../db/database.ts";
import { changeInstanceState, readInstanceState } from "../db/instance-state.ts";
import { loseSends } from "../features/exports/index.ts";
import { addAllAgain } from "../jobs/job-store.ts";
import { backupKeysOf, checkSecrets, findSecrets, restoreKeysOf, type Secrets } from "./secrets.ts";

/** Backs the database up into `file` and stores when that was. @throws as `writeBackup` does. */
export async function backUp(pool: pg.Pool, file: string, keys: BackupKeys, signal?: AbortSignal): Promise<MadeBackup> {
  const made = await writeBackup(pool, file, keys, signal);
  await changeInstanceState(drizzleOver(pool), { backedUpAt: made.at });
  return made;
}

/**
 * For the command line: the same with the secrets of the settings or of DATA_DIR.
 * @throws ConfigError or Error if they are missing, or are not those of the database.
 */
export async function makeBackup(
  pool: pg.Pool,
  file: string,
  { config, now, signal }: { readonly config: Config; readonly now: Date; readonly signal: AbortSignal },
): Promise<MadeBackup> {
  const secrets = await demandSecrets(config);
  await checkSecrets(drizzleOver(pool), config, secrets, now);
  return await backUp(pool, file, await backupKeysOf(drizzleOver(pool), secrets), signal);
}

/** A backup that fits the secrets, before a database is opened for it. */
export interface Restoring {
  readonly backup: Pick<OpenBackup, "header" | "keepsSessions">;
  /** Fills an empty database with it. @throws as `restoreBackup` does. */
  into(pool: pg.Pool, now: Date): Promise<Restored>;
  close(): Promise<void>;
}

/**
 * For the command line: opens the file of a backup with the secrets of the settings or of DATA_DIR.
 * @throws UnusableBackup or Error if it cannot be restored.
 */
export async function startRestore(file: string, config: Config): Promise<Restoring> {
  const secrets = await demandSecrets(config);
  const backup = await openBackup(file, restoreKeysOf(secrets));
  return {
    backup,
    close: () => backup.close(),
    async into(pool, now) {
      const restored = await restoreBackup(pool, backup, now);
      await loseSends(drizzleOver(pool));
      return restored;
    },
  };
}

async function demandSecrets(config: Config): Promise<Secrets> {
  const { SESSION_SECRET, ENCRYPTION_KEY } = await findSecrets(config);
  if (SESSION_SECRET && ENCRYPTION_KEY) return { SESSION_SECRET, ENCRYPTION_KEY };
  const missing = ENCRYPTION_KEY ? "SESSION_SECRET (file session-secret)" : "ENCRYPTION_KEY (file encryption-key)";
  throw new UnusableBackup(
    `there is no ${missing}: set it as the service has it, or copy the files session-secret and encryption-key of its DATA_DIR into ${config.dataDir}`,
  );
}

/** For the command line: lets webhooks, mails and exports go out again. Returns since when they were held; null: they were not. */
export async function resumeSending(pool: pg.Pool): Promise<Date | null> {
  return await drizzleOver(pool).transaction(async (tx) => {
    const { heldSince } = await readInstanceState(tx);
    if (heldSince === null) return null;
    await changeInstanceState(tx, { heldSince: null });
    // Again, for a restore that was ended before it did.
    await loseSends(tx);
    await addAllAgain(tx);
    return heldSince;
  });
}
