import { existsSync } from "node:fs";
import { chown, mkdtemp, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { systemClock } from "../../platform/clock.ts";
import { writeFor } from "./account.ts";
import type { Binaries } from "./binaries.ts";
import type { Location } from "./location.ts";
import { isAlive } from "./postmaster.ts";
import { complaint, type Outcome, run } from "./run.ts";
import { serviceDatabase, serviceRole, settingsFile, superuser } from "./settings.ts";
import { explaining, StartFailure } from "./start-failure.ts";

const draftPrefix = "postgresql.creating-";

/**
 * A draft whose creator can no longer be identified (its process id is in use again) counts as abandoned after this
 * time.
 */
const abandonedAfterMs = 10 * 60_000;

/** How a cluster is created. */
export interface ClusterOptions {
  durable: boolean;
  log: (line: string) => void;
}

/**
 * Creates the cluster with the service's role and database, unless it exists. It is created under another name and
 * renamed when complete: an interrupted creation leaves only a draft, which the next call removes. If two processes
 * create it at once, the first to rename wins and the other deletes its own.
 * @throws StartFailure if it cannot be created, or if what exists is not a cluster of the right version.
 */
export async function createCluster(location: Location, binaries: Binaries, options: ClusterOptions): Promise<void> {
  if (existsSync(location.cluster)) return await checkVersion(location, binaries);
  await removeAbandonedDrafts(location.home);
  options.log(`Creating the database in ${location.cluster}, a few seconds (only once)`);
  await explaining(`create the database in ${location.home}`, async () => {
    const draft = await mkdtemp(path.join(location.home, `${draftPrefix}${process.pid}-`));
    try {
      await fill(draft, location, binaries, options);
      await takePlace(draft, location.cluster);
      if (options.durable) await syncFolder(location.home);
    } finally {
      await rm(draft, { recursive: true, force: true });
    }
  });
  await checkVersion(location, binaries);
}

async function fill(
  draft: string,
  location: Location,
  { initdb, postgres }: Binaries,
  { durable }: ClusterOptions,
): Promise<void> {
  const { account } = location;
  if (account !== undefined) await chown(draft, account.uid, account.gid);
  const text = ["--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"];
  const access = [`--username=${superuser}`, "--auth-local=peer", "--auth-host=reject"];
  // Nothing needs to be on disk before the draft is complete; then all of it does, once.
  const rest = ["--no-instructions", "--no-sync"];
  report(await run(initdb, ["-D", draft, ...text, ...access, ...rest], { account }), location);
  await writeFor(account, path.join(draft, settingsFile), "wx", "");
  await writeFor(account, path.join(draft, "postgresql.conf"), "a", `\ninclude '${settingsFile}'\n`);

  // Errors of the service's own statements reach the service, which logs them: PostgreSQL's log is for its own
  // messages.
  const statements = [
    `CREATE ROLE ${serviceRole} LOGIN CREATEDB`,
    `ALTER ROLE ${serviceRole} SET log_min_messages = 'fatal'`,
    `CREATE DATABASE ${serviceDatabase} OWNER ${serviceRole}`,
  ];
  const single = ["--single", "-D", draft, "-F", "-c", "log_checkpoints=off", superuser];
  report(await run(postgres, single, { account, input: `${statements.join("\n")}\n` }), location);
  if (durable) report(await run(initdb, ["-D", draft, "--sync-only"], { account }), location);
}

/** PostgreSQL in single-user mode (--single) exits with code 0 even if a statement failed. */
function report({ code, output }: Outcome, { home }: Location): void {
  if (code === 0 && !/ (ERROR|FATAL|PANIC): /.test(output)) return;
  throw new StartFailure(`cannot create the database in ${home}: ${complaint(output)}`);
}

/** Puts the finished draft in place; a cluster that another process put there meanwhile stays. */
async function takePlace(draft: string, cluster: string): Promise<void> {
  await rename(draft, cluster).catch((error) => {
    if (!existsSync(path.join(cluster, "PG_VERSION"))) throw error;
  });
}

async function checkVersion({ cluster }: Location, { majorVersion }: Binaries): Promise<void> {
  const file = path.join(cluster, "PG_VERSION");
  if (!existsSync(file)) {
    throw new StartFailure(`${cluster} is not a PostgreSQL database (it has no PG_VERSION): move it away`);
  }
  const found = (await explaining(`read ${file}`, () => readFile(file, "utf8"))).trim();
  if (found === String(majorVersion)) return;
  const remedy =
    Number(found) < majorVersion
      ? "with the version of the service that made it run: npx node main.js backup FILE; then with this one and another DATA_DIR: npx node main.js restore FILE"
      : "start the version that made it, or choose another DATA_DIR";
  throw new StartFailure(
    `the database in ${cluster} is of PostgreSQL ${found}, and this version of the service runs PostgreSQL ${majorVersion}: ${remedy}`,
  );
}

async function removeAbandonedDrafts(home: string): Promise<void> {
  const names = await explaining(`read ${home}`, () => readdir(home));
  for (const name of names.filter((one) => one.startsWith(draftPrefix))) {
    const draft = path.join(home, name);
    const maker = Number.parseInt(name.slice(draftPrefix.length), 10);
    const { mtimeMs } = await stat(draft).catch(() => ({ mtimeMs: 0 }));
    const ageMs = systemClock.now().getTime() - mtimeMs;
    if (maker !== process.pid && isAlive(maker) && ageMs < abandonedAfterMs) continue;
    // An initdb whose parent was killed may still be writing; it fails when its folder is gone.
    await rm(draft, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  await handle.sync().finally(() => handle.close());
}
