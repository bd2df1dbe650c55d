/** The writes of a connection so far. Plain data that is stored as JSON; times are milliseconds since 1970. */
export interface Paced {
  readonly lastWriteAt: number | null;
  /** Writes of each minute, by its number since 1970; the last 61 of them at most. */
  readonly minutes: Readonly<Record<string, number>>;
  /** The tracker asks for a pause until this time. */
  readonly blockedUntil: number | null;
  /** How many times in a row the tracker said that requests come too fast. */
  readonly strikes: number;
}

/** How many writes there may be. */
export interface Rate {
  readonly writesPerMinute: number;
  /** In any hour. */
  readonly writesPerHour: number;
}

export const unpaced: Paced = { lastWriteAt: null, minutes: {}, blockedUntil: null, strikes: 0 };

const MINUTE_MS = 60_000;
/** An hour, and the minute that it began in: counted by whole minutes, no hour has more writes than allowed. */
const MINUTES = 61;
/** The longest growing pause. */
const PAUSE_MS_MAX = 3_600_000;

/** The longest pause: one that ends later was stored by a clock that was ahead. */
export const BLOCKED_MS_MAX = 24 * 3_600_000;

/**
 * Returns the record corrected for `nowMs`. Times stored by a clock that was ahead count as now; otherwise they would
 * delay the writes until the time that this clock showed.
 */
export function settled(paced: Paced, nowMs: number): Paced {
  const { lastWriteAt, blockedUntil } = paced;
  const now = minuteOf(nowMs);
  const minutes: Record<string, number> = {};
  for (const [minute, count] of Object.entries(paced.minutes)) {
    const counted = Math.min(Number(minute), now);
    minutes[counted] = (minutes[counted] ?? 0) + count;
  }
  return {
    ...paced,
    minutes,
    lastWriteAt: lastWriteAt === null ? null : Math.min(lastWriteAt, nowMs),
    blockedUntil: blockedUntil !== null && blockedUntil > nowMs + BLOCKED_MS_MAX ? null : blockedUntil,
  };
}

const minuteOf = (ms: number): number => Math.floor(ms / MINUTE_MS);

/** Returns the earliest time, not before `nowMs`, at which the next write may be sent. */
export function nextWriteAt(paced: Paced, { writesPerMinute, writesPerHour }: Rate, nowMs: number): number {
  const spaced = paced.lastWriteAt === null ? nowMs : paced.lastWriteAt + MINUTE_MS / writesPerMinute;
  const earliest = Math.max(nowMs, Math.ceil(spaced), paced.blockedUntil ?? 0);
  const past = Object.entries(paced.minutes)
    .map(([minute, count]) => ({ minute: Number(minute), count }))
    .sort((a, b) => b.minute - a.minute);
  // Goes back from the newest minute until the budget of an hour is used up: the oldest of those has to be over.
  let used = 0;
  for (const { minute, count } of past) {
    used += count;
    if (used >= writesPerHour) return Math.max(earliest, (minute + MINUTES) * MINUTE_MS);
  }
  return earliest;
}

/** Returns the record with one more write, at `atMs`. */
export function noteWrite(paced: Paced, atMs: number): Paced {
  const minute = minuteOf(atMs);
  const recent = Object.entries(paced.minutes).filter(([number]) => Number(number) > minute - MINUTES);
  const minutes = Object.fromEntries(recent);
  return { ...paced, lastWriteAt: atMs, minutes: { ...minutes, [minute]: (minutes[minute] ?? 0) + 1 } };
}

/**
 * Returns the record after the tracker asked for a pause until `untilMs`. Where pauses grow, each further one in a row is
 * twice as long as asked for, up to an hour.
 */
export function notePause(paced: Paced, untilMs: number, { grows, nowMs }: { grows: boolean; nowMs: number }): Paced {
  const askedMs = Math.max(0, untilMs - nowMs);
  const factor = grows ? 2 ** Math.min(paced.strikes, 12) : 1;
  const pauseMs = Math.max(askedMs, Math.min(askedMs * factor, PAUSE_MS_MAX));
  return {
    ...paced,
    blockedUntil: Math.max(paced.blockedUntil ?? 0, nowMs + pauseMs),
    strikes: grows ? paced.strikes + 1 : paced.strikes,
  };
}

/** Returns the record after a successful write: pauses no longer grow. */
export const noteSuccess = (paced: Paced): Paced => (paced.strikes === 0 ? paced : { ...paced, strikes: 0 });

/** Returns about when `writes` further writes will be done, if nothing else uses the connection. */
export function expectedEnd(paced: Paced, rate: Rate, writes: number, nowMs: number): number {
  const spacingMs = MINUTE_MS / rate.writesPerMinute;
  // A slow minute bounds the hour too.
  const writesPerHour = Math.min(rate.writesPerHour, 60 * rate.writesPerMinute);
  const begin = nextWriteAt(paced, rate, nowMs);
  const hour = minuteOf(begin) - MINUTES;
  const used = Object.entries(paced.minutes).reduce((sum, [minute, n]) => (Number(minute) > hour ? sum + n : sum), 0);
  const free = Math.max(0, writesPerHour - used);
  if (writes <= free) return begin + Math.max(0, writes - 1) * spacingMs;
  return begin + free * spacingMs + ((writes - free) / writesPerHour) * 3_600_000;
}
