/**
 * Simulates 20 people at the whole service with its PostgreSQL in 512 MiB, with the setting that `docs/operations.md` names, and
 * prints what it took: `npm run test:small`. Needs root, for the limit.
 */
import { readFileSync } from "node:fs";
import { holds, sayFinding } from "../faults/finding.ts";
import { limitMemory } from "./memory-limit.ts";
import { setSmallStage } from "./small-stage.ts";
import { tellLoad } from "./story.ts";

const MEBIBYTE = 1024 * 1024;
const LIMIT = 512 * MEBIBYTE;
const SAMPLED_MS = 500;

const section =
  /## Small machines\n[\s\S]*?```ini\n([\s\S]*?)```/.exec(readFileSync("docs/operations.md", "utf8"))?.[1] ?? "";
const settings = Object.fromEntries(
  [...section.matchAll(/^(\w+)=(.*)$/gm)].map(([, name = "", value = ""]) => [name, value]),
);
console.log(`settings: ${JSON.stringify(settings)}`);

const limit = limitMemory(LIMIT);
let most = 0;
const sampling = setInterval(() => {
  most = Math.max(most, limit.anonymous());
}, SAMPLED_MS);
try {
  const { findings, tally } = await tellLoad(
    { users: 20, actionsEach: Number.POSITIVE_INFINITY, forMs: 60_000, pauseMs: 1_000 },
    (line) => console.log(line),
    () => setSmallStage(limit, settings),
  );
  const mebibytes = (bytes: number) => `${(bytes / MEBIBYTE).toFixed(0)} MiB`;
  console.log(
    `most memory of all processes: ${mebibytes(most)}; with files in memory ${mebibytes(limit.peak())} of ${mebibytes(LIMIT)}`,
  );
  console.log(`${tally.lines().join("\n")}\n`);
  const all = [...findings, { what: "processes ended for lack of memory", measured: limit.killed(), exactly: 0 }];
  for (const finding of all) console.log(sayFinding(finding));
  if (!all.every(holds)) process.exitCode = 1;
} finally {
  clearInterval(sampling);
  limit.remove();
}
