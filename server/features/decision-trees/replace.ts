import type { NodeInput } from "../../../contract/tree-input.ts";
import { checkImport, importTree } from "../../../domain/tree/import-tree.ts";
import { idsOf, type NewId, type Tree } from "../../../domain/tree/shape.ts";
import { failWith } from "../../http/failure.ts";
import { loadTree, onceKnown, type ReadableEstimation, rememberRemoved, storeTree } from "../estimations/index.ts";
import { removedIds, type TreeCall } from "./change.ts";

/**
 * Replaces a whole tree. Ids are accepted where this estimation has or had them. An import that changes nothing keeps the
 * revision.
 */
export async function replaceTree(
  { estimation, body, db, now }: TreeCall & { readonly body: { readonly nodes: NodeInput[] } },
  newId: NewId,
): Promise<{ row: ReadableEstimation; tree: Tree }> {
  const check = checkImport(body.nodes);
  if (!check.ok) failWith(check.faults);
  const before = await loadTree(db, estimation.id);
  const known = idsOf(before.nodes);
  const strange = check.checked.givenIds.filter(
    ({ kind, id }) => !(kind === "node" ? known.nodes : known.options).has(id),
  );
  for (const id of await onceKnown(
    db,
    estimation.id,
    strange.map(({ id }) => id),
  )) {
    (id.startsWith("nod_") ? known.nodes : known.options).add(id);
  }
  const imported = importTree(check.checked, known, newId);
  if (!imported.ok) failWith(imported.faults);
  await rememberRemoved(db, estimation.id, removedIds(before, imported.tree));
  return { row: await storeTree(db, estimation, { before, tree: imported.tree, now }), tree: imported.tree };
}
