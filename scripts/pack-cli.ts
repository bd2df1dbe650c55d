/**
 * Packs the command line: one file of JavaScript that needs Node.js only (`estimate.mjs`), and the same as a package of npm that installs it
 * as `estimate`. An argument names the folder for both; by default `dist`.
 */
import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const root = fileURLToPath(new URL("..", import.meta.url));
const destination = resolve(process.argv[2] ?? join(root, "dist"));
const FILE = "estimate.mjs";

const { name, version, license, engines } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const manifest = {
  name: `${name}-cli`,
  version,
  license,
  description: "The estimation service on a command line.",
  type: "module",
  engines,
  bin: { estimate: FILE },
};

const staging = mkdtempSync(join(tmpdir(), "estimation-cli-"));
try {
  await build({
    ...{ root, configFile: false, publicDir: false, logLevel: "error" },
    define: { "process.env.ESTIMATE_VERSION": JSON.stringify(version) },
    ssr: { noExternal: true },
    build: {
      ...{ ssr: "clients/cli/main.ts", outDir: staging, target: "node24", minify: false },
      license: { fileName: "LICENCES.md" },
      rolldownOptions: { output: { entryFileNames: FILE, codeSplitting: false, banner: "#!/usr/bin/env node" } },
    },
  });
  chmodSync(join(staging, FILE), 0o755);
  writeFileSync(join(staging, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  copyFileSync(join(root, "LICENSE"), join(staging, "LICENSE"));
  copyFileSync(join(root, "docs/command-line.md"), join(staging, "README.md"));
  mkdirSync(destination, { recursive: true });
  copyFileSync(join(staging, FILE), join(destination, FILE));
  execFileSync("npm", ["pack", staging, "--pack-destination", destination, "--silent"], { stdio: "inherit" });
} finally {
  rmSync(staging, { recursive: true });
}
