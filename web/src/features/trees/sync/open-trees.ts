import type { Estimation } from "../../../../../contract/endpoints/estimations.ts";
import { currentSession, onSessionChange } from "../../../api/session.ts";
import { mayEdit } from "../../estimations/rights.ts";
import type { Service, Surroundings } from "../surroundings.ts";
import { DraftKeeper } from "./draft-keeper.ts";
import type { LoadedTree } from "./drafts.ts";
import { NewIds } from "./new-ids.ts";
import { isOwnSince, tellSave } from "./own-saves.ts";
import { loadBoth, loadEstimation, loadIds, storeOwn, storeTree } from "./requests.ts";
import { keepStepsOf } from "./stored-steps.ts";
import { TreeSync } from "./tree-sync.ts";

/** Estimations that are remembered after they were left: to come back to one takes no request. */
const KEPT = 20;

/** One for each estimation that this page has opened, by user and estimation, the last one opened at the end. */
const opened = new Map<string, TreeSync>();

const keyOf = (id: string) => `${currentSession()?.userId} ${id}`;

/** Returns the estimation if this page has opened it before. */
export const openedTree = (id: string): TreeSync | undefined => opened.get(keyOf(id));

/** What is being made of what was loaded: its drafts are taken over once. */
const making = new Map<string, Promise<TreeSync>>();

/** Opens an estimation: the same one each time, so that nothing is sent by two at once. */
export async function openTree(
  id: string,
  load: () => Promise<Estimation>,
  loadTree: () => Promise<LoadedTree>,
): Promise<TreeSync> {
  const key = keyOf(id);
  const ids = new NewIds((kind, count) => loadIds(id, kind, count));
  const [estimation, loaded] = await Promise.all([load(), loadTree()]);
  const make = async () => {
    const userId = currentSession()?.userId ?? "";
    // Whoever only reads adds nothing.
    if (mayEdit(estimation)) void ids.start();
    const drafts = await DraftKeeper.open(userId, id);
    const sync: TreeSync = new TreeSync(estimation, loaded, ids, serviceOf(id), {
      ...aroundOf(userId, id, drafts),
      // Another user may sign in while edits wait for a connection.
      isSignedIn: () => currentSession()?.userId === userId && opened.get(key) === sync,
    });
    for (const [other, each] of opened) if (opened.size >= KEPT && !each.hasEdits()) opened.delete(other);
    opened.set(key, sync);
    keepStepsOf(sync, userId, id);
    sync.wake();
    return sync;
  };
  const known = opened.get(key);
  if (known) return known;
  const made = making.get(key) ?? make().finally(() => making.delete(key));
  making.set(key, made);
  return made;
}

const serviceOf = (id: string): Service => ({
  storeTree: (tree, etag) => storeTree(id, tree, etag),
  storeOwn: (fields, etag) => storeOwn(id, fields, etag),
  loadEstimation: (known) => loadEstimation(id, known),
  loadBoth: () => loadBoth(id),
});

const aroundOf = (userId: string, id: string, drafts: DraftKeeper): Omit<Surroundings, "isSignedIn"> => ({
  drafts,
  isVisible: () => document.visibilityState !== "hidden",
  now: () => Date.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
  tellSave: (revision) => tellSave(userId, id, revision),
  isOwnSince: (since, last) => isOwnSince(userId, id, since, last),
});

/** What has edits that the server may not have. */
const edited = () => [...opened.values()].filter((sync) => sync.hasEdits());

addEventListener("online", () => {
  for (const sync of edited()) sync.wake();
});
// Leaving the application would lose what the browser's storage has no room for.
addEventListener("beforeunload", (event) => edited().length > 0 && event.preventDefault());
addEventListener("pagehide", () => {
  // What is being typed is an edit, as when the field is left.
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  for (const sync of opened.values()) sync.leave();
});
// What is not saved waits in the browser's storage until that user signs in again.
onSessionChange(() => {
  const user = currentSession()?.userId;
  for (const key of opened.keys()) if (!key.startsWith(`${user} `)) opened.delete(key);
});
