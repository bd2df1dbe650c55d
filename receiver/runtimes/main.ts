/**
 * Verifies deliveries with the packed package under the runtimes and compilers that it is made for, each taken from the npm
 * registry into a temporary folder (about 1 GB). Linux and macOS. Exits with 1 where one of them fails.
 */
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { exampleDeliveries } from "../testing/deliveries.ts";
import { checkModule, type EmptyProject, installPacked, run } from "../testing/empty-project.ts";
import { workerdConfig } from "./workerd.ts";

const node = (version: string) => `npm:node-${process.platform}-${process.arch}@${version}`;
const PACKAGES = {
  node18: node("18.20.8"),
  node20: node("20.20.2"),
  node22: node("22.23.3"),
  bun: "1.4.5",
  deno: "2.9.6",
  workerd: "1.20261117.1",
  typescript50: "npm:typescript@5.0.4",
  typescript59: "npm:typescript@5.9.3",
  typescript6: "npm:typescript@6.0.3",
};

const COMPILE = "--noEmit --strict --target es2022 --lib es2022 --moduleResolution bundler --module esnext typed.ts";

/** The program below a folder of packages for several platforms, of which npm has installed the one for this. */
async function programIn(folder: string, path: string): Promise<string> {
  const [platform = ""] = (await readdir(folder)).filter((name) => /bun-|workerd-|linux|darwin/.test(name));
  return join(folder, platform, path);
}

async function write(project: EmptyProject): Promise<void> {
  const check = 'import { check } from "./check.js";\n';
  const guide = await readFile(fileURLToPath(new URL("../../docs/webhooks.md", import.meta.url)), "utf8");
  await project.write("check.js", checkModule(exampleDeliveries()));
  await project.write("main.js", `${check}console.log(await check());\n`);
  await project.write(
    "main18.js",
    `globalThis.crypto ??= (await import("node:crypto")).webcrypto;\nawait import("./main.js");`,
  );
  await project.write("worker.js", `${check}export default { test: async () => console.log(await check()) };\n`);
  await project.write("worker.capnp", await workerdConfig(project.folder));
  await project.write("typed.ts", guide.split("```ts\n")[1]?.split("```")[0] ?? "");
}

/** What to run, by what it is called. */
async function commandsOf(modules: string): Promise<Record<string, string[]>> {
  const tsc = (name: string) => [process.execPath, join(modules, name, "bin/tsc"), ...COMPILE.split(" ")];
  return {
    "Node.js 18, given Web Crypto": [join(modules, "node18/bin/node"), "main18.js"],
    "Node.js 20": [join(modules, "node20/bin/node"), "main.js"],
    "Node.js 22": [join(modules, "node22/bin/node"), "main.js"],
    [`Node.js ${process.versions.node}`]: [process.execPath, "main.js"],
    Bun: [await programIn(join(modules, "@oven"), "bin/bun"), "--no-install", "main.js"],
    Deno: [
      await programIn(join(modules, "@deno"), "deno"),
      ..."run --node-modules-dir=manual --no-lock main.js".split(" "),
    ],
    workerd: [await programIn(join(modules, "@cloudflare"), "bin/workerd"), "test", "--verbose", "worker.capnp"],
    "TypeScript 5.0": tsc("typescript50"),
    "TypeScript 5.9": tsc("typescript59"),
    "TypeScript 6": tsc("typescript6"),
  };
}

const tools = await mkdtemp(join(tmpdir(), "estimation-runtimes-"));
const project = await installPacked();
try {
  await write(project);
  const specs = Object.entries(PACKAGES).map(([name, version]) => `${name}@${version}`);
  await run(tools, "npm", "install", "--prefix", tools, "--no-audit", "--no-fund", "--ignore-scripts", ...specs);
  for (const [name, [program = "", ...words]] of Object.entries(await commandsOf(join(tools, "node_modules")))) {
    try {
      const printed = await project.run(program, ...words);
      console.log(`ok      ${name}  ${printed.trim()}`);
    } catch (error) {
      process.exitCode = 1;
      console.log(`FAILED  ${name}\n${error instanceof Error ? error.message : error}`);
    }
  }
} finally {
  await project.remove();
  await rm(tools, { recursive: true });
}
