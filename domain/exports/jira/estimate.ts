const MINUTES = 60;

/** Returns hours in the whole minutes that Jira counts in, as text; no hours are 0. */
export const estimateOf = (hours: number | null): string => String(Math.round((hours ?? 0) * MINUTES));

/** Returns whether hours are whole minutes: 0.01 h are 36 seconds. */
export const isWhole = (hours: number): boolean => Math.abs(hours * MINUTES - Math.round(hours * MINUTES)) < 1e-6;

/** Returns minutes as Jira takes them: `12h 30m`. Days and weeks would depend on the site's settings. */
export function duration(estimate: string): string {
  const minutes = Number(estimate);
  const [hours, rest] = [Math.floor(minutes / MINUTES), minutes % MINUTES];
  return [...(hours > 0 ? [`${hours}h`] : []), ...(rest > 0 || hours === 0 ? [`${rest}m`] : [])].join(" ");
}

/** Returns seconds of Jira as an estimate. */
export const estimateOfSeconds = (seconds: number | null): string => String(Math.round((seconds ?? 0) / MINUTES));

/** Returns the hours of work logs in seconds, to two decimals; null: nobody has logged work. */
export const hoursOfSeconds = (seconds: readonly number[]): number | null =>
  seconds.length === 0 ? null : Math.round(seconds.reduce((sum, one) => sum + one, 0) / 36) / 100;
