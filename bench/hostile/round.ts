/**
 * Plays one round of the named attack or outage and sends the outcome to the parent process. In a process of its own, because it lowers
 * its priority, which everything that it starts later would have too.
 */
import { knownAttacks, knownOutages } from "./known.ts";
import { play } from "./play.ts";
import { playOutage } from "./play-outage.ts";

const [, , name = "", bare = ""] = process.argv;
const attack = (await knownAttacks()).get(name);
const outage = (await knownOutages()).get(name);
if (attack) process.send?.(await play(attack, { bare: bare === "bare" }));
else if (outage) process.send?.(await playOutage(outage));
else throw new Error(`there is no attack ${name}`);
