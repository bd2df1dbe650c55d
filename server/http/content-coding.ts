/** How answers can be compressed; where a client accepts both alike the earlier one, which takes less time. */
export const codings = ["gzip", "br"] as const;
export type Coding = (typeof codings)[number];

/**
 * Returns the coding to compress a response with, from `Accept-Encoding` (RFC 9110, 12.5.3): the one with the highest
 * weight, or null where the client accepts none or prefers the answer as it is. Without the header nothing is compressed:
 * clients that cannot read it do not send one.
 */
export function codingFor(header: string | string[] | undefined): Coding | null {
  if (header === undefined || header.length === 0) return null;
  const weights = new Map(String(header).toLowerCase().split(",").map(weightOf));
  const of = (name: string, otherwise: number) => weights.get(name) ?? weights.get("*") ?? otherwise;
  const [best] = codings.map((coding) => ({ coding, weight: of(coding, 0) })).toSorted((a, b) => b.weight - a.weight);
  const plain = weights.get("identity") ?? 0;
  return best && best.weight > 0 && best.weight >= plain ? best.coding : null;
}

/** Returns a coding with its weight; what is no number counts as 0. */
function weightOf(part: string): readonly [name: string, weight: number] {
  const [name = "", ...parameters] = part.split(";").map((word) => word.trim());
  const q = parameters.find((word) => word.startsWith("q="));
  const weight = q === undefined ? 1 : Number(q.slice(2));
  return [name, Number.isNaN(weight) ? 0 : weight];
}
