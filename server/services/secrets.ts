import { createHmac } from "node:crypto";
import { join } from "node:path";
import { type Config, ConfigError } from "../config.ts";
import type { BackupKeys } from "../db/backup/format.ts";
import type { Database, Queryable } from "../db/database.ts";
import { acceptSecrets, findFaultySecrets, readValueInUse, type Secret, type SecretFault } from "../db/secret-marks.ts";
import { readOrMakeSecret, readSecret } from "../platform/secret-files.ts";
import { dropUnreadableKeys } from "./instance-keys-store.ts";

/** For each secret: its file in DATA_DIR, used if the setting is absent, and what is lost with the secret. */
const SECRETS = {
  SESSION_SECRET: { file: "session-secret", loss: "everybody would be signed out" },
  ENCRYPTION_KEY: { file: "encryption-key", loss: "what it encrypted, such as the secrets of webhooks, would be lost" },
} as const;

type Name = keyof typeof SECRETS;
const names = Object.keys(SECRETS) as Name[];

/** The secrets of the service, at least 32 bytes each. */
export type Secrets = Readonly<Record<Name, Secret>>;

/**
 * Returns the secrets from the settings, or else those in DATA_DIR, which are generated at the first use. Former ones are
 * those of the settings, or else files whose names end in `.former`.
 */
export async function readSecrets(config: Config): Promise<Secrets> {
  const { sessionSecret, sessionSecretFormer, encryptionKey, encryptionKeyFormer, dataDir } = config;
  const read = async (name: Name, key: Uint8Array | null, former: Uint8Array | null): Promise<Secret> => {
    const { file } = SECRETS[name];
    return {
      key: key ?? (await readOrMakeSecret(dataDir, file)),
      former: former ?? (await readSecret(dataDir, `${file}.former`)),
    };
  };
  return {
    SESSION_SECRET: await read("SESSION_SECRET", sessionSecret, sessionSecretFormer),
    ENCRYPTION_KEY: await read("ENCRYPTION_KEY", encryptionKey, encryptionKeyFormer),
  };
}

/** Returns the secrets that there are, from the settings or in DATA_DIR, and makes none. */
export async function findSecrets(config: Config): Promise<Partial<Secrets>> {
  const { sessionSecret, sessionSecretFormer, encryptionKey, encryptionKeyFormer, dataDir } = config;
  const find = async (name: Name, given: Uint8Array | null, former: Uint8Array | null) => {
    const { file } = SECRETS[name];
    const key = given ?? (await readSecret(dataDir, file));
    return key && { [name]: { key, former: former ?? (await readSecret(dataDir, `${file}.former`)) } };
  };
  return {
    ...(await find("SESSION_SECRET", sessionSecret, sessionSecretFormer)),
    ...(await find("ENCRYPTION_KEY", encryptionKey, encryptionKeyFormer)),
  };
}

/**
 * Compares the secrets with those that the database has been used with so far.
 * @throws ConfigError with a line for each that differs.
 */
export async function checkSecrets(db: Database, config: Config, secrets: Secrets, now: Date): Promise<void> {
  const found = await findFaultySecrets(db, secrets, now);
  const faults = names.flatMap((name) => (found[name] === undefined ? [] : [faultOf(name, found[name], config)]));
  if (faults.length > 0) throw new ConfigError(faults);
}

function faultOf(name: Name, fault: SecretFault, { sessionSecret, encryptionKey, dataDir }: Config): string {
  const { file, loss } = SECRETS[name];
  if (fault === "former missing")
    return `${name}_FORMER is missing, and something is still encrypted with it: restore it, and complete the change with: npx node main.js rotate-key`;
  const isSet = (name === "SESSION_SECRET" ? sessionSecret : encryptionKey) !== null;
  const which = isSet ? name : `the secret in ${join(dataDir, file)} (${name})`;
  return `${which} is not the one that the database has been used with, and ${loss}: restore the former one, set it as ${name}_FORMER beside the new one, or accept the loss with: npx node main.js accept-secrets`;
}

/** Derives a key of 32 bytes for one purpose from a secret that is used for several. */
export const deriveKey = (secret: Uint8Array, purpose: string): Uint8Array =>
  createHmac("sha256", secret).update(`estimation-service: ${purpose}`).digest();

/** Returns what a backup of a database is recognised by that is made now: by the values that are in use. */
export async function backupKeysOf(db: Queryable, secrets: Secrets): Promise<BackupKeys> {
  const inUse = (name: Name) => readValueInUse(db, name, secrets[name]);
  return keysOf(await inUse("SESSION_SECRET"), await inUse("ENCRYPTION_KEY"));
}

/** Returns what a backup has to be recognised by to be restored. */
export const restoreKeysOf = ({ SESSION_SECRET, ENCRYPTION_KEY }: Secrets): BackupKeys =>
  keysOf(SESSION_SECRET.key, ENCRYPTION_KEY.key);

const keysOf = (sessionSecret: Uint8Array, encryptionKey: Uint8Array): BackupKeys => ({
  secrets: { SESSION_SECRET: sessionSecret, ENCRYPTION_KEY: encryptionKey },
  macKey: deriveKey(encryptionKey, "backups"),
});

/** Stores that the database is used with the current secrets from now on. Keys that this loses are made anew. */
export async function replaceSecrets(db: Database, config: Config, now: Date): Promise<void> {
  const secrets = await readSecrets(config);
  await db.transaction(async (tx) => {
    await acceptSecrets(tx, secrets, now);
    await dropUnreadableKeys(tx, secrets.ENCRYPTION_KEY.key);
  });
}
