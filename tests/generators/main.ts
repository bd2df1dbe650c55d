/**
 * Generates clients from the description of a running service with the tools that are used most, compiles them, and does a
 * job with each, also in Python and Go: `npm run test:generators`. The tools come from the npm registry into a temporary folder
 * (about 190 MB). Exits with 1 where one of them fails.
 */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { tryLanguages } from "./languages.ts";

const TOOLS = {
  "@hey-api/openapi-ts": "0.99.0",
  "@types/node": "24.19.2",
  "openapi-fetch": "0.17.0",
  "openapi-typescript": "7.13.0",
  // The newest one whose parts are all in the registry.
  orval: "8.30.0",
  quicktype: "26.0.0",
  typescript: "5.9.3",
};

const execute = promisify(execFile);
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Starts the service on a new data directory; resolves with its address once it has greeted. */
async function startService(dataDir: string) {
  const child = spawn(process.execPath, [here("../../main.js"), "serve"], {
    env: { PATH: process.env.PATH, PORT: "0", LOG_LEVEL: "warn", DATA_DIR: dataDir },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "close");
  const stop = async () => {
    child.kill("SIGTERM");
    await ended;
  };
  for await (const line of createInterface(child.stdout)) {
    const url = /API +(\S+)\/api$/.exec(line)?.[1];
    if (url) return { url, stop };
  }
  throw new Error("the service did not start");
}

async function generateAndRun(folder: string, url: string): Promise<void> {
  const runWith = async (variables: Readonly<Record<string, string>>, program: string, ...words: string[]) => {
    const options = { cwd: folder, maxBuffer: 2 ** 26, env: { ...process.env, ...variables } };
    const { stdout } = await execute(program, words, options).catch(({ message, stdout, stderr }) => {
      throw new Error(`${message}\n${stdout}${stderr}`);
    });
    return stdout;
  };
  const run = (program: string, ...words: string[]) => runWith({}, program, ...words);
  const tool = (name: string, ...words: string[]) => run(join(folder, "node_modules/.bin", name), ...words);
  await writeFile(join(folder, "package.json"), JSON.stringify({ private: true, type: "module", dependencies: TOOLS }));
  await cp(here("jobs"), folder, { recursive: true });
  await mkdir(join(folder, "generated"));
  console.log("installing the tools");
  await run("npm", "install", "--ignore-scripts", "--no-audit", "--no-fund");
  const response = await fetch(`${url}/api/openapi.json`);
  await writeFile(join(folder, "openapi.json"), await response.text());
  const orval = {
    api: { input: "./openapi.json", output: { target: "./generated/orval.ts", client: "fetch", baseUrl: url } },
  };
  await writeFile(join(folder, "orval.config.mjs"), `export default ${JSON.stringify(orval)};\n`);
  console.log("generating and compiling clients");
  await tool("openapi-typescript", "openapi.json", "--output", "generated/openapi-typescript.ts");
  await tool(
    "openapi-ts",
    "--input",
    "openapi.json",
    "--output",
    "generated/hey-api",
    "--client",
    "@hey-api/client-fetch",
  );
  await tool("orval", "--config", "orval.config.mjs");
  await tool("tsc", "--project", ".");
  const { files } = JSON.parse(await readFile(join(folder, "tsconfig.json"), "utf8")) as { files: string[] };
  for (const file of files) {
    await run(process.execPath, join("dist", file.replace(/ts$/, "js")), url);
    console.log(`${file.replace(/\.ts$/, "")}: did its job`);
  }
  console.log("generating and compiling types of other languages");
  await tryLanguages(folder, url, runWith);
}

const folder = await mkdtemp(join(tmpdir(), "estimation-generators-"));
const { url, stop } = await startService(join(folder, "data"));
try {
  await generateAndRun(folder, url);
} finally {
  await stop();
  await rm(folder, { recursive: true });
}
