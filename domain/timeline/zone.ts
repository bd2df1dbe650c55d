import { Temporal } from "temporal-polyfill";

/**
 * The offsets of a time zone from UTC between two instants: from `starts[k]` on, in seconds since 1970, it is `offsets[k]`
 * seconds. The first begins before everything that is asked for.
 */
export interface ZoneOffsets {
  readonly starts: readonly number[];
  readonly offsets: readonly number[];
}

/** Returns a time zone's name as the IANA database writes it; null if there is no such zone. */
export function zoneNamed(name: string): string | null {
  // Offsets such as `+02:00` are not zones: they have no rules for changes.
  if (!/^[A-Za-z]/.test(name)) return null;
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).timeZoneId;
  } catch {
    return null;
  }
}

/** Offsets that were looked up before: the library takes up to 0.3 s for a zone. */
const known = new Map<string, ZoneOffsets>();
const KNOWN_MAX = 100;

/** Returns the offsets of a zone from one instant to another, both in seconds since 1970. Throws for an unknown zone. */
export function zoneOffsets(timeZone: string, from: number, until: number): ZoneOffsets {
  const key = `${timeZone} ${from} ${until}`;
  const found = known.get(key) ?? lookUp(timeZone, from, until);
  // The most recently used are last, and the first one is dropped.
  known.delete(key);
  known.set(key, found);
  if (known.size > KNOWN_MAX) for (const first of [...known.keys()].slice(0, 1)) known.delete(first);
  return found;
}

function lookUp(timeZone: string, from: number, until: number): ZoneOffsets {
  let at = Temporal.Instant.fromEpochMilliseconds(from * 1_000).toZonedDateTimeISO(timeZone);
  const starts = [Number.NEGATIVE_INFINITY];
  const offsets = [secondsOf(at)];
  for (;;) {
    const next = at.getTimeZoneTransition("next");
    if (next === null || next.epochMilliseconds > until * 1_000) return { starts, offsets };
    starts.push(Math.floor(next.epochMilliseconds / 1_000));
    offsets.push(secondsOf(next));
    at = next;
  }
}

const secondsOf = ({ offsetNanoseconds }: Temporal.ZonedDateTime): number => Math.round(offsetNanoseconds / 1e9);

/**
 * Returns the instant of a local time, both in seconds since 1970. A local time in a gap becomes the end of the gap; of
 * the two instants of a local time in an overlap it is the earlier one.
 */
export function instantOfLocal({ starts, offsets }: ZoneOffsets, local: number): number {
  let part = 0;
  while (part + 1 < starts.length && local - offsetAt(offsets, part) >= (starts[part + 1] as number)) part += 1;
  return Math.max(local - offsetAt(offsets, part), starts[part] as number);
}

/**
 * Returns the local time of an instant, both in seconds since 1970. It never goes back: while an overlap is passed for the
 * second time, it is the end of the overlap.
 */
export function localOfInstant({ starts, offsets }: ZoneOffsets, instant: number): number {
  let part = starts.length - 1;
  while (part > 0 && (starts[part] as number) > instant) part -= 1;
  const local = instant + offsetAt(offsets, part);
  return part === 0 ? local : Math.max(local, (starts[part] as number) + offsetAt(offsets, part - 1));
}

const offsetAt = (offsets: readonly number[], part: number): number => offsets[part] as number;
