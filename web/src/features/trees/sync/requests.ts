import type { Estimation } from "../../../../../contract/endpoints/estimations.ts";
import { idsOf, type Tree } from "../../../../../domain/tree/shape.ts";
import { api } from "../../../api/client.ts";
import { isRefusal, NoResponse } from "../../../api/failure.ts";
import { type Own, toInput } from "./content.ts";
import type { LoadedTree } from "./drafts.ts";
import { revisionOf } from "./revisions.ts";

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

/** Returns unused ids for what is added to the tree. */
export async function loadIds(id: string, kind: "node" | "option", count: number): Promise<readonly string[]> {
  const { data } = await api.makeTreeIds({ params: { id }, body: { kind, count }, signal: deadline() });
  return data.ids;
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
