import type { Estimation } from "../../../../contract/estimations.ts";
import type { Tree } from "../../../../domain/tree/shape.ts";
import { api } from "../../api/client.ts";
import { isRefusal } from "../../api/failure.ts";
import type { Own } from "./content.ts";
import type { LoadedTree } from "./drafts.ts";
import { toInput } from "./tree-ids.ts";

/** Returns undefined where somebody else has changed the estimation since the revision that `If-Match` names. */
async function unlessStale<T>(request: Promise<T>): Promise<T | undefined> {
  try {
    return await request;
  } catch (error) {
    if (isRefusal(error, "revision_mismatch")) return undefined;
    throw error;
  }
}

/** Returns the revision that a tag is of; the tag also says whether the answer was compressed, and for whom it was. */
export const revisionOf = (etag: string | null): number => Number(/\d+/.exec(etag ?? "")?.[0] ?? 0);

const etagOf = (headers: Headers): string => headers.get("etag") ?? "";

/** Stores a tree; returns it as it is stored, or undefined for a stale `etag`. */
export async function storeTree(id: string, { nodes }: Tree, etag: string): Promise<LoadedTree | undefined> {
  const request = api.replaceTree({
    params: { id },
    body: { nodes: toInput(nodes) },
    headers: { "if-match": etag },
  });
  const answer = await unlessStale(request);
  return answer && { nodes: answer.data.tree.nodes, etag: etagOf(answer.headers) };
}

/** Stores fields of the estimation; returns it, or undefined for a stale `etag`. */
export async function storeOwn(
  id: string,
  body: Partial<Own>,
  etag: string,
): Promise<{ readonly estimation: Estimation; readonly etag: string } | undefined> {
  const request = api.updateEstimation({ params: { id }, body, headers: { "if-match": etag } });
  const answer = await unlessStale(request);
  return answer && { estimation: answer.data.estimation, etag: etagOf(answer.headers) };
}

export async function loadTree(id: string): Promise<LoadedTree> {
  const { data, headers } = await api.getTree({ params: { id } });
  return { nodes: data.tree.nodes, etag: etagOf(headers) };
}

/** Returns the estimation and its tree, of the same revision. */
export async function loadBoth(id: string): Promise<{ readonly estimation: Estimation; readonly loaded: LoadedTree }> {
  const [{ data, headers }, loaded] = await Promise.all([api.getEstimation({ params: { id } }), loadTree(id)]);
  // Changed between the two: what sends tries again in a moment.
  if (revisionOf(etagOf(headers)) !== revisionOf(loaded.etag))
    throw new Error("The estimation was changed while it was read");
  return { estimation: data.estimation, loaded };
}
