import type { Node, Option, Tree, TreeIds } from "../../../../domain/tree/shape.ts";
import { canonicalJson } from "../../../../domain/versions/canonical.ts";
import { isNew } from "./tree-ids.ts";

type Thing = { readonly kind: "node"; readonly it: Node } | { readonly kind: "option"; readonly it: Option };
type Placed = Thing & { readonly parentId: string | null };

/**
 * Returns the permanent ids of new things in a tree that was sent without a response, where they can be found in the
 * tree as somebody else has left it since; empty if the tree never arrived. `known` are the ids that were there before
 * it was sent. The server gives ids in the order of the tree, so that of equal things the first has the lowest id.
 */
export function recognise(sent: Tree, stored: Tree, known: ReadonlySet<string>): ReadonlyMap<string, string> {
  const strange = thingsOf(stored)
    .filter(({ it }) => !known.has(it.id))
    .sort((one, other) => (one.it.id < other.it.id ? -1 : 1));
  const news = thingsOf(sent).filter(({ it }) => isNew(it.id));
  const found = new Map<string, string>();
  const taken = new Set<string>();
  /** Pairs things of equal text; null equals nothing. */
  const pair = (textOf: (thing: Placed) => string | null): void => {
    const open = Map.groupBy(
      strange.filter(({ it }) => !taken.has(it.id)),
      textOf,
    );
    for (const thing of news) {
      if (found.has(thing.it.id)) continue;
      const text = textOf(thing);
      const twin = text === null ? undefined : open.get(text)?.shift();
      if (!twin) continue;
      found.set(thing.it.id, twin.it.id);
      taken.add(twin.it.id);
    }
  };
  // Parents are paired before their children.
  const placeOf = ({ parentId, kind }: Placed) => `${kind} ${found.get(parentId ?? "") ?? parentId}`;
  pair((thing) => `${placeOf(thing)} ${thing.it.title} ${restOf(thing)}`);
  // Somebody has moved it, or changed something of it, since.
  pair((thing) => `${thing.kind} ${thing.it.title} ${restOf(thing)}`);
  pair((thing) => `${placeOf(thing)} ${thing.it.title}`);
  pair((thing) => (saysMore(thing) ? `${placeOf(thing)} ${restOf(thing)}` : null));
  return found;
}

/**
 * Returns which of several sent trees the server has stored, judged by their new things: null if it has none of them.
 * At most one was stored, as each was sent with the same `If-Match`.
 */
export function findStored(
  sent: readonly Tree[],
  stored: Tree,
  known: TreeIds,
): { readonly sent: Tree; readonly ids: ReadonlyMap<string, string> } | null {
  const all = new Set([...known.nodes, ...known.options]);
  const found = sent.map((tree) => ({ sent: tree, ids: recognise(tree, stored, all) }));
  const [best] = found.sort((one, other) => other.ids.size - one.ids.size);
  return best && best.ids.size > 0 ? best : null;
}

function thingsOf({ nodes }: Tree): Placed[] {
  const things: Placed[] = [];
  const add = (list: readonly Node[], parentId: string | null): void => {
    for (const node of list) {
      things.push({ kind: "node", it: node, parentId });
      for (const option of node.options) {
        things.push({ kind: "option", it: option, parentId: node.id });
        add(option.nodes, option.id);
      }
    }
  };
  add(nodes, null);
  return things;
}

/** Links may name things that have other ids by now, and a choice is often changed: neither identifies a thing. */
function restOf(thing: Thing): string {
  if (thing.kind === "node") {
    const { description, kind, required, min, max } = thing.it;
    return canonicalJson([description, kind, required, min, max]);
  }
  const { description, hours, override, quantity, unit, role } = thing.it;
  return canonicalJson([description, hours, override, quantity, unit, role]);
}

/** Returns whether there is more than a title, so that the rest distinguishes it from others. */
const saysMore = (thing: Thing): boolean =>
  thing.it.description !== "" || (thing.kind === "option" && (thing.it.hours ?? thing.it.override) !== null);
