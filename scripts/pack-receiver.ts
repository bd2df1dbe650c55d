/**
 * Packs what receivers install: the module built to JavaScript, its types and its guide, under the project's name and
 * version but without its dependencies. An argument names the folder for the package; by default `dist`.
 */
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const destination = resolve(process.argv[2] ?? join(root, "dist"));

const { name, version, license } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const manifest = {
  name,
  version,
  license,
  description: "Verifies the webhooks of the estimation service and types their events.",
  type: "module",
  sideEffects: false,
  engines: { node: ">=18" },
  exports: {
    "./webhooks": { types: "./webhooks/index.d.ts", default: "./webhooks/index.js" },
    "./package.json": "./package.json",
  },
};

const staging = mkdtempSync(join(tmpdir(), "estimation-receiver-"));
try {
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  const project = join(root, "receiver/tsconfig.json");
  execFileSync(process.execPath, [compiler, "-p", project, "--outDir", join(staging, "webhooks")], {
    stdio: "inherit",
  });
  writeFileSync(join(staging, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  copyFileSync(join(root, "LICENSE"), join(staging, "LICENSE"));
  copyFileSync(join(root, "docs/webhooks.md"), join(staging, "README.md"));
  mkdirSync(destination, { recursive: true });
  execFileSync("npm", ["pack", staging, "--pack-destination", destination, "--silent"], { stdio: "inherit" });
} finally {
  rmSync(staging, { recursive: true });
}
