import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** Folders without code of our own. */
const FOREIGN = ["node_modules", "data", "dist", "docs", "deploy"];

/** The repository's folders, except those without code. */
export const folders = readdirSync(root, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !entry.name.startsWith(".") && !FOREIGN.includes(entry.name))
  .map(({ name }) => name);

/** Every file of code in the repository, as a path below its root. */
export const files = [
  ...readdirSync(root),
  ...folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((file) => join(folder, file)),
  ),
].filter((file) => /\.[cm]?[jt]sx?$/.test(file));

export const textOf = (file: string): string => readFileSync(join(root, file), "utf8");

/** Returns whether a file exists for tests only. */
export const isTest = (file: string): boolean => /\.test\.ts$|\/(fixtures|testing|runtimes)\//.test(file);

export interface Import {
  readonly from: string;
  /** Path below the root, or the name of a package. */
  readonly to: string;
  readonly typeOnly: boolean;
  /** What is imported, or exported again. */
  readonly names: readonly string[];
}

const STATEMENT = /^(?:import|export)\s(type\s)?(?:([^"';]*?)\sfrom\s)?"([^"]+)";|\bimport\(()"([^"]+)"\)/gms;

export const imports: readonly Import[] = files.flatMap((from) =>
  [...textOf(from).matchAll(STATEMENT)].map(([, type, clause = "", named, , loaded]) => {
    const target = named ?? loaded ?? "";
    const to = target.startsWith(".") ? relative(root, join(root, dirname(from), target)) : target;
    return { from, to, typeOnly: type !== undefined, names: clause.match(/\w+/g) ?? [] };
  }),
);
