/** Runs everything that can go wrong with deliveries, at full size: `npm run test:faults`. */
import { deaths } from "./deaths.ts";
import { holds, sayFinding } from "./finding.ts";
import { tellStory } from "./story.ts";

/** What was promised of the jobs of a worker that is gone. */
const TAKEOVER_MS = 15_000;

const begin = performance.now();
const seconds = () => `${((performance.now() - begin) / 1_000).toFixed(0).padStart(4)} s`;
const findings = await tellStory(
  {
    deaths,
    perDeath: 250,
    deathRounds: 2,
    killBesideAnother: true,
    takeoverMs: TAKEOVER_MS,
    perCrash: 1_250,
    crashes: 5,
    overdue: 50_000,
  },
  (line) => console.log(`${seconds()}  ${line}`),
);
console.log(`${seconds()}  done\n`);
for (const finding of findings) console.log(sayFinding(finding));
if (!findings.every(holds)) process.exitCode = 1;
