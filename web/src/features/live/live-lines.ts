/** What the lines of a tree show of others, by their ids. */
export interface LiveLines {
  /** The names of those who are there. */
  readonly here: ReadonlyMap<string, string>;
  /** The names of those who have just changed it. */
  readonly edited: ReadonlyMap<string, string>;
}

export const NO_LINES: LiveLines = { here: new Map(), edited: new Map() };
