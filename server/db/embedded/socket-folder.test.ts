import { mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { mayMount } from "../../../tests/support/disk.ts";
import { giveTo, makePlace, ordinaryUser } from "../../../tests/support/embedded/places.ts";
import { runService } from "../../../tests/support/service-process.ts";
import { readPostmasterFile } from "./postmaster.ts";

/**
 * Runs the command as an ordinary user for whom `/tmp` is closed: a separate one is mounted over it for that process
 * only. A checkout below `/tmp` stays where it is.
 */
const withClosedTmp = inClosedTmp(755, "setpriv --reuid 65534 --regid 65534 --clear-groups");

function inClosedTmp(mode: number, run: string): string[] {
  const mounting = `mount --bind "$0" /mnt && mount -t tmpfs -o mode=${mode} tmpfs /tmp && mkdir -p "$0" && mount --bind /mnt "$0"`;
  return ["unshare", "--mount", "sh", "-c", `${mounting} && exec ${run} "$@"`, process.cwd()];
}

/**
 * A folder of the ordinary user outside `/tmp`, with a short path: in memory if the run's folder is there, which takes less
 * work than a disk.
 */
const makePlaceElsewhere = () => makePlace(ordinaryUser, tmpdir().startsWith("/dev/shm/") ? "/dev/shm" : "/var/tmp");

async function socketFolderOf(
  dataDir: string,
  environment: Record<string, string>,
  wrap: readonly string[] = withClosedTmp,
): Promise<string> {
  const service = runService(["serve"], { DATA_DIR: dataDir, ...environment }, { wrap });
  await service.url();
  const socket = (await readPostmasterFile(path.join(dataDir, "postgresql")))?.socket;
  service.send("SIGTERM");
  expect(await service.exitCode).toBe(0);
  return socket === undefined ? "none" : path.dirname(socket.folder);
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
    expect.stringMatching(
      /^no folder takes PostgreSQL's socket \(\/tmp: EACCES, .*a-long-name-: not suitable.*\): choose a shorter DATA_DIR, or set TMPDIR/,
    ),
  ]);
});

test.runIf(mayMount)("for root it is where the user who runs PostgreSQL may enter too", async () => {
  const dataDir = path.join(await makePlaceElsewhere(), "data");
  expect(await socketFolderOf(dataDir, {}, inClosedTmp(700, "env"))).toBe(dataDir);
});
