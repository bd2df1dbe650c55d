import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Newest versions that are tried, one after the other: not each one was published with all of its parts. */
const TRIED = 5;

/**
 * Directus without its sandbox for the scripts of its users: that part has to be compiled, and no list needs it.
 */
const PACKAGE = { private: true, overrides: { "isolated-vm": "file:./no-sandbox" } };
const NO_SANDBOX = { name: "isolated-vm", version: "5.0.3", main: "index.js" };

export interface Installed {
  readonly version: string;
  readonly folder: string;
}

/** Installs the newest version that installs into a temporary folder, which later runs use again. */
export function installDirectus(): Installed {
  const versions = JSON.parse(execFileSync("npm", ["view", "directus", "versions", "--json"], { encoding: "utf8" }));
  const newest = (versions as string[]).filter((version) => !version.includes("-")).slice(-TRIED);
  for (const version of newest.reverse()) {
    const folder = join(tmpdir(), `estimation-bench-directus-${version}`);
    const complete = join(folder, "complete");
    if (existsSync(complete)) return { version, folder };
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(join(folder, "no-sandbox"), { recursive: true });
    writeFileSync(join(folder, "package.json"), JSON.stringify(PACKAGE));
    writeFileSync(join(folder, "no-sandbox", "package.json"), JSON.stringify(NO_SANDBOX));
    writeFileSync(join(folder, "no-sandbox", "index.js"), "module.exports = {};\n");
    console.log(`installing directus ${version}, some minutes`);
    const words = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", `directus@${version}`];
    try {
      execFileSync("npm", words, { cwd: folder, stdio: ["ignore", "ignore", "pipe"], encoding: "utf8" });
    } catch (error) {
      const reason = error instanceof Error && "stderr" in error ? String(error.stderr) : String(error);
      console.log(`  it does not install: ${/(?:No matching|notarget) .*/.exec(reason)?.[0] ?? reason.slice(0, 300)}`);
      rmSync(folder, { recursive: true, force: true });
      continue;
    }
    writeFileSync(complete, "");
    return { version, folder };
  }
  throw new Error(`none of the newest ${TRIED} versions of directus installs`);
}
