/**
 * `npm run measure:dependencies`: reads from the registry and from `node_modules` what the page of the dependencies says of their
 * size and age, which change without any change of ours.
 */
import { execFileSync } from "node:child_process";
import { readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { MEASURED_FILE, type Measured } from "./page.ts";
import { purposes } from "./purposes.ts";

/** Returns the size of the files below a folder, in bytes. */
function bytesBelow(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((bytes, { parentPath, name }) => bytes + statSync(join(parentPath, name)).size, 0);
}

/** Returns the day of the newest release, as YYYY-MM-DD. */
function lastRelease(name: string): string {
  const times: unknown = JSON.parse(execFileSync("npm", ["view", name, "time", "--json"], { encoding: "utf8" }));
  const days = Object.entries(times as Record<string, string>)
    .filter(([version]) => /^\d/.test(version))
    .map(([, time]) => time.slice(0, 10));
  return days.toSorted().at(-1) ?? "";
}

const measured = Object.keys(purposes)
  .toSorted()
  .map((name): [string, Measured] => [
    name,
    { kilobytes: Math.ceil(bytesBelow(join("node_modules", name)) / 1000), lastRelease: lastRelease(name) },
  ]);
writeFileSync(MEASURED_FILE, `${JSON.stringify(Object.fromEntries(measured), null, 2)}\n`);
