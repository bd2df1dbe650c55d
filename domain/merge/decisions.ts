import { canonicalJson } from "../versions/canonical.ts";
import { unsure } from "./read.ts";
import type { BadResolution, Conflict, Resolution, Side } from "./shape.ts";

/** A conflict without its effects on the hours: `base`, `into` and `from` are values. */
export interface Draft extends Omit<Conflict, "id" | "into" | "from" | "things" | "rule"> {
  readonly into: unknown;
  readonly from: unknown;
  readonly things?: Conflict["things"];
  readonly rule?: Conflict["rule"];
}

/** A conflict that no resolution decides. */
export type OpenConflict = Draft & { readonly id: string };

/** Checks a value that a resolution gives; returns what is wrong with it, or null. */
export type CheckValue = (value: unknown) => Omit<BadResolution, "index" | "part"> | null;

const noValue: CheckValue = () => ({
  code: "not_allowed",
  message: "must be decided by a side: it has no other values",
});

/** The resolutions of a merge, and which conflicts are left open. */
export class Decisions {
  readonly open: OpenConflict[] = [];
  readonly faults: BadResolution[] = [];
  readonly #resolutions: readonly Resolution[];
  readonly #given: ReadonlyMap<string, readonly [number, Resolution]>;
  readonly #otherwise: Side | null;
  readonly #used = new Set<string>();

  /** `otherwise` decides what no resolution names; null leaves it open. */
  constructor(resolutions: readonly Resolution[], otherwise: Side | null = null) {
    this.#resolutions = resolutions;
    this.#otherwise = otherwise;
    this.#given = new Map(resolutions.map((resolution, index) => [resolution.id, [index, resolution]]));
  }

  /** The same resolutions for a trial: conflicts that are found open there are not open here. */
  copy(): Decisions {
    return new Decisions(this.#resolutions, this.#otherwise);
  }

  /** Returns the resolutions that have decided no conflict so far, by their indexes. */
  unused(): number[] {
    return this.#resolutions.flatMap(({ id }, index) => (this.#used.has(id) ? [] : [index]));
  }

  /** Returns the value that a conflict gets: of a side, or another one that fits. An open conflict goes to `into`. */
  value(draft: Draft, check: CheckValue): unknown {
    const resolution = this.#find(draft, check);
    if (!resolution) return draft.into;
    return "side" in resolution ? draft[resolution.side] : resolution.value;
  }

  /** Returns the side that decides a conflict; an open one goes to `into`. */
  side(draft: Draft): Side {
    const resolution = this.#find(draft, noValue);
    return resolution && "side" in resolution ? resolution.side : "into";
  }

  #find(draft: Draft, check: CheckValue): Resolution | undefined {
    const id = idOf(draft);
    const [index, resolution] = this.#given.get(id) ?? [];
    if (!resolution || index === undefined) {
      if (this.#otherwise) return { id, side: this.#otherwise };
      this.open.push({ ...draft, base: draft.base === unsure ? null : draft.base, id });
      return undefined;
    }
    this.#used.add(id);
    const fault = "side" in resolution ? null : check(resolution.value);
    if (fault) this.faults.push({ index, part: "value", ...fault });
    return fault ? undefined : resolution;
  }
}

/** Names the thing and the unit, and ends with a hash of the values: other values make another conflict. */
function idOf({ kind, target, thingId, field, base, into, from, things = [], rule = null }: Draft): string {
  const about = thingId ?? (target === "setting" ? "setting" : "tree");
  const values = [base === unsure ? null : base, into, from].map((value) => value ?? null);
  return `${about}.${field ?? kind}.${hashOf(canonicalJson([kind, values, things, rule?.message ?? null]))}`;
}

/** Two runs of FNV-1a with 32 bits each, from different starts: it tells conflicts apart, and protects nothing. */
function hashOf(text: string): string {
  let [one, other] = [0x811c9dc5, 0x01000193];
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    one = Math.imul(one ^ unit, 0x01000193);
    other = Math.imul(other ^ unit, 0x85ebca6b);
  }
  return [one, other].map((half) => (half >>> 0).toString(16).padStart(8, "0")).join("");
}
