/** Why a text with a number is not read as hours, as what to write instead. */
export const hoursFaults = {
  unreadable: "write hours such as 8, 2d, 4-16 or 4-16-34",
  comma: "write a point for decimals, such as 1.5, and nothing between thousands",
  point: "write a comma for decimals, such as 1,5, and nothing between thousands",
  decimals: "write hours with at most two decimals, and nothing between thousands",
  two: "two numbers are a range, or a slip: write 4-16 or three numbers",
  fraction: "a fraction, or two numbers: write 0.5 or 1-2",
  months: "minutes to some programs, months to others: write min or h instead of m",
  isoDays: "days and weeks have 24 hours a day in P2DT12H and 8 here: write hours, such as PT20H",
  unit: "write one of the units min, h, d and w",
  rising: "write the larger unit first, such as 1w 2d, or a range with its hyphen, 2d-1w",
  lastUnit: "write the unit behind the last number, which gives it to all, or behind each",
} as const;

export type HoursFault = keyof typeof hoursFaults;
