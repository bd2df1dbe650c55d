/** Simulates many people at once for a minute, and checks what is stored afterwards: `npm run test:load`. */
import { holds, sayFinding } from "../faults/finding.ts";
import { tellLoad } from "./story.ts";

const begin = performance.now();
const seconds = () => `${((performance.now() - begin) / 1_000).toFixed(0).padStart(4)} s`;
const { findings, tally } = await tellLoad(
  { users: 100, actionsEach: Number.POSITIVE_INFINITY, forMs: 60_000, pauseMs: 500 },
  (line) => console.log(`${seconds()}  ${line}`),
);
console.log(`${seconds()}  done\n`);
console.log(`${tally.lines().join("\n")}\n`);
for (const finding of findings) console.log(sayFinding(finding));
if (!findings.every(holds)) process.exitCode = 1;
