import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";

/** Whether this process may mount file systems, as root may outside of most containers: found by trying. */
export const mayMount =
  process.getuid?.() === 0 && spawnSync("unshare", ["--mount", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]).status === 0;

/** Unmounts the file systems that tests have mounted below `folder`. */
export function unmountBelow(folder: string): void {
  if (!mayMount || !existsSync("/proc/mounts")) return;
  const mounts = readFileSync("/proc/mounts", "utf8").split("\n");
  for (const mount of mounts.map((line) => line.split(" ")[1] ?? ""))
    if (mount.startsWith(`${folder}/`)) execFileSync("umount", ["-l", mount]);
}

/**
 * Mounts a separate file system that is full after `sizeKib` KiB, and returns a folder on it.
 * Both are removed after the test.
 */
export async function makeDisk(sizeKib: number): Promise<string> {
  const disk = await mkdtemp(path.join(tmpdir(), "estimation-disk-"));
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${sizeKib}k,mode=755`, "tmpfs", disk]);
  onTestFinished(async () => {
    execFileSync("umount", ["-l", disk]);
    await rm(disk, { recursive: true });
  });
  const folder = path.join(disk, "data");
  await mkdir(folder);
  return folder;
}
