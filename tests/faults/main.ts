/**
 * Runs everything that can go wrong with deliveries and exports, at full size: `npm run test:faults`. A number as argument
 * is the seed of the exports, to repeat what went wrong. On two processors on which nothing else runs it takes about a quarter
 * of an hour, of which the deliveries take two minutes; elsewhere it may take as long as something goes on. One finding is a
 * time, how soon another worker takes over: only that needs such a machine.
 */
import { deaths } from "./deaths.ts";
import { tellExportStory } from "./exports/story.ts";
import { holds, sayFinding } from "./finding.ts";
import { tellStory } from "./story.ts";

/** The time within which the deliveries of a dead worker must be taken over. */
const TAKEOVER_MS = 25_000;

const begin = performance.now();
const seconds = () => `${((performance.now() - begin) / 1_000).toFixed(0).padStart(4)} s`;
const tell = (line: string) => console.log(`${seconds()}  ${line}`);
const seed = Number(process.argv[2] ?? Math.floor(Math.random() * 1e9));
const size = { seed, rounds: 8, groups: 4, faulty: 0.25, disasters: { kill: 2, crash: 1, pause: 1 } };
const ofGithub = await tellExportStory("github", { ...size, strikes: "chance" }, tell);
const ofJira = await tellExportStory("jira", { ...size, strikes: "chance" }, tell);
const ofDeliveries = await tellStory(
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
  tell,
);
const findings = [...ofGithub, ...ofJira, ...ofDeliveries];
console.log(`${seconds()}  done\n`);
for (const finding of findings) console.log(sayFinding(finding));
if (!findings.every(holds)) process.exitCode = 1;
