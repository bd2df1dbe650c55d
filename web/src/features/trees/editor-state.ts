import type { Estimation } from "../../../../contract/endpoints/estimations.ts";
import type { Conflict } from "../../../../domain/merge/shape.ts";
import type { Content, Step } from "./sync/content.ts";
import type { RefusedCells } from "./sync/refused-cells.ts";

/** Whether the server has what is shown, and what happens next if it has not. One of these at a time. */
export type Saving =
  /** The server has everything. */
  | { readonly at: "saved" }
  /** Edits are sent in a moment, with those that follow until then. */
  | { readonly at: "waiting" }
  /** A request is under way. */
  | { readonly at: "saving" }
  /** There was no response: it is tried again after a pause. */
  | { readonly at: "offline" }
  /** There were too many requests: it is tried again when they are taken again. */
  | { readonly at: "limited" }
  /** The server does not take it: it is sent again after the next edit, or when the reader asks for it. */
  | { readonly at: "refused"; readonly reason: string; readonly lineId: string | null }
  /** Both changed the same, others after `since`, by the server's clock, null where that is not known: nothing is sent until the reader has decided. */
  | { readonly at: "conflicted"; readonly conflicts: readonly Conflict[]; readonly since: string | null };

/** What the editor shows. A new object with every change. */
export interface EditorState extends Content {
  /** The estimation as the server has it; its fields that are edited are in `own`. */
  readonly estimation: Estimation;
  /** What the server has, as far as is known here: it shows where nothing may be edited. */
  readonly stored: Content;
  readonly past: readonly Step[];
  readonly future: readonly Step[];
  readonly saving: Saving;
  /** What was typed and cannot be taken; it is kept in this browser alone. */
  readonly refused: RefusedCells;
  /** Whether the reader may not even see it any more. */
  readonly isUnseen: boolean;
  /** What others changed, or why something was not done; null for nothing to say. */
  readonly notice: string | null;
}

/** The content when the reader began to type. */
export interface Held {
  readonly content: Content;
  /** How often changes of others had been merged by then. */
  readonly others: number;
}
