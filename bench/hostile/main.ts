/**
 * `npm run bench:hostile`: runs every attack of `attacks/`, or those named, one after the other, each against its own
 * service, and prints the effect on innocent users: their p50 and p99 as a ratio to a quiet time in the same run, how
 * many of their requests failed, and how the service's resident memory grows. Exits with 1 if a ratio is above 3,
 * or above the attack's own limit, a request of theirs failed, or the service did not survive. For Linux; it talks only to this machine.
 *
 * Attackers, database and innocent users share this machine's processors with the service. To tell how much of a ratio is
 * theirs, the same attack is played once more against a bare `node:http` server that gives the same answers, while the
 * innocent users go on using the service; and the processor time of each is printed, with how long the service waited for
 * a processor.
 */
import { readdir } from "node:fs/promises";
import type { Attack } from "./attack.ts";
import { type Outcome, play } from "./play.ts";

const MOST_RATIO = 3;

/** A file has one attack, named as the file is, or several with their names. */
type AttackFile = { readonly attack: Attack } | { readonly attacks: Readonly<Record<string, Attack>> };

const folder = new URL("./attacks/", import.meta.url);
const known = new Map<string, Attack>();
for (const file of (await readdir(folder)).sort()) {
  const made = (await import(new URL(file, folder).href)) as AttackFile;
  const attacks = "attacks" in made ? made.attacks : { [file.replace(/\.ts$/, "")]: made.attack };
  for (const [name, attack] of Object.entries(attacks)) known.set(name, attack);
}
const names = process.argv.length > 2 ? process.argv.slice(2) : [...known.keys()];

function judge(
  { innocent, processor, memoryBefore, memoryPeak, survived }: Outcome,
  { mostRatio = MOST_RATIO }: Attack,
): { lines: string[]; ok: boolean } {
  const fared = innocent.map(({ doing, quiet, attacked, beside }) => {
    const p50 = attacked.p50 / quiet.p50;
    const p99 = attacked.p99 / quiet.p99;
    const parts = [
      `${doing}: p50 ×${p50.toFixed(1)} (${quiet.p50.toFixed(1)} to ${attacked.p50.toFixed(1)} ms)`,
      `p99 ×${p99.toFixed(1)} (${quiet.p99.toFixed(1)} to ${attacked.p99.toFixed(1)} ms)`,
      `${attacked.failed} of ${attacked.sent} failed`,
      `while a bare server is attacked p50 ×${(beside.p50 / quiet.p50).toFixed(1)}, p99 ×${(beside.p99 / quiet.p99).toFixed(1)}`,
    ];
    return { line: parts.join(", "), ok: attacked.failed === 0 && p50 <= mostRatio && p99 <= mostRatio };
  });
  const memory = `memory ${memoryBefore.toFixed(0)} to ${memoryPeak.toFixed(0)} MiB`;
  const percent = (share: number) => `${(share * 100).toFixed(0)} %`;
  const { service, waited, postgres, attackers } = processor;
  const use = `of a processor: service ${percent(service)} and ${percent(waited)} waiting for one, PostgreSQL ${percent(postgres)}, attackers ${percent(attackers)}`;
  const lines = [...fared.map(({ line }) => line), use, memory, ...(survived ? [] : ["the service did not survive"])];
  return { lines, ok: survived && fared.every(({ ok }) => ok) };
}

for (const name of names) {
  const attack = known.get(name);
  if (!attack) throw new Error(`there is no attack ${name}; there are: ${[...known.keys()].join(", ")}`);
  console.log(`\n${name}: ${attack.what}`);
  const { lines, ok } = judge(await play(attack), attack);
  console.log([ok ? "ok" : "MISSED", ...lines].map((line) => `  ${line}`).join("\n"));
  if (!ok) process.exitCode = 1;
}
