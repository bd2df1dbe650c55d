// The entry. It must load and run on any Node.js there may be, however old, to say what is missing; nothing newer than
// what Node.js 12 understands belongs here.
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const needed = 24;

function installed(path) {
  return fileURLToPath(new URL(`./node_modules/${path}`, import.meta.url));
}

function missing() {
  if (!existsSync(installed(""))) return "is not installed yet; run: npm ci";
  const isPacked = !existsSync(fileURLToPath(new URL("./package-lock.json", import.meta.url)));
  if (Number(process.versions.node.split(".")[0]) >= needed) return "";
  const old = `needs Node.js ${needed} or newer, and this is ${process.version}`;
  if (isPacked) return old;
  const runtime = installed("node/package.json");
  if (!existsSync(runtime)) return `${old}; run npm ci --include=dev, then start it with npm: npm start`;
  // The package holds no program until its install script has run.
  const program = installed(process.platform === "win32" ? "node/bin/node.exe" : "node/bin/node");
  const { version } = JSON.parse(readFileSync(runtime, "utf8"));
  const words = process.argv.slice(2);
  const command = words.length === 0 || words[0] === "serve" ? "npm start" : `npx node main.js ${words.join(" ")}`;
  if (existsSync(program)) return `${old}; run it with npm, which brings Node.js ${version}: ${command}`;
  return `${old}; npm has not run the install scripts that bring ${version}: run npm ci without --ignore-scripts`;
}

function refuse(fault) {
  console.error(`estimation-service ${fault}`);
  process.exitCode = 1;
}

const fault = missing();
if (fault !== "") {
  refuse(fault);
} else {
  // What `npm run pack` makes of it starts faster.
  const bundle = new URL("./bundle/main.js", import.meta.url);
  import("./server/platform/quick-imports.ts")
    .then(() => (existsSync(fileURLToPath(bundle)) ? import(bundle.href) : import("./server/main.ts")))
    .catch((error) => {
      if (error.code !== "ERR_MODULE_NOT_FOUND" || !/package/.test(error.message)) throw error;
      refuse(`is not completely installed (${error.message}); run: npm ci`);
    });
}
