/**
 * The fields of an issue that an export keeps up to date, by name, as the tracker takes them: for GitHub `title`, `body`
 * and `milestone` (a title in lower case, or null for none).
 */
export type Fields = Readonly<Record<string, string | null>>;

/** A part of a task that did not fit into an issue unchanged, and how it was handled. */
export interface Warning {
  /** Stable, such as `title_cut`. */
  readonly code: string;
  /** For people. */
  readonly message: string;
}
