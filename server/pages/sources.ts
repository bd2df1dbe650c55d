import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** What the built application depends on, below the project's folder. */
const FOLDERS = ["web", "contract", "domain"];
const FILES = ["package-lock.json", "server/pages/build.ts"];

/** Returns a hash of everything that the built application depends on: the same sources have the same hash. */
export async function hashOfSources(root: string): Promise<string> {
  const below = await Promise.all(
    FOLDERS.map(async (folder) => {
      const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true });
      return entries
        .filter((entry) => entry.isFile() && !entry.name.endsWith(".test.ts"))
        .map((entry) => join(entry.parentPath, entry.name).slice(root.length));
    }),
  );
  const paths = [...below.flat(), ...FILES].toSorted();
  const contents = await Promise.all(paths.map((path) => readFile(join(root, path))));
  const hash = createHash("sha256");
  for (const [index, path] of paths.entries()) {
    const content = contents[index] as Buffer;
    hash.update(`${path.replaceAll("\\", "/")} ${content.length}\n`).update(content);
  }
  return hash.digest("hex").slice(0, 16);
}
