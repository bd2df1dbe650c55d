import { execFile } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { access, mkdir, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { loadPages, type Pages } from "./load.ts";

/** What the built application depends on, below the project's folder. */
const FOLDERS = ["web", "contract", "domain"];
const FILES = ["package-lock.json", "server/pages/build.ts"];

/** Returns a hash of everything that the built application depends on: the same sources have the same hash. */
async function hashOfSources(root: string): Promise<string> {
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

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const PROGRAM = fileURLToPath(new URL("build.ts", import.meta.url));

/** The build of a packed service (`npm run pack`), which has no sources that it could differ from. */
export const PACKED = "web";

/** Folders of built applications, and of those that are being built. */
const BUILT = /^web-/;

/** Returns whether the packages are installed that only builds need. */
function isBuildable(): boolean {
  try {
    import.meta.resolve("vite");
    return true;
  } catch {
    return false;
  }
}

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

/**
 * Returns the web application, and builds it first if there is no build of the current sources. `onBuild` is called
 * before it is built. Several processes may do this at the same time: each builds into a folder of its own, and one of them
 * stays.
 */
export async function preparePages(onBuild: () => void = () => {}, root = ROOT): Promise<Pages> {
  const dist = join(root, "dist");
  if (await exists(join(dist, PACKED, "index.html"))) return await loadPages(join(dist, PACKED));
  const name = `web-${await hashOfSources(root)}`;
  const folder = join(dist, name);
  if (await exists(join(folder, "index.html"))) return await loadPages(folder);
  if (!isBuildable()) {
    throw new Error(
      "the web application is not built, and what builds it is not installed: run npm ci and npm run build, then npm ci --omit=dev",
    );
  }
  onBuild();
  await mkdir(dist, { recursive: true });
  const fresh = join(dist, `${name}-${randomUUID()}`);
  try {
    // The environment of the service changes nothing in what is built.
    await promisify(execFile)(process.execPath, [PROGRAM, fresh], { cwd: root, env: { NODE_ENV: "production" } });
    const pages = await loadPages(fresh);
    // Fails if another process was quicker; its result is the same.
    await rename(fresh, folder).catch(() => {});
    await removeOthers(dist, name);
    return pages;
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

/**
 * Removes builds of other sources, except those that another process is making. A process that serves one has it in
 * memory.
 */
async function removeOthers(dist: string, kept: string): Promise<void> {
  const stale = (await readdir(dist)).filter(
    (name) => BUILT.test(name) && name.length === kept.length && name !== kept,
  );
  await Promise.all(stale.map((name) => rm(join(dist, name), { recursive: true, force: true })));
}
