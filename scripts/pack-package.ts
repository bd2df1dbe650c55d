import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** A package that other programs install: modules without dependencies, with their types and a guide. */
export interface Package {
  /** Its name; default: the project's. */
  readonly name?: string;
  readonly description: string;
  /** The `tsconfig.json` that builds it, below the root. */
  readonly project: string;
  /** Folder of the package that it is built into. */
  readonly into: string;
  /** Module of the package that each of its entries is, without its ending. */
  readonly entries: Readonly<Record<`.${string}`, string>>;
  /** The oldest Node.js that it runs on. */
  readonly node: number;
  /** Its guide, below the root. */
  readonly guide: string;
}

/** Builds and packs a package with the project's version into `destination`, by default `dist`, and prints the file's name. */
export function packPackage(packed: Package, destination = join(root, "dist")): void {
  const { name, version, license } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const modules = Object.entries(packed.entries).map(([entry, module]) => [
    entry,
    { types: `./${module}.d.ts`, default: `./${module}.js` },
  ]);
  const manifest = {
    name: packed.name ?? name,
    version,
    license,
    description: packed.description,
    type: "module",
    sideEffects: false,
    engines: { node: `>=${packed.node}` },
    exports: { ...Object.fromEntries(modules), "./package.json": "./package.json" },
  };
  const staging = mkdtempSync(join(tmpdir(), "estimation-package-"));
  try {
    const compiler = join(root, "node_modules/typescript/bin/tsc");
    const words = ["-p", join(root, packed.project), "--outDir", join(staging, packed.into)];
    // Comments are for editors, which read them in the types: browsers load the code as it is.
    for (const part of [["--declaration", "false", "--removeComments"], ["--emitDeclarationOnly"]])
      execFileSync(process.execPath, [compiler, ...words, ...part], { stdio: "inherit" });
    writeFileSync(join(staging, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
    copyFileSync(join(root, "LICENSE"), join(staging, "LICENSE"));
    copyFileSync(join(root, packed.guide), join(staging, "README.md"));
    const folder = resolve(destination);
    mkdirSync(folder, { recursive: true });
    execFileSync("npm", ["pack", staging, "--pack-destination", folder, "--silent"], { stdio: "inherit" });
  } finally {
    rmSync(staging, { recursive: true });
  }
}
