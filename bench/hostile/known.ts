import { readdir } from "node:fs/promises";
import type { Attack } from "./attack.ts";

/** A file has one attack, named as the file is, or several with their names. */
type AttackFile = { readonly attack: Attack } | { readonly attacks: Readonly<Record<string, Attack>> };

/** Returns all attacks of `attacks/` with their names. */
export async function knownAttacks(): Promise<ReadonlyMap<string, Attack>> {
  const folder = new URL("./attacks/", import.meta.url);
  const known = new Map<string, Attack>();
  for (const file of (await readdir(folder)).sort()) {
    const made = (await import(new URL(file, folder).href)) as AttackFile;
    const attacks = "attacks" in made ? made.attacks : { [file.replace(/\.ts$/, "")]: made.attack };
    for (const [name, attack] of Object.entries(attacks)) known.set(name, attack);
  }
  return known;
}
