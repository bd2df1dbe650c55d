/**
 * `npm run bench:hostile`: runs every attack of `attacks/`, or those named, one after the other, each against its own
 * service, and prints the effect on innocent users: their p50 and p99 as a ratio to a quiet time in the same run, how
 * many of their requests failed, and how the service's resident memory grows. Exits with 1 if a ratio is above 3,
 * or above the attack's own limit, a request of theirs failed or the service did not survive. For Linux; it talks only to this machine.
 *
 * Attackers, database and innocent users share this machine's processors with the service; the processor time of each is printed,
 * with how long the service waited for a processor.
 *
 * The p99 of one round is decided by the four slowest of 400 requests, so each attack is played in several rounds
 * (`--rounds 3`), each with a service and a quiet time of its own, and the median of the rounds counts.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { median } from "../database.ts";
import { type Attack, knownAttacks } from "./attack.ts";
import { type Ended, type Fared, sumUp } from "./fared.ts";
import type { Outcome, ProcessorUse } from "./play.ts";

const MOST_RATIO = 3;

const attacks = await knownAttacks();
const known = [...attacks.keys()];
const {
  positionals,
  values: { rounds },
} = parseArgs({ allowPositionals: true, options: { rounds: { type: "string", default: "3" } } });
const names = positionals.length > 0 ? positionals : known;

/** Returns the median of the rounds, which a hiccup of the machine in one of them does not change. */
function fared(rounds: readonly (readonly Ended[])[]): Fared & { readonly p99s: string } {
  const all = rounds.map(sumUp);
  const sum = (of: (one: Fared) => number) => all.reduce((total, one) => total + of(one), 0);
  return {
    p50: median(all.map(({ p50 }) => p50)),
    p99: median(all.map(({ p99 }) => p99)),
    sent: sum(({ sent }) => sent),
    failed: sum(({ failed }) => failed),
    p99s: all.map(({ p99 }) => p99.toFixed(0)).join(", "),
  };
}

function judge(outcomes: readonly Outcome[], { mostRatio = MOST_RATIO }: Attack): { lines: string[]; ok: boolean } {
  const judged = (outcomes[0]?.innocent ?? []).map(({ doing }, at) => {
    const of = (time: "quiet" | "attacked") => fared(outcomes.map(({ innocent }) => innocent[at]?.[time] ?? []));
    const [quiet, attacked] = [of("quiet"), of("attacked")];
    const p50 = attacked.p50 / quiet.p50;
    const p99 = attacked.p99 / quiet.p99;
    const line = [
      `${doing}: p50 ×${p50.toFixed(1)} (${quiet.p50.toFixed(1)} to ${attacked.p50.toFixed(1)} ms)`,
      `p99 ×${p99.toFixed(1)} (${quiet.p99.toFixed(1)} to ${attacked.p99.toFixed(1)} ms; rounds ${quiet.p99s} to ${attacked.p99s})`,
      `${attacked.failed} of ${attacked.sent} failed`,
    ].join(", ");
    return { line, ok: attacked.failed === 0 && p50 <= mostRatio && p99 <= mostRatio };
  });
  const memoryBefore = Math.max(...outcomes.map((one) => one.memoryBefore));
  const memoryPeak = Math.max(...outcomes.map((one) => one.memoryPeak));
  const memory = `memory ${memoryBefore.toFixed(0)} to ${memoryPeak.toFixed(0)} MiB`;
  const share = (of: keyof ProcessorUse) =>
    `${(median(outcomes.map(({ processor }) => processor[of])) * 100).toFixed(0)} %`;
  const use = `of a processor: service ${share("service")} and ${share("waited")} waiting for one, PostgreSQL ${share("postgres")}, attackers ${share("attackers")}`;
  const survived = outcomes.every((one) => one.survived);
  const lines = [
    ...judged.map(({ line }) => line),
    ...[use, memory, ...(survived ? [] : ["the service did not survive"])],
  ];
  return { lines, ok: survived && judged.every(({ ok }) => ok) };
}

async function playRound(name: string): Promise<Outcome> {
  const round = fork(fileURLToPath(new URL("./round.ts", import.meta.url)), [name]);
  const exit = once(round, "exit");
  const [outcome] = await Promise.race([
    once(round, "message"),
    exit.then(() => Promise.reject(new Error("a round failed"))),
  ]);
  await exit;
  return outcome;
}

for (const name of names) {
  const attack = attacks.get(name);
  if (!attack) throw new Error(`there is no attack ${name}; there are: ${known.join(", ")}`);
  console.log(`\n${name}: ${attack.what}`);
  const outcomes: Outcome[] = [];
  while (outcomes.length < Number(rounds)) outcomes.push(await playRound(name));
  const { lines, ok } = judge(outcomes, attack);
  console.log([ok ? "ok" : "MISSED", ...lines].map((line) => `  ${line}`).join("\n"));
  if (!ok) process.exitCode = 1;
}
