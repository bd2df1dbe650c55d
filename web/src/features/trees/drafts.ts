import type { Node, Tree } from "../../../../domain/tree/shape.ts";
import { type Content, isAlike, type Own } from "./content.ts";
import type { EditorState } from "./editor-state.ts";
import { pageName } from "./live-pages.ts";
import type { RefusedCells } from "./refused-cells.ts";

export interface LoadedTree {
  readonly nodes: Node[];
  /** The revision of the estimation that it is of. */
  readonly etag: string;
}

/** Edits that the server does not have yet, and what they were made on. */
export interface Draft {
  readonly format: typeof FORMAT;
  /** When it was kept, in milliseconds of this browser's clock. */
  readonly keptAt: number;
  readonly base: LoadedTree;
  readonly tree: Tree;
  readonly baseOwn: Own;
  readonly own: Own;
  /** What was sent since, without a response: the server may have stored one of them. */
  readonly unanswered: readonly Content[];
  /** What was typed into cells and could not be taken: nothing to send. */
  readonly refused: RefusedCells;
}

/** A draft as it lies in the browser's storage. */
export interface LeftDraft {
  readonly key: string;
  readonly text: string;
  readonly draft: Draft;
}

/** Increase it with every change of the format of drafts: drafts of another format are dropped. */
const FORMAT = 3;
const KEPT_MS = 30 * 24 * 3_600_000;
const ALL = "tree-draft ";

const prefixOf = (userId: string, estimationId: string) => `${ALL}${userId} ${estimationId} `;

let made = 0;

/** Returns a key that no other page writes to: several tabs may edit the same estimation. */
export const newDraftKey = (userId: string, estimationId: string): string =>
  `${prefixOf(userId, estimationId)}${pageName}-${made++}`;

/** Returns the name of the page that wrote a draft. */
const writerOf = (key: string): string => key.slice(key.lastIndexOf(" ") + 1).split("-")[0] ?? "";

export const draftOf = (
  base: Content,
  etag: string,
  { tree, own, refused }: Pick<EditorState, "tree" | "own" | "refused">,
  unanswered: readonly Content[],
): Draft => ({
  format: FORMAT,
  keptAt: Date.now(),
  base: { nodes: base.tree.nodes, etag },
  tree,
  baseOwn: base.own,
  own,
  unanswered,
  refused,
});

/** Returns whether a draft holds something that the server may not have. */
export const isEdited = ({ base: { nodes }, baseOwn, tree, own, unanswered }: Draft): boolean =>
  unanswered.length > 0 || !isAlike({ tree: { nodes }, own: baseOwn }, { tree, own });

/** Returns the draft that a text holds; null for one that is damaged, of another format, or older than 30 days. */
export function readDraft(text: string, now: number): Draft | null {
  try {
    const draft = JSON.parse(text) as Draft;
    return draft.format === FORMAT && draft.keptAt > now - KEPT_MS ? draft : null;
  } catch {
    return null;
  }
}

/** Keeps edits over a reload, or until there is a connection again; returns whether there was room. */
export function keepDraft(key: string, draft: Draft): boolean {
  try {
    localStorage.setItem(key, JSON.stringify(draft));
    tell();
    return true;
  } catch {
    // Too large for the browser's storage: the page asks before it is left.
    return false;
  }
}

/**
 * Returns edits of an estimation that pages have kept and left, the oldest first, except those of the pages `but`.
 * Drops every draft that cannot be used any more, of any estimation.
 */
export function findDrafts(userId: string, estimationId: string, but: ReadonlySet<string> | null): LeftDraft[] {
  const found: LeftDraft[] = [];
  const prefix = prefixOf(userId, estimationId);
  for (const [key, text] of entries(ALL)) {
    const draft = readDraft(text, Date.now());
    if (draft === null) dropDraft(key);
    else if (key.startsWith(prefix) && !but?.has(writerOf(key))) found.push({ key, text, draft });
  }
  return found.sort((one, other) => one.draft.keptAt - other.draft.keptAt);
}

/** Makes a draft this page's, so that no other page takes it over, too. */
export function adopt(left: LeftDraft, key: string): LeftDraft {
  try {
    localStorage.setItem(key, left.text);
    localStorage.removeItem(left.key);
    return { ...left, key };
  } catch {
    // There is no room for both at once.
    return left;
  }
}

/** Returns whether edits of an estimation are kept here. */
export const hasDrafts = (userId: string, estimationId: string): boolean =>
  entries(prefixOf(userId, estimationId)).length > 0;

/** Drops all edits of an estimation that are kept here, or of all of them. */
export function dropDrafts(userId: string, estimationId?: string): void {
  for (const [key] of entries(estimationId ? prefixOf(userId, estimationId) : `${ALL}${userId} `)) dropDraft(key);
}

/** Returns the ids of the estimations with edits that are kept here, in the order of the alphabet, with spaces between them. */
export const unsavedIds = (userId: string): string =>
  [...new Set(entries(`${ALL}${userId} `).map(([key]) => key.split(" ")[2] ?? ""))].sort().join(" ");

const listeners = new Set<() => void>();
const tell = () => {
  for (const listener of listeners) listener();
};

/** Calls `changed` whenever edits are kept or dropped, in any tab; returns a function that stops it. */
export function onDrafts(changed: () => void): () => void {
  listeners.add(changed);
  addEventListener("storage", changed);
  return () => {
    listeners.delete(changed);
    removeEventListener("storage", changed);
  };
}

function entries(prefix: string): [string, string][] {
  try {
    return Object.entries<string>(localStorage).filter(([key]) => key.startsWith(prefix));
  } catch {
    // Storage is forbidden.
    return [];
  }
}

export function dropDraft(key: string): void {
  try {
    localStorage.removeItem(key);
  } catch {}
  tell();
}

/** Drops what was found, unless the tab that wrote it has written more since. */
export function dropFound({ key, text }: LeftDraft): void {
  try {
    if (localStorage.getItem(key) === text) localStorage.removeItem(key);
  } catch {}
}
