import { createHmac } from "node:crypto";
import { join } from "node:path";
import { type Config, ConfigError } from "../config.ts";
import type { BackupKeys } from "../db/backup/format.ts";
import type { Database } from "../db/database.ts";
import { acceptSecrets, findForeignSecrets } from "../db/secret-marks.ts";
import { readOrMakeSecret, readSecret } from "../platform/secret-files.ts";

/** For each secret: its file in DATA_DIR, used if the setting is absent, and what is lost with the secret. */
const SECRETS = {
  SESSION_SECRET: { file: "session-secret", loss: "everybody would be signed out" },
  ENCRYPTION_KEY: { file: "encryption-key", loss: "what it encrypted, such as the secrets of webhooks, would be lost" },
} as const;

type Name = keyof typeof SECRETS;
const names = Object.keys(SECRETS) as Name[];

/** The secrets of the service, at least 32 bytes each. */
export type Secrets = Readonly<Record<Name, Uint8Array>>;

/** Returns the secrets from the settings, or else those in DATA_DIR, which are generated at the first use. */
export async function readSecrets({ sessionSecret, encryptionKey, dataDir }: Config): Promise<Secrets> {
  return {
    SESSION_SECRET: sessionSecret ?? (await readOrMakeSecret(dataDir, SECRETS.SESSION_SECRET.file)),
    ENCRYPTION_KEY: encryptionKey ?? (await readOrMakeSecret(dataDir, SECRETS.ENCRYPTION_KEY.file)),
  };
}

/** Returns the secrets that there are, from the settings or in DATA_DIR, and makes none. */
export async function findSecrets({ sessionSecret, encryptionKey, dataDir }: Config): Promise<Partial<Secrets>> {
  const session = sessionSecret ?? (await readSecret(dataDir, SECRETS.SESSION_SECRET.file));
  const encryption = encryptionKey ?? (await readSecret(dataDir, SECRETS.ENCRYPTION_KEY.file));
  return { ...(session && { SESSION_SECRET: session }), ...(encryption && { ENCRYPTION_KEY: encryption }) };
}

/**
 * Compares the secrets with those that the database has been used with so far.
 * @throws ConfigError with a line for each that differs.
 */
export async function checkSecrets(db: Database, config: Config, secrets: Secrets, now: Date): Promise<void> {
  const foreign = await findForeignSecrets(db, secrets, now);
  const faults = names.filter((name) => foreign.includes(name)).map((name) => faultOf(name, config));
  if (faults.length > 0) throw new ConfigError(faults);
}

function faultOf(name: Name, { sessionSecret, encryptionKey, dataDir }: Config): string {
  const { file, loss } = SECRETS[name];
  const isSet = (name === "SESSION_SECRET" ? sessionSecret : encryptionKey) !== null;
  const which = isSet ? name : `the secret in ${join(dataDir, file)} (${name})`;
  return `${which} is not the one that the database has been used with, and ${loss}: restore the former one, or accept the loss with: npx node main.js accept-secrets`;
}

/** Derives a key of 32 bytes for one purpose from a secret that is used for several. */
export const deriveKey = (secret: Uint8Array, purpose: string): Uint8Array =>
  createHmac("sha256", secret).update(`estimation-service: ${purpose}`).digest();

/** Returns what backups of a database with these secrets are recognised by. */
export const backupKeysOf = (secrets: Secrets): BackupKeys => ({
  secrets,
  macKey: deriveKey(secrets.ENCRYPTION_KEY, "backups"),
});

/** Stores that the database is used with the current secrets from now on. */
export async function replaceSecrets(db: Database, config: Config, now: Date): Promise<void> {
  await acceptSecrets(db, await readSecrets(config), now);
}
