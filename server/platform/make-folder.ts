import { mkdir, stat } from "node:fs/promises";
import path from "node:path";

/**
 * Creates `folder` and missing folders above it, and returns those created, outermost first. Unlike `mkdir` with
 * `recursive`, it ends with a reason if the file system accepts no folders (below /proc, for example).
 * @throws the file system's error, such as EACCES, EROFS, ENOTDIR, or ENOENT if it accepts no folders.
 */
export async function makeFolder(folder: string, mode?: number): Promise<string[]> {
  try {
    return await makeOne(folder, mode);
  } catch (error) {
    const parent = path.dirname(folder);
    const isMissingParent = error instanceof Error && "code" in error && error.code === "ENOENT" && parent !== folder;
    if (!isMissingParent) throw error;
    const above = await makeFolder(parent, mode);
    return [...above, ...(await makeOne(folder, mode))];
  }
}

async function makeOne(folder: string, mode: number | undefined): Promise<string[]> {
  try {
    await mkdir(folder, mode);
    return [folder];
  } catch (error) {
    const isThere = await stat(folder).then(
      (found) => found.isDirectory(),
      () => false,
    );
    if (isThere) return [];
    throw error;
  }
}
