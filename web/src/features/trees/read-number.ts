/** Reads a number as people write it; null for nothing, undefined for what is no number. */
export function readNumber(typed: string): number | null | undefined {
  const text = typed.trim().replaceAll(/\s/g, "").replace(",", ".");
  if (text === "") return null;
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) : undefined;
}
