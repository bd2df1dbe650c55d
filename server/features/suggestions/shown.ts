import type { SuggestedHours } from "../../../domain/suggestion/lognormal.ts";
import type { Made } from "./make.ts";

/** The key of remembered suggestions: as long as it is the same, so is the local suggestion. */
export interface Basis {
  readonly userId: string;
  readonly estimationId: string;
  /** Of the estimation. */
  readonly revision: number;
  /** Hash of the finished tasks that it is based on. */
  readonly sources: string;
}

/** The hours of suggestions that were made, by their `inputHash`; null: nothing was suggested. */
export type Shown = ReadonlyMap<string, SuggestedHours | null>;

/** What is remembered about a suggestion. */
interface ToRemember extends Pick<Made, "inputHash"> {
  readonly suggested: Pick<Made["suggested"], "hours">;
}

export interface ShownSuggestions {
  find(basis: Basis): Shown | undefined;
  add(basis: Basis, made: readonly ToRemember[]): void;
}

/** Estimations of one reader each that are remembered, and suggestions of each. */
export const [BASES_MOST, HASHES_MOST] = [2_000, 8];

const nameOf = ({ userId, estimationId }: Basis): string => `${userId} ${estimationId}`;
const stateOf = ({ revision, sources }: Basis): string => `${revision} ${sources}`;

interface Remembered {
  readonly state: string;
  readonly hours: Map<string, SuggestedHours | null>;
}

/** Remembers the hours of the latest suggestions, so that a verdict about one need not compute it again. */
export function createShownSuggestions(): ShownSuggestions {
  const shown = new Map<string, Remembered>();
  return {
    find(basis) {
      const found = shown.get(nameOf(basis));
      return found?.state === stateOf(basis) ? found.hours : undefined;
    },
    add(basis, made) {
      const [name, state] = [nameOf(basis), stateOf(basis)];
      const known = shown.get(name);
      const hours = known?.state === state ? known.hours : new Map<string, SuggestedHours | null>();
      for (const { inputHash, suggested } of made) {
        hours.delete(inputHash);
        hours.set(inputHash, suggested.hours);
        if (hours.size > HASHES_MOST) hours.delete(hours.keys().next().value as string);
      }
      shown.delete(name);
      shown.set(name, { state, hours });
      if (shown.size > BASES_MOST) shown.delete(shown.keys().next().value as string);
    },
  };
}
