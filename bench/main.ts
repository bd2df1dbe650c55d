/** `npm run bench`: what the claims about speed rest on, one after the other. Ends with 1 where a target is missed. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const BENCHES = ["roll-up.ts", "start.ts", "requests/main.ts"];

for (const bench of BENCHES) {
  console.log(`\n${bench}`);
  const { status } = spawnSync(process.execPath, [fileURLToPath(new URL(bench, import.meta.url))], {
    stdio: "inherit",
  });
  if (status !== 0) process.exitCode = 1;
}
