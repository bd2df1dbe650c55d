/**
 * Runs every script of `package.json` whose name begins with `check:`, as many at once as there are processors, and prints
 * what each found, the ones that failed last. Fails if one of them fails.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { text } from "node:stream/consumers";

const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
const waiting = Object.keys(scripts).filter((name) => name.startsWith("check:"));

const failed: string[] = [];

/** Runs the script `name`, and prints its command with all that it printed when it has ended, or keeps that if it failed. */
async function run(name: string): Promise<void> {
  const child = spawn(process.execPath, ["--run", name], { stdio: ["ignore", "pipe", "pipe"] });
  const [out, err, [code, signal]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  const output = `> ${scripts[name]}\n${out}${err}`;
  if (code === 0) console.log(output);
  else failed.push(`${output}${name} failed (${signal ?? code})\n`);
}

async function runWaiting(): Promise<void> {
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) await run(name);
}

await Promise.all(Array.from({ length: availableParallelism() }, runWaiting));
for (const output of failed) console.error(output);
if (failed.length > 0) process.exitCode = 1;
