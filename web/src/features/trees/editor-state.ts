import type { Estimation } from "../../../../contract/estimations.ts";
import type { Conflict } from "../../../../domain/merge/shape.ts";
import type { Content, Step } from "./content.ts";

/** What the editor shows. A new object with every change. */
export interface EditorState extends Content {
  /** The estimation as the server has it; its fields that are edited are in `own`. */
  readonly estimation: Estimation;
  /** What the server has, as far as is known here: it shows where nothing may be edited. */
  readonly stored: Content;
  readonly past: readonly Step[];
  readonly future: readonly Step[];
  /** `waiting` is for a connection, `limited` until requests are taken again. */
  readonly saving: "saved" | "saving" | "waiting" | "limited" | "refused" | "conflict";
  /** Why it was refused, or what others changed; null for nothing to say. */
  readonly notice: string | null;
  /** The line for which saving was refused; null if it was not, or not for one line. */
  readonly refusedAt: string | null;
  /** Conflicts to be decided. */
  readonly conflicts: readonly Conflict[];
  /** Permanent ids of things that were new, so that the focus stays where it is … */
  readonly renamed: ReadonlyMap<string, string>;
  /** … and the reverse, so that a line that is typed into stays the same line. */
  readonly formerIds: ReadonlyMap<string, string>;
}

/** The content when the reader began to type. */
export interface Held {
  readonly content: Content;
  /** How often changes of others had been merged by then. */
  readonly others: number;
}
