/** Everything that can go wrong with deliveries, in full size: `npm run test:faults`. */
import { deaths, holds, tellStory } from "./story.ts";

const begin = performance.now();
const seconds = () => `${((performance.now() - begin) / 1_000).toFixed(0).padStart(4)} s`;
const findings = await tellStory(
  { deaths, perDeath: 250, deathRounds: 2, perCrash: 1_250, crashes: 5, overdue: 50_000 },
  (line) => console.log(`${seconds()}  ${line}`),
);
console.log(`${seconds()}  done\n`);
for (const finding of findings) {
  const { what, measured, most, exactly } = finding;
  const allowed =
    exactly !== undefined ? `must be ${exactly}` : most !== undefined ? `at most ${Math.round(most)}` : "";
  const verdict = allowed === "" ? "      " : holds(finding) ? "holds " : "BROKEN";
  console.log(`${verdict}  ${String(Math.round(measured)).padStart(7)}  ${what}${allowed && ` (${allowed})`}`);
}
if (!findings.every(holds)) process.exitCode = 1;
