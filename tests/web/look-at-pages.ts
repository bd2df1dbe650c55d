/**
 * `npm run test:pages` judges every page in every look by all rules; `npm test` judges in each look what differs there.
 * `npm run screenshots -- FOLDER` also writes a picture of each to the folder.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { resolve } from "node:path";

const [folder] = process.argv.slice(2);
const pictures = folder === undefined ? {} : { SCREENSHOTS: resolve(folder) };
if (folder !== undefined) mkdirSync(resolve(folder), { recursive: true });
const env = { ...process.env, ALL_LOOKS: "1", ...pictures };
const { status } = spawnSync("vitest", ["run", "--config", "vitest.long.config.ts", "tests/web/pages.test.ts"], {
  stdio: "inherit",
  env,
});
process.exitCode = status ?? 1;
