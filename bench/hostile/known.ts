import { readdir } from "node:fs/promises";
import type { Attack } from "./attack.ts";
import type { Outage } from "./outage.ts";

/** A file has one attack, named as the file is, or several with their names. */
type AttackFile = { readonly attack: Attack } | { readonly attacks: Readonly<Record<string, Attack>> };

/** Returns all attacks of `attacks/` with their names. */
export async function knownAttacks(): Promise<ReadonlyMap<string, Attack>> {
  const known = new Map<string, Attack>();
  for (const [name, made] of await load<AttackFile>("attacks")) {
    const attacks = "attacks" in made ? made.attacks : { [name]: made.attack };
    for (const [name, attack] of Object.entries(attacks)) known.set(name, attack);
  }
  return known;
}

/** Returns all outages of `outages/` with their names. */
export async function knownOutages(): Promise<ReadonlyMap<string, Outage>> {
  const made = await load<{ readonly outage: Outage }>("outages");
  return new Map(made.map(([name, { outage }]) => [name, outage]));
}

/** Imports every file of a folder; returns each with its name. */
async function load<File>(name: string): Promise<[string, File][]> {
  const folder = new URL(`./${name}/`, import.meta.url);
  const files = (await readdir(folder)).sort();
  return Promise.all(
    files.map(async (file) => [file.replace(/\.ts$/, ""), (await import(new URL(file, folder).href)) as File]),
  );
}
