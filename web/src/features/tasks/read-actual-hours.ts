/** Returns the hours that a text says, with a point or a comma; null for an empty text, undefined for one that says none. */
export function readActualHours(text: string): number | null | undefined {
  const written = text.trim().replace(",", ".");
  if (written === "") return null;
  if (!/^\d+(\.\d+)?$|^\.\d+$/.test(written)) return undefined;
  return Math.round(Number(written) * 100) / 100;
}
