/** A way to write hours, or one that is refused, with an example of it. */
export interface Form {
  readonly example: string;
  /** Optimistic, likely and pessimistic hours; null where it is refused. */
  readonly hours: readonly [number, number, number] | null;
  readonly meaning: string;
}

/** How hours are written: the table of `docs/reference/hours.md`, whose examples a test reads. */
export const forms: readonly Form[] = [
  { example: "4", hours: [4, 4, 4], meaning: "one number stands for all three points" },
  { example: "4-16", hours: [4, 10, 16], meaning: "optimistic and pessimistic; the likely hours are in the middle" },
  { example: "4-16-34", hours: [4, 16, 34], meaning: "optimistic, likely and pessimistic; any dash, also with spaces" },
  { example: "4/16/34", hours: [4, 16, 34], meaning: "the same" },
  { example: "4 16 34", hours: [4, 16, 34], meaning: "the same" },
  { example: "4 to 16", hours: [4, 10, 16], meaning: "the same as 4-16; also `bis`, `…` and `..`" },
  { example: "2d-1w", hours: [16, 28, 40], meaning: "each number with its unit" },
  { example: "3-5d", hours: [24, 32, 40], meaning: "a unit behind the last number holds for all that have none" },
  { example: "2 Tage", hours: [16, 16, 16], meaning: "units as words, in English and German" },
  { example: "1d 12h", hours: [20, 20, 20], meaning: "units that differ and descend are one duration; also `1w 5d`" },
  { example: "2h30min", hours: [2.5, 2.5, 2.5], meaning: "the same" },
  { example: "2:30", hours: [2.5, 2.5, 2.5], meaning: "hours and minutes" },
  { example: "PT4H30M", hours: [4.5, 4.5, 4.5], meaning: "ISO 8601, without days" },
  { example: ".5", hours: [0.5, 0.5, 0.5], meaning: "decimals; hours have at most two" },
  { example: "1½", hours: [1.5, 1.5, 1.5], meaning: "a fraction, also `1 1/2`" },
  {
    example: "~4h",
    hours: [4, 4, 4],
    meaning: "about: also `ca. 4h`, `about 4h`, `etwa 4h`, `4h?`; it changes nothing",
  },
  { example: "4 16", hours: null, meaning: "a range, or a slip? Write `4-16`" },
  { example: "1/2", hours: null, meaning: "half, or 1 to 2? Write `0.5` or `1-2`" },
  { example: "1,250", hours: null, meaning: "thousands, or decimals? Write `1250` or `1.25`" },
  { example: "30m", hours: null, meaning: "minutes, or months? Write `30min`, or hours" },
  { example: "P2DT12H", hours: null, meaning: "days of 24 hours; write hours" },
  { example: "2d 1w", hours: null, meaning: "units that rise; write `1w 2d`, or `2d-1w` for a range" },
  { example: "1d-3", hours: null, meaning: "a unit that the last number lacks; write `1-3d`" },
];
