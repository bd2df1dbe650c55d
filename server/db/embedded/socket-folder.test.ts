import { mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { mayMount } from "../../../tests/support/disk.ts";
import { runService } from "../../../tests/support/service-process.ts";
import { giveTo, makePlace, ordinaryUser } from "./fixtures/places.ts";
import { readPostmasterFile } from "./postmaster-file.ts";

/**
 * Runs the command as an ordinary user for whom `/tmp` is closed: a separate one is mounted over it for that process
 * only. A checkout below `/tmp` stays where it is.
 */
const withClosedTmp = [
  "unshare",
  "--mount",
  "sh",
  "-c",
  `mount --bind "$0" /mnt && mount -t tmpfs -o mode=755 tmpfs /tmp && mkdir -p "$0" && mount --bind /mnt "$0" &&
    exec setpriv --reuid 65534 --regid 65534 --clear-groups "$@"`,
  process.cwd(),
];

/**
 * A folder of the ordinary user outside `/tmp`, with a short path: in memory if the run's folder is there, which takes less
 * work than a disk.
 */
const makePlaceElsewhere = () => makePlace(ordinaryUser, tmpdir().startsWith("/dev/shm/") ? "/dev/shm" : "/var/tmp");

async function socketFolderOf(dataDir: string, environment: Record<string, string>): Promise<string> {
  const service = runService(["serve"], { DATA_DIR: dataDir, ...environment }, { wrap: withClosedTmp });
  await service.url();
  const endpoint = (await readPostmasterFile(path.join(dataDir, "postgresql")))?.endpoint;
  service.send("SIGTERM");
  expect(await service.exitCode).toBe(0);
  return endpoint?.kind === "socket" ? path.dirname(endpoint.folder) : "none";
}

test.runIf(mayMount)(
  "a user who may not write to /tmp gets the socket where XDG_RUNTIME_DIR says, else beside the data",
  async () => {
    const place = await makePlaceElsewhere();
    const [runtime, dataDir] = [path.join(place, "run"), path.join(place, "data")];
    await mkdir(runtime);
    await giveTo(ordinaryUser, runtime);
    expect(await socketFolderOf(dataDir, { XDG_RUNTIME_DIR: runtime })).toBe(runtime);
    expect(await socketFolderOf(dataDir, {})).toBe(dataDir);
  },
);

test.runIf(mayMount)("where no place is writable and short enough, the start says which were tried", async () => {
  const dataDir = path.join(await makePlaceElsewhere(), "a-long-name-".repeat(6));
  const service = runService(["serve"], { DATA_DIR: dataDir }, { wrap: withClosedTmp });
  expect(await service.exitCode).toBe(1);
  expect(service.faults()).toEqual([
    "no folder takes PostgreSQL's socket (/tmp: EACCES): set TMPDIR to one that this user may write to",
  ]);
});
