import { useEffect, useRef } from "react";
import type { Typed } from "../../ui/numbers/read-number.ts";
import type { Findable } from "./find.ts";

/** Something that can be chosen in the palette. */
export interface PaletteItem extends Findable {
  readonly id: string;
  /** Its keys, as people write them. */
  readonly keys?: string | undefined;
  /** What it stands under as long as nothing is typed. */
  readonly group?: string | undefined;
  /** Where it leads: then it needs no `run`, and is found again among what was used last. */
  readonly to?: string;
  readonly run?: () => void;
}

/** What a page, or a part of it, can do now. */
export interface Commands {
  readonly items: readonly PaletteItem[];
  /** Where it can lead on the page: after all commands, because there may be thousands. */
  readonly places?: readonly PaletteItem[];
  /** Returns what else can be done with what is typed. */
  readonly offer?: ((typed: Typed) => readonly PaletteItem[]) | undefined;
  readonly placeholder?: string;
  /** Whether they are of every page: then they are the last. */
  readonly isOfAll?: boolean;
  /** Its keys with what they do, for the list of keys. */
  readonly keys?: readonly (readonly [keys: string, what: string])[];
}

/** Returns what a part of the page can do now. Called when that is to be shown, so that its code is loaded only then. */
type Load = () => Promise<Commands>;

const parts = new Set<{ readonly current: Load }>();

/** Returns the commands of all parts of the page: first of those that were shown last. */
export const loadCommands = (): Promise<readonly Commands[]> =>
  Promise.all([...parts].reverse().map(({ current }) => current()));

/** Adds the commands of a part of the page for as long as it shows. */
export function useCommands(load: Load): void {
  const latest = useRef(load);
  latest.current = load;
  useEffect(() => {
    parts.add(latest);
    return () => void parts.delete(latest);
  }, []);
}

/** What shows above the page: the palette, or the list of keys. */
export type Shown = "palette" | "keys";

let show: (what: Shown) => void = () => {};

/** Shows the palette, or the list of keys, of the page. */
export const showCommands = (what: Shown): void => show(what);

/** Says who shows them, for as long as it is there. */
export function setShower(shower: typeof show): () => void {
  show = shower;
  return () => {
    show = () => {};
  };
}
