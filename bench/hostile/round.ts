/**
 * Plays one round of the named attack and sends the outcome to the parent process. In a process of its own, because it lowers
 * its priority, which everything that it starts later would have too.
 */
import { knownAttacks } from "./attack.ts";
import { play } from "./play.ts";

const name = process.argv[2] ?? "";
const attack = (await knownAttacks()).get(name);
if (!attack) throw new Error(`there is no attack ${name}`);
process.send?.(await play(attack));
