/** Returns the first letters of the first and the last word of a name, and of an address only the first. */
export function initialsOf(name: string): string {
  const words = name.includes("@") ? [name] : name.split(/\s+/);
  const letters = words.flatMap((word) => /[\p{L}\p{N}]/u.exec(word)?.[0] ?? []);
  return [letters[0] ?? "?", ...letters.slice(1).slice(-1)].join("").toUpperCase();
}

/** Returns the hue of a name, from 0 to 359 degrees: always the same. */
export function hueOf(name: string): number {
  let hue = 0;
  for (const letter of name) hue = (hue * 31 + (letter.codePointAt(0) ?? 0)) % 360;
  return hue;
}
