/** Steps, in hours, to which the hours of tasks can be rounded. Apart from the schemas, so that a browser can load it alone. */
export const roundings = [0.01, 0.25, 0.5, 1] as const;
export type Rounding = (typeof roundings)[number];
