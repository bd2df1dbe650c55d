import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, readdir, readFile, realpath, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { makeFolder } from "../../platform/make-folder.ts";
import { type Account, chooseAccount } from "./account.ts";
import { run } from "./run.ts";
import { explaining, StartFailure } from "./start-failure.ts";

/** Where root keeps what another account must reach, if the data directory is out of its reach. */
export const sharedFolder = "/var/lib/estimation-service";

/** Where the cluster of a data directory is, and which account runs it. */
export interface Location {
  /** The folder of the cluster and its log: the data directory, or a separate folder. */
  home: string;
  /** PostgreSQL's data_directory. */
  cluster: string;
  logFile: string;
  account: Account | undefined;
}

/**
 * Decides where the cluster of `dataDir` is, and creates the folder for it. It is in the data directory itself.
 * Exception: if this process is root and no other account may enter the data directory (below /root), it is below
 * {@link sharedFolder}; the file `postgresql.location` in the data directory then says where, so that it is found again
 * whatever changes.
 * @throws StartFailure if the folder cannot be created, or an existing cluster can no longer be reached.
 */
export async function locate(dataDir: string, log: (line: string) => void): Promise<Location> {
  await makeDataDir(dataDir);
  const real = await realpath(dataDir);
  const elsewhere = await recordedHome(real);
  if (elsewhere !== undefined) return await at(elsewhere);

  const inside = await at(real);
  if (inside.account === undefined || (await mayEnter(real, inside.account))) return inside;
  if (existsSync(inside.cluster)) {
    throw new StartFailure(
      `the database in ${inside.cluster} cannot be reached by the user ${inside.account.name}, who runs it: let that user cross the folders above it (chmod o+x)`,
    );
  }
  const home = path.join(sharedFolder, createHash("sha256").update(real).digest("hex").slice(0, 16));
  await makeReachable(home);
  await explaining(`write to ${real}`, () => writeFile(recordFile(real), `${home}\n`));
  const outside = await at(home);
  log(`The user ${outside.account?.name}, who runs PostgreSQL for root, may not enter ${real}: its data is in ${home}`);
  return outside;
}

/** Returns the cluster of a data directory; undefined if there is none yet. */
export async function findCluster(dataDir: string): Promise<string | undefined> {
  const real = await realpath(dataDir).catch(() => undefined);
  if (real === undefined) return undefined;
  const { cluster } = await at((await recordedHome(real)) ?? real);
  return existsSync(cluster) ? cluster : undefined;
}

/** Creates a folder that every account may traverse but not list, whatever the umask. */
export async function makeReachable(folder: string): Promise<void> {
  await explaining(`create ${folder}`, async () => {
    for (const made of await makeFolder(folder)) await chmod(made, 0o711);
  });
}

/** Returns whether `account` may enter `folder`, found by trying: permission bits alone do not decide. */
export async function mayEnter(folder: string, account: Account): Promise<boolean> {
  const { code } = await run("/bin/sh", ["-c", 'cd -- "$1"', "sh", folder], { account });
  return code === 0;
}

async function makeDataDir(dataDir: string): Promise<void> {
  if (existsSync(dataDir)) {
    const found = await stat(dataDir);
    if (!found.isDirectory())
      throw new StartFailure(`the data directory ${dataDir} is not a folder: choose another DATA_DIR`);
    // The folder was created for the service (by mktemp, say) and is still empty: letting others traverse it reveals
    // nothing, because everything put into it is itself closed to others.
    const fresh = process.getuid?.() === 0 && found.uid === 0 && (await readdir(dataDir)).length === 0;
    if (fresh) await explaining(`write to ${dataDir}`, () => chmod(dataDir, found.mode | 0o011));
    return;
  }
  if (process.getuid?.() === 0) return await makeReachable(path.resolve(dataDir));
  await explaining(`create the data directory ${dataDir}`, () => makeFolder(dataDir, 0o700));
}

async function at(home: string): Promise<Location> {
  const cluster = path.join(home, "postgresql");
  return {
    home,
    cluster,
    logFile: path.join(home, "postgresql.log"),
    account: await chooseAccount(cluster),
  };
}

function recordFile(dataDir: string): string {
  return path.join(dataDir, "postgresql.location");
}

async function recordedHome(dataDir: string): Promise<string | undefined> {
  const file = recordFile(dataDir);
  if (!existsSync(file)) return undefined;
  const home = (await explaining(`read ${file}`, () => readFile(file, "utf8"))).trim();
  if (existsSync(home)) return home;
  throw new StartFailure(`the database is in ${home}, as ${file} says, but that folder is missing`);
}
