/** The columns of the sheet Estimate, by their letters, and the row where its tree begins. */
export const column = {
  number: "A",
  level: "B",
  title: "C",
  description: "D",
  kind: "E",
  selected: "F",
  role: "G",
  quantity: "H",
  unit: "I",
  optimistic: "J",
  likely: "K",
  pessimistic: "L",
  expected: "M",
  weight: "N",
  deviation: "O",
} as const;

/** The totals stand above the tree, from the column of the optimistic hours on, so that they stay in view. */
export const total = {
  optimistic: "J",
  likely: "K",
  pessimistic: "L",
  expected: "M",
  standardDeviation: "N",
  p50: "O",
  p80: "P",
  p90: "Q",
  p95: "R",
} as const;

export const HOURS_ROW = 3;
const HEAD_ROW = 6;
export const FIRST_ROW = HEAD_ROW + 1;

/** Rows of the sheet Assumptions; what they say is in its second column. */
export const assumption = {
  estimation: 2,
  client: 3,
  revision: 4,
  exported: 5,
  correlation: 6,
  hourlyRate: 7,
  currency: 8,
  rounding: 9,
  hoursPerDay: 10,
  tau: 13,
  alpha: 14,
  beta: 15,
} as const;

export const ESTIMATE = "Estimate";
export const TASKS = "Tasks";
export const ASSUMPTIONS = "Assumptions";

/** Returns the address of what Assumptions says, from another sheet. */
export const assumed = (name: keyof typeof assumption): string => `${ASSUMPTIONS}!$B$${assumption[name]}`;

/** Returns the address of a total, from another sheet. */
export const totalHours = (name: keyof typeof total): string => `${ESTIMATE}!$${total[name]}$${HOURS_ROW}`;

/** Returns the address of a part of a column of the tree. */
export const range = (name: keyof typeof column, first: number, last: number): string =>
  `$${column[name]}$${first}:$${column[name]}$${last}`;
