import { statfs } from "node:fs/promises";

/** PostgreSQL may need a new segment of its log to start, which has 16 MiB, and some room besides. */
const LEAST_ROOM_BYTES = 32 * 1024 * 1024;

/**
 * Returns whether the disk of a folder has too little room for PostgreSQL to start. Its own messages do not tell for sure: on a
 * full disk they are cut, or missing.
 */
export async function lacksRoom(folder: string): Promise<boolean> {
  const { bavail, bsize, files, ffree } = await statfs(folder);
  // Some file systems have no fixed number of files, and say 0.
  return bavail * bsize < LEAST_ROOM_BYTES || (files > 0 && ffree === 0);
}
