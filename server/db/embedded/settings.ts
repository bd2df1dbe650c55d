import { readFile, rename, rm } from "node:fs/promises";
import path from "node:path";
import { accountsThatMayConnect, writeFor } from "./account.ts";
import type { Location } from "./location.ts";
import type { Socket } from "./socket-folder.ts";

/** The role that owns the database, and the name of that database. It may create databases, and is not a superuser. */
export const serviceRole = "estimation";
export const serviceDatabase = "estimation";
export const superuser = "postgres";

/** Name of the file that PostgreSQL's own postgresql.conf includes; settings of ALTER SYSTEM override it. */
export const settingsFile = "estimation-service.conf";

const always = {
  max_connections: "100",
  // The same messages everywhere, so that a failed start can be explained.
  lc_messages: "C",
  timezone: "UTC",
  log_timezone: "UTC",
  // Only little may be logged, because nothing but the next start shortens the file.
  log_checkpoints: "off",
  log_min_error_statement: "panic",
  log_lock_waits: "off",
  // Short transactions over indexes: parallel workers and JIT compilation cost more than they gain, and containers have
  // little shared memory for workers.
  max_parallel_workers_per_gather: "0",
  jit: "off",
  max_logical_replication_workers: "0",
  // In files of the cluster: what processes share under a name of the system is removed by systemd when the last session
  // of their user ends (`RemoveIPC`), and is left behind if they are killed.
  dynamic_shared_memory_type: "mmap",
  // Most machines have solid-state disks.
  random_page_cost: "1.1",
  work_mem: "8MB",
  wal_compression: "on",
  // A forgotten transaction must not hold locks and dead rows for ever.
  idle_in_transaction_session_timeout: "5min",
};

/** A crash of the machine may lose everything: for tests, which discard the data. */
const notDurable = {
  // Tests run several services with their threads against one server.
  max_connections: "300",
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  max_wal_size: "4GB",
  checkpoint_timeout: "1h",
  autovacuum: "off",
};

/**
 * Writes the settings of this version of the service into the cluster: where it listens, who may connect, and {@link
 * always}. Files that are already right are not written.
 */
export async function writeSettings(
  { cluster, account }: Location,
  socket: Socket,
  { durable }: { durable: boolean },
): Promise<void> {
  const settings = { ...always, ...(durable ? {} : notDurable), ...listening(socket) };
  const text = Object.entries(settings).map(([name, value]) => `${name} = '${value.replaceAll("'", "''")}'\n`);
  const files = {
    [settingsFile]: `# Written by the service at every start. Use ALTER SYSTEM for settings of your own.\n${text.join("")}`,
    "pg_hba.conf": accessRules,
    "pg_ident.conf": identities(),
  };
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(cluster, name);
    if ((await readFile(file, "utf8").catch(() => "")) === content) continue;
    const draft = `${file}.${process.pid}`;
    await rm(draft, { force: true });
    await writeFor(account, draft, "wx", content);
    await rename(draft, file);
  }
}

const listening = ({ folder, port }: Socket): Record<string, string> => ({
  listen_addresses: "",
  unix_socket_directories: folder,
  unix_socket_permissions: "0700",
  port: String(port),
});

/** The operating system identifies the user. */
const accessRules = "local all all peer map=service\nlocal replication all peer map=service\n";

function identities(): string {
  const quoted = accountsThatMayConnect().map((name) => `"${name.replaceAll('"', '""')}"`);
  return quoted.map((name) => `service ${name} all\n`).join("");
}
