import type { Node, Tree } from "../../../../domain/tree/shape.ts";
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

/** A draft as it lies in the browser's storage. */
export interface LeftDraft {
  readonly key: string;
  readonly text: string;
  readonly draft: Draft;
}

const prefixOf = (userId: string, estimationId: string) => `tree-draft ${userId} ${estimationId} `;

/** Returns a key that nobody else writes to: several tabs may edit the same estimation. */
export const newDraftKey = (userId: string, estimationId: string): string =>
  `${prefixOf(userId, estimationId)}${Date.now().toString(36)}${Math.random().toString(36).slice(2)}`;

export const draftOf = (base: Content, etag: string, { tree, own }: Content, unanswered: readonly Tree[]): Draft => ({
  base: { nodes: base.tree.nodes, etag },
  tree,
  baseOwn: base.own,
  own,
  unanswered,
});

/** Keeps edits over a reload, or until there is a connection again; returns whether there was room. */
export function keepDraft(key: string, draft: Draft): boolean {
  try {
    localStorage.setItem(key, JSON.stringify(draft));
    return true;
  } catch {
    // Too large for the browser's storage: the page asks before it is left.
    return false;
  }
}

/** Returns edits of an estimation that a tab has kept, if any are left. */
export function findDraft(userId: string, estimationId: string): LeftDraft | null {
  try {
    const key = Object.keys(localStorage).find((each) => each.startsWith(prefixOf(userId, estimationId)));
    const text = key === undefined ? null : localStorage.getItem(key);
    return key === undefined || text === null ? null : { key, text, draft: JSON.parse(text) as Draft };
  } catch {
    return null;
  }
}

export function dropDraft(key: string): void {
  try {
    localStorage.removeItem(key);
  } catch {}
}

/** Drops what was found, unless the tab that wrote it has written more since. */
export function dropFound({ key, text }: LeftDraft): void {
  try {
    if (localStorage.getItem(key) === text) localStorage.removeItem(key);
  } catch {}
}
