import type { SuggestedHours } from "../../../domain/suggestion/lognormal.ts";
import type { Made } from "./make.ts";

/** What suggestions are remembered by: as long as it is the same, so is the local suggestion. */
export interface Standing {
  readonly userId: string;
  readonly estimationId: string;
  /** Of the estimation. */
  readonly revision: number;
  /** Names the finished tasks that it rests on. */
  readonly sources: string;
}

/** The hours of suggestions that were made, by their `inputHash`; null: it abstained. */
export interface Shown {
  readonly hours: ReadonlyMap<string, SuggestedHours | null>;
  /** The request that made every possible suggestion, and found no other. */
  readonly searchedBy: string | null;
}

/** What is remembered of a suggestion. */
interface ToRemember extends Pick<Made, "inputHash"> {
  readonly suggested: Pick<Made["suggested"], "hours">;
}

export interface ShownSuggestions {
  find(standing: Standing): Shown | undefined;
  add(standing: Standing, made: readonly ToRemember[], searchedBy?: string): void;
}

/** Estimations of one reader each that are remembered, and suggestions of each. */
export const [STANDINGS_MOST, HASHES_MOST] = [2_000, 8];

const nameOf = ({ userId, estimationId }: Standing): string => `${userId} ${estimationId}`;
const stateOf = ({ revision, sources }: Standing): string => `${revision} ${sources}`;

interface Remembered extends Shown {
  readonly state: string;
  readonly hours: Map<string, SuggestedHours | null>;
}

/** Remembers the hours of the latest suggestions, so that a verdict about one need not compute it again. */
export function createShownSuggestions(): ShownSuggestions {
  const shown = new Map<string, Remembered>();
  return {
    find(standing) {
      const found = shown.get(nameOf(standing));
      return found?.state === stateOf(standing) ? found : undefined;
    },
    add(standing, made, searchedBy) {
      const [name, state] = [nameOf(standing), stateOf(standing)];
      const known = shown.get(name);
      const hours = known?.state === state ? known.hours : new Map<string, SuggestedHours | null>();
      for (const { inputHash, suggested } of made) {
        hours.delete(inputHash);
        hours.set(inputHash, suggested.hours);
        if (hours.size > HASHES_MOST) hours.delete(hours.keys().next().value as string);
      }
      shown.delete(name);
      shown.set(name, { state, hours, searchedBy: searchedBy ?? null });
      if (shown.size > STANDINGS_MOST) shown.delete(shown.keys().next().value as string);
    },
  };
}
