import { limits } from "../../contract/limits.ts";
import { type Config, ConfigError } from "../config.ts";
import type { Database } from "../db/database.ts";
import { completeChange, findProcessesWithout, putInUse } from "../db/secret-marks.ts";
import { sealAnew, sealedColumns } from "./sealed-store.ts";
import { checkSecrets, readSecrets, type Secrets } from "./secrets.ts";

/** Rows of a transaction: few enough that nobody waits long for one of them. */
const BATCH_ROWS = 200;

/** What was changed. */
export interface Rotated {
  /** Values that were sealed with the former key, and are now with the new one. */
  readonly sealed: number;
  /** Values that neither key opens. */
  readonly unreadable: number;
  /** When no session is left that the former secret signed; null: that secret was not to be changed. */
  readonly sessionsUntil: Date | null;
}

/**
 * Puts the new secrets in use and seals with the new encryption key what is sealed with the former one, while the service
 * runs. It may be interrupted at any point, and begins where that is needed.
 * @throws ConfigError with the lines that say why not, and then nothing was changed.
 */
export async function rotateSecrets(pool: Database, config: Config, now: Date): Promise<Rotated> {
  const secrets = await readSecrets(config);
  const { SESSION_SECRET, ENCRYPTION_KEY } = secrets;
  if (SESSION_SECRET.former === null && ENCRYPTION_KEY.former === null)
    throw new ConfigError(["there is no former secret: set SESSION_SECRET_FORMER or ENCRYPTION_KEY_FORMER"]);
  await checkSecrets(pool, config, secrets, now);
  await demandRestarts(pool, secrets);
  await pool.transaction(async (tx) => {
    // The former session secret is needed for a while too, but losing it only signs users out: so nothing insists on it.
    if (await putInUse(tx, "SESSION_SECRET", SESSION_SECRET, now))
      await completeChange(tx, "SESSION_SECRET", SESSION_SECRET);
    await putInUse(tx, "ENCRYPTION_KEY", ENCRYPTION_KEY, now);
  });
  let [sealed, unreadable] = [0, 0];
  if (ENCRYPTION_KEY.former !== null) {
    for (const column of sealedColumns) {
      let after: string | null = null;
      do {
        const batch = await sealAnew(pool, column, ENCRYPTION_KEY, { after, rows: BATCH_ROWS });
        sealed += batch.sealed;
        unreadable += batch.unreadable;
        after = batch.last;
      } while (after !== null);
    }
    await completeChange(pool, "ENCRYPTION_KEY", ENCRYPTION_KEY);
  }
  const sessionsUntil = SESSION_SECRET.former === null ? null : new Date(now.getTime() + limits.sessionSeconds * 1_000);
  return { sealed, unreadable, sessionsUntil };
}

/** Refuses while a process runs that could not read what is written with the new secrets. */
async function demandRestarts(pool: Database, secrets: Secrets): Promise<void> {
  const pids = await findProcessesWithout(pool, secrets);
  if (pids.length === 0) return;
  throw new ConfigError([
    `a process of the service still runs without the new secrets (its connections to PostgreSQL: ${pids.join(", ")}): restart every process with them first`,
  ]);
}
