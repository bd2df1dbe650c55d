import { existsSync } from "node:fs";
import { chmod, cp, mkdtemp, rename, rm } from "node:fs/promises";
import path from "node:path";
import type { Account } from "./account.ts";
import { type Binaries, binariesIn } from "./binaries.ts";
import { makeReachable, sharedFolder } from "./location.ts";
import { complaint, run } from "./run.ts";
import { explaining, StartFailure } from "./start-failure.ts";

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
  const copied = binariesIn(copy, installed.label, installed.majorVersion);
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
