import type { Node, Tree } from "../../../../domain/tree/shape.ts";
import { currentSession } from "../../api/session.ts";
import type { Content, Own } from "./content.ts";

export interface LoadedTree {
  readonly nodes: Node[];
  /** The revision of the estimation that it is of. */
  readonly etag: string;
}

/** Edits that the server does not have yet, and what they were made on. */
export interface Draft {
  readonly base: LoadedTree;
  readonly tree: Tree;
  readonly baseOwn: Own;
  readonly own: Own;
  /** Trees with new things that were sent since, without an answer: the server may have stored one of them. */
  readonly unanswered: readonly Tree[];
}

const keyOf = (estimationId: string) => `tree-draft ${currentSession()?.userId} ${estimationId}`;

export const draftOf = (base: Content, etag: string, { tree, own }: Content, unanswered: readonly Tree[]): Draft => ({
  base: { nodes: base.tree.nodes, etag },
  tree,
  baseOwn: base.own,
  own,
  unanswered,
});

/** Keeps edits over a reload, or until there is a connection again. */
export function keepDraft(estimationId: string, draft: Draft): void {
  try {
    localStorage.setItem(keyOf(estimationId), JSON.stringify(draft));
  } catch {
    // Too large for the browser's storage: the page asks before it is left.
  }
}

export function readDraft(estimationId: string): Draft | null {
  try {
    return JSON.parse(localStorage.getItem(keyOf(estimationId)) ?? "null") as Draft | null;
  } catch {
    return null;
  }
}

export function dropDraft(estimationId: string): void {
  try {
    localStorage.removeItem(keyOf(estimationId));
  } catch {}
}
