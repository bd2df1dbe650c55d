import type { Node, Tree } from "../../../../../domain/tree/shape.ts";
import type { EditorState } from "../editor-state.ts";
import { inStore } from "./browser-store.ts";
import type { Content, Own } from "./content.ts";
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
  /** When it was stored, in milliseconds of this browser's clock. */
  readonly storedAt: number;
  readonly base: LoadedTree;
  readonly tree: Tree;
  readonly baseOwn: Own;
  readonly own: Own;
  /** What was sent since, without a response: the server may have stored one of them. */
  readonly unconfirmed: readonly Content[];
  /** What was typed into cells and could not be taken: nothing to send. */
  readonly refused: RefusedCells;
}

/** A draft as it lies in the browser's storage. */
export interface LeftDraft {
  readonly key: string;
  readonly draft: Draft;
}

/** Increase it with every change of the format of drafts: drafts of another format are dropped. */
const FORMAT = 4;
const RETENTION_MS = 30 * 24 * 3_600_000;
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
  unconfirmed: readonly Content[],
): Draft => ({
  format: FORMAT,
  storedAt: Date.now(),
  base: { nodes: base.tree.nodes, etag },
  tree,
  baseOwn: base.own,
  own,
  unconfirmed,
  refused,
});

/** A marker is this young while its draft may still be on its way. */
const UNDER_WAY_MS = 60_000;

/** Returns a draft that can be used; null for one that is damaged, of another format, or older than 30 days. */
function usable(draft: Draft | undefined, now: number): Draft | null {
  return draft?.format === FORMAT && draft.storedAt > now - RETENTION_MS ? draft : null;
}

/** Returns the usable draft that a text holds, or null: where it only marks that there is one, too. */
export function readDraft(text: string, now: number): Draft | null {
  try {
    return usable(JSON.parse(text), now);
  } catch {
    return null;
  }
}

/**
 * Keeps edits over a reload, or until there is a connection again: in IndexedDB, which does not hold up typing, with a time in
 * `localStorage` that marks it. Returns whether there was room.
 */
export async function keepDraft(key: string, draft: Draft): Promise<boolean> {
  try {
    if (localStorage.getItem(key) === null) {
      localStorage.setItem(key, String(Date.now()));
      tell();
    }
    await inStore("drafts", "readwrite", (store) => store.put({ key, storedAt: draft.storedAt, draft }));
    return true;
  } catch {
    // The page asks before it is left.
    return false;
  }
}

/** Keeps edits at once, as a page has to that is left. */
export function keepDraftNow(key: string, draft: Draft): void {
  try {
    localStorage.setItem(key, JSON.stringify(draft));
    tell();
  } catch {
    // Too large for `localStorage`: what was stored last has to do.
  }
}

/**
 * Returns edits of an estimation that pages stored and left, the oldest first, except those of the pages `but`.
 * Drops every draft that cannot be used any more, of any estimation.
 */
export async function findDrafts(
  userId: string,
  estimationId: string,
  but: ReadonlySet<string> | null,
): Promise<LeftDraft[]> {
  const prefix = prefixOf(userId, estimationId);
  const found: LeftDraft[] = [];
  const now = Date.now();
  for (const [key, text] of entries(ALL)) {
    if (but?.has(writerOf(key))) continue;
    const late = readDraft(text, now);
    try {
      const stored: { readonly draft: Draft } | undefined = await inStore("drafts", "readonly", (store) =>
        store.get(key),
      );
      const early = usable(stored?.draft, now);
      const draft = late && early && early.storedAt > late.storedAt ? early : (late ?? early);
      if (draft && key.startsWith(prefix)) found.push({ key, draft });
      else if (!draft && !(Number(text) > now - UNDER_WAY_MS)) dropDraft(key);
    } catch {
      if (late && key.startsWith(prefix)) found.push({ key, draft: late });
    }
  }
  // Those that nothing marks any more, too.
  const removeOld = (store: IDBObjectStore) => {
    const old = store.index("storedAt").openCursor(IDBKeyRange.upperBound(now - RETENTION_MS));
    old.onsuccess = () => {
      old.result?.delete();
      old.result?.continue();
    };
    return old;
  };
  inStore("drafts", "readwrite", removeOld).catch(() => undefined);
  return found.sort((one, other) => one.draft.storedAt - other.draft.storedAt);
}

/** Makes a draft this page's, so that no other page takes it over, too. */
export async function adopt(left: LeftDraft, key: string): Promise<LeftDraft> {
  // Where there is no room for both at once it stays where it is.
  if (!(await keepDraft(key, left.draft))) return left;
  dropDraft(left.key);
  return { ...left, key };
}

/** Returns whether edits of an estimation are stored here. */
export const hasDrafts = (userId: string, estimationId: string): boolean =>
  entries(prefixOf(userId, estimationId)).length > 0;

/** Drops all edits of an estimation that are stored here, or of all of them. */
export function dropDrafts(userId: string, estimationId?: string): void {
  for (const [key] of entries(estimationId ? prefixOf(userId, estimationId) : `${ALL}${userId} `)) dropDraft(key);
}

/** Returns the ids of the estimations with edits that are stored here, in the order of the alphabet, with spaces between them. */
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
    inStore("drafts", "readwrite", (store) => store.delete(key)).catch(() => undefined);
  } catch {}
  tell();
}

/** Drops what was found, unless the tab that wrote it has written more since. */
export async function dropFound({ key, draft }: LeftDraft): Promise<void> {
  if (writerOf(key) === pageName) {
    dropDraft(key);
    return;
  }
  try {
    const late = readDraft(localStorage.getItem(key) ?? "", draft.storedAt);
    const kept: { readonly storedAt: number } | undefined = await inStore("drafts", "readonly", (store) =>
      store.get(key),
    );
    if (Math.max(late?.storedAt ?? 0, kept?.storedAt ?? 0) <= draft.storedAt) dropDraft(key);
  } catch {}
}
