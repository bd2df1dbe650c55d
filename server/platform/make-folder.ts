import { mkdir, stat } from "node:fs/promises";
import path from "node:path";

/**
 * Makes `folder` and what is missing above it, and returns the folders made, the outermost first. Unlike `mkdir` with
 * `recursive`, it ends where the file system takes no folders (below /proc, for example), and says why.
 * @throws what the file system says, such as EACCES, EROFS, ENOTDIR, or ENOENT where it takes no folders.
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
