const HOUR_MS = 3_600_000;

/**
 * Returns the moment as of which work is planned: now, rounded down to the hour (of UTC). So plans and forecasts that are asked for
 * within an hour are the same, whichever process computes them, and can be cached.
 */
export const asOfAt = (now: Date): string => new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS).toISOString();
