import type { Estimation } from "../../../../contract/estimations.ts";
import { idsOf, type Tree } from "../../../../domain/tree/shape.ts";
import { api } from "../../api/client.ts";
import { isRefusal, NoResponse } from "../../api/failure.ts";
import type { Own } from "./content.ts";
import type { LoadedTree } from "./drafts.ts";
import { toInput } from "./tree-ids.ts";

/** How often to read an estimation that keeps changing between its two parts. */
const TRIES = 4;
const DEADLINE_MS = 60_000;
/** Added for each option that is sent: about 400 bytes, on a connection of 40 KB a second. */
const OPTION_MS = 10;

/**
 * Returns a signal that aborts a request without a response: on a connection that broke silently, such as while a laptop
 * slept, browsers wait for minutes.
 */
function deadline(ms = DEADLINE_MS): AbortSignal {
  const ending = new AbortController();
  setTimeout(() => ending.abort(), ms);
  return ending.signal;
}

/** Returns undefined if somebody else has changed the estimation since the revision in `If-Match`. */
async function unlessStale<T>(request: Promise<T>): Promise<T | undefined> {
  try {
    return await request;
  } catch (error) {
    if (isRefusal(error, "revision_mismatch")) return undefined;
    throw error;
  }
}

/** Returns the revision that a tag is of; the tag also says whether the response was compressed, and for whom it was. */
export const revisionOf = (etag: string | null): number => Number(/\d+/.exec(etag ?? "")?.[0] ?? 0);

const etagOf = (headers: Headers): string => headers.get("etag") ?? "";

/** Stores a tree; returns it as it is stored, or undefined for a stale `etag`. */
export async function storeTree(id: string, { nodes }: Tree, etag: string): Promise<LoadedTree | undefined> {
  const request = api.replaceTree({
    params: { id },
    body: { nodes: toInput(nodes) },
    headers: { "if-match": etag },
    signal: deadline(DEADLINE_MS + OPTION_MS * idsOf(nodes).options.size),
  });
  const response = await unlessStale(request);
  return response && { nodes: response.data.tree.nodes, etag: etagOf(response.headers) };
}

/** Stores fields of the estimation; returns it, or undefined for a stale `etag`. */
export async function storeOwn(
  id: string,
  body: Partial<Own>,
  etag: string,
): Promise<{ readonly estimation: Estimation; readonly etag: string } | undefined> {
  const headers = { "if-match": etag };
  const request = api.updateEstimation({ params: { id }, body, headers, signal: deadline() });
  const response = await unlessStale(request);
  return response && { estimation: response.data.estimation, etag: etagOf(response.headers) };
}

export async function loadTree(id: string): Promise<LoadedTree> {
  const { data, headers } = await api.getTree({ params: { id }, signal: deadline() });
  return { nodes: data.tree.nodes, etag: etagOf(headers) };
}

/** Returns the estimation, and the tag of its revision; throws `NotModified` where that is `known`. */
export async function loadEstimation(
  id: string,
  known?: string,
): Promise<{ readonly estimation: Estimation; readonly etag: string }> {
  const headers: Record<string, string> = known === undefined ? {} : { "if-none-match": known };
  const response = await api.getEstimation({ params: { id }, headers, signal: deadline() });
  return { estimation: response.data.estimation, etag: etagOf(response.headers) };
}

/** Returns the estimation and its tree, of the same revision. */
export async function loadBoth(id: string): Promise<{ readonly estimation: Estimation; readonly loaded: LoadedTree }> {
  for (let tries = 1; tries <= TRIES; tries += 1) {
    const [{ estimation, etag }, loaded] = await Promise.all([loadEstimation(id), loadTree(id)]);
    if (revisionOf(etag) === revisionOf(loaded.etag)) return { estimation, loaded };
  }
  throw new NoResponse("The estimation was changed each time that it was read");
}

/**
 * If somebody changed the estimation between the two, returns the tree with the older tag: a save based on it is then
 * refused as stale, and merged.
 */
export function ofOneRevision(estimation: Estimation, { nodes, etag }: LoadedTree): LoadedTree {
  const revision = revisionOf(etag);
  return { nodes, etag: revision === estimation.revision ? etag : `"${Math.min(revision, estimation.revision)}"` };
}
