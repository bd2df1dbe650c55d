/** A unit of work: its hours, and the words that people write for it, in English and German. */
export interface Unit {
  readonly name: string;
  readonly hours: number;
  readonly words: readonly string[];
}

/** A day of work has 8 hours, a week 40. */
const HOURS_OF = { h: 1, d: 8, w: 40 } as const;

export const units: readonly Unit[] = [
  { name: "minute", hours: 1 / 60, words: "min mins minute minutes minuten".split(" ") },
  { name: "hour", hours: HOURS_OF.h, words: "h hr hrs hour hours std stunde stunden".split(" ") },
  {
    name: "day",
    hours: HOURS_OF.d,
    words: "d day days md pd tag tage tagen pt mt manntag manntage personentag personentage".split(" "),
  },
  { name: "week", hours: HOURS_OF.w, words: "w wk wks week weeks pw woche wochen".split(" ") },
];

const hoursOf = new Map(units.flatMap(({ hours, words }) => words.map((word) => [word, hours] as const)));

/** Returns the hours of a unit of work, such as `PT` or `Std.`; undefined for any other word. */
export const hoursOfUnit = (word: string): number | undefined => hoursOf.get(word.toLowerCase().replace(/\.$/, ""));
