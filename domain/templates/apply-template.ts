import type { ApplyMode } from "../../contract/endpoints/templates.ts";
import { breaches, faultAt } from "../tree/check/faults.ts";
import { exceedsTreeBytes } from "../tree/check/tree-bytes.ts";
import { treeBreaches } from "../tree/check/tree-limits.ts";
import { fault, invalid, type Outcome } from "../tree/hours/outcome.ts";
import { copyTree, orderOf } from "../tree/import-tree.ts";
import type { NewId, Tree } from "../tree/shape.ts";
import type { TemplateTree } from "./shape.ts";

/** A stored template. */
interface Template {
  readonly id: string;
  readonly tree: TemplateTree;
}

/**
 * Adds the nodes of a template behind the root nodes of a tree, or puts them in their place. They get new ids, keep the
 * links among each other, and say which part of the template each was made from; nothing of them is selected. Refuses a
 * tree that would exceed a limit, with a fault for each at `/templateId`. A large one is applied in steps.
 */
export function* applyTemplate(
  before: Tree,
  { id: templateId, tree: template }: Template,
  mode: ApplyMode,
  newId: NewId,
): Generator<void, Outcome<object>> {
  const kept = mode === "append" ? before.nodes : [];
  const all = [...kept, ...template.nodes];
  const exceeded = treeBreaches(all as Tree["nodes"]);
  if (exceeded.length > 0) return invalid(exceeded.map((breach) => faultAt("/templateId", breach)));
  yield;
  const order = orderOf(template.nodes);
  yield;
  const added = copyTree(template, newId, ({ id = "" }) => ({ templateId, id }), order);
  yield;
  const tree = { nodes: [...kept, ...added.nodes] };
  return exceedsTreeBytes(tree.nodes) ? fault("/templateId", breaches.treeBytes) : { ok: true, tree };
}
