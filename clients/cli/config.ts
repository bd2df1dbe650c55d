import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { Failure } from "./failure.ts";

/** Where a service is, and the key for it. */
export interface Access {
  readonly url: string;
  /** An API key, or the token of a session. */
  readonly key: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

const NAME = "estimate";
export const DEFAULT_URL = "http://127.0.0.1:3000";

/** Returns the folder for what this program remembers, where the system keeps configurations. */
export function configFolder(env: Environment = process.env, platform = process.platform): string {
  if (platform === "win32") return join(env.APPDATA || join(homedir(), "AppData", "Roaming"), NAME);
  if (env.XDG_CONFIG_HOME) return join(env.XDG_CONFIG_HOME, NAME);
  const home = env.HOME || homedir();
  return platform === "darwin" ? join(home, "Library", "Application Support", NAME) : join(home, ".config", NAME);
}

const fileIn = (folder: string) => join(folder, "access.json");

/** Makes a folder that only its owner can look into. */
export function makePrivate(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
}

/** Writes a file that only its owner can read: as a whole, or not at all. */
export function writePrivate(file: string, text: string): void {
  const draft = `${file}.${process.pid}`;
  // What was left by a program that was killed could be readable by others.
  rmSync(draft, { force: true });
  writeFileSync(draft, text, { mode: 0o600, flag: "wx" });
  renameSync(draft, file);
}

/** Stores where the service is, with the key; returns the file. */
export function storeAccess(access: Access, folder = configFolder()): string {
  makePrivate(folder);
  writePrivate(fileIn(folder), `${JSON.stringify(access, null, 2)}\n`);
  return fileIn(folder);
}

/** Removes what `storeAccess` has stored; returns whether there was anything. */
export function removeAccess(folder = configFolder()): boolean {
  const there = readStored(folder) !== null;
  rmSync(fileIn(folder), { force: true });
  return there;
}

/** Returns what is stored; null without a file. Throws `Failure` if it cannot be read, or is not the program's own. */
export function readStored(folder = configFolder()): Access | null {
  const file = fileIn(folder);
  let text: string;
  try {
    if (process.platform !== "win32" && (statSync(file).mode & 0o077) !== 0)
      throw new Failure(`${file} can be read by others: chmod 600 it, and rotate the key`, 3);
    text = readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
  const { url, key } = parsed(text);
  if (typeof url === "string" && typeof key === "string") return { url, key };
  throw new Failure(`${file} has neither address nor key: remove it, then estimate login`, 3);
}

function parsed(text: string): Partial<Record<keyof Access, unknown>> {
  try {
    return (JSON.parse(text) ?? {}) as Partial<Access>;
  } catch {
    return {};
  }
}

/**
 * Returns where the service is and the key for it: of the environment, or else as stored. A stored key is sent only to the
 * service that it was stored for. Throws `Failure` if there is no key.
 */
export function accessOf(env: Environment = process.env, stored = () => readStored(configFolder(env))): Access {
  const { ESTIMATE_TOKEN: token, ESTIMATE_URL: address } = env;
  const url = address ? urlOf(address) : undefined;
  if (token) return { url: url ?? stored()?.url ?? DEFAULT_URL, key: token };
  const known = stored();
  if (known === null) throw new Failure("no key: estimate login, or set ESTIMATE_TOKEN", 3);
  if (url !== undefined && url !== known.url)
    throw new Failure(`the stored key is for ${known.url}, and ESTIMATE_URL is ${url}: set ESTIMATE_TOKEN too`, 3);
  return known;
}

/** Returns the address of a service as people write it: with or without scheme, `/api` and slashes. Throws `Failure` for none. */
export function urlOf(given: string): string {
  const written = given
    .trim()
    .replace(/\/+$/, "")
    .replace(/\/api$/, "");
  const isLocal = /^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?(\/|$)/i.test(written);
  const url = /^[a-z]+:\/\//i.test(written) ? written : `${isLocal ? "http" : "https"}://${written}`;
  const { protocol, username, search, hash } = URL.canParse(url) ? new URL(url) : new URL("none:");
  if (!/^https?:$/.test(protocol) || username !== "" || search !== "" || hash !== "")
    throw new Failure(`${given} is no address of a service, such as https://estimates.example.com`, 2);
  return url;
}

/** Whether what is sent to an address can be read on the way. */
export const isUnprotected = (url: string): boolean => {
  const { protocol, hostname } = new URL(url);
  return protocol === "http:" && !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
};
