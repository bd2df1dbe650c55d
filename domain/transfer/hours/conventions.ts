/** What separates decimals and groups of digits; `group` is null where nothing does. */
export interface Convention {
  readonly decimal: string;
  readonly group: string | null;
  /** Whether only the last group has three digits, and the others two, as in India. */
  readonly hasPairs: boolean;
  /** The most decimals that hours may have; without it, more are rounded. */
  readonly mostDecimals?: number;
}

/** What separates decimals in a text that does not follow the locale of a page. */
export type DecimalSign = "." | ",";

/** Spaces that no keyboard types by itself: between digits they separate groups, never numbers. */
const HARD_SPACE = /[\u00a0\u2009\u202f]/g;
const HARD = "\u202f";

/** Returns a text with one sign for each of those that mean the same between digits. */
export const alike = (text: string): string => text.replace(HARD_SPACE, HARD).replaceAll("'", "’");

/** Of a text with this decimal sign: nothing stands between thousands, so that `1,250` is never guessed. */
export const conventionOf = (decimal: DecimalSign): Convention => conventions[decimal];

const conventions: Readonly<Record<DecimalSign, Convention>> = {
  ".": { decimal: ".", group: null, hasPairs: false, mostDecimals: 2 },
  ",": { decimal: ",", group: null, hasPairs: false, mostDecimals: 2 },
};

/** How numbers are written anywhere. */
export const everywhere: readonly Convention[] = [
  ...[".", ","].flatMap((decimal) =>
    [".", ",", " ", HARD, "’"]
      .filter((group) => group !== decimal)
      .map((group) => ({ decimal, group, hasPairs: false })),
  ),
  { decimal: ".", group: ",", hasPairs: true },
];

/** Returns the number that a text is under a convention; null for none. */
export function numberUnder({ decimal, group, hasPairs }: Convention, text: string): number | null {
  const [whole = "", fraction, ...more] = text.split(decimal);
  if (more.length > 0 || (fraction !== undefined && !/^\d+$/.test(fraction))) return null;
  const groups = group === null ? [whole] : whole.split(group);
  if (!(groups.length === 1 ? /^\d*$/.test(whole) : areGroups(groups, hasPairs))) return null;
  const digits = groups.join("");
  if (digits === "" && fraction === undefined) return null;
  const value = Number(`${digits || "0"}.${fraction ?? "0"}`);
  return Number.isFinite(value) ? value : null;
}

/** Returns whether digits are in groups as they are written: the first does not begin with 0, the others are full. */
function areGroups(groups: readonly string[], hasPairs: boolean): boolean {
  const [first = ""] = groups;
  const isFull = (index: number) => (hasPairs && index < groups.length - 1 ? /^\d{2}$/ : /^\d{3}$/);
  const isFirst = hasPairs ? /^[1-9]\d?$/ : /^[1-9]\d{0,2}$/;
  return isFirst.test(first) && groups.slice(1).every((group, index) => isFull(index + 1).test(group));
}
