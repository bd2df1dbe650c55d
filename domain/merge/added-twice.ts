import type { AddedTwice } from "../../contract/values/merge-hints.ts";
import { summaryHours } from "../tree/hours/roll-up.ts";
import { roundHundredth } from "../tree/hours/round.ts";
import type { Node, Option } from "../tree/shape.ts";
import type { Milestone, Snapshot } from "../versions/shape.ts";
import type { Ends } from "./merge.ts";
import { read, type Thing } from "./read.ts";

/** Pairs of a merge that are reported, in the order of its tree: each costs a roll-up. */
export const REPORTED = 100;

/**
 * Returns what both sides of a merge have added, each for itself, and what therefore is in `merged` twice: nodes, options and
 * milestones of the same origin, or of the same title with the same hours (a milestone: the same date), below the same parent.
 * They have different ids, so that the merge rightly keeps both; whether they are the same, a person has to say.
 */
export function addedTwice({ bases, into, from }: Ends, merged: Snapshot): AddedTwice[] {
  const known = new Set(bases.flatMap((base) => [...read(base).things.keys()]));
  const [ours, theirs] = [read(into).things, read(from).things];
  const added = [...read(merged).things.values()].filter(({ id }) => !known.has(id));
  const waiting = new Map<string, string[]>();
  for (const thing of added)
    if (!theirs.has(thing.id))
      for (const key of keysOf(thing)) waiting.set(key, [...(waiting.get(key) ?? []), thing.id]);
  const paired = new Set<string>();
  const twice: AddedTwice[] = [];
  const total = expectedOf(merged);
  for (const thing of added) {
    if (ours.has(thing.id) || twice.length === REPORTED) continue;
    const candidates = keysOf(thing).flatMap((key) => waiting.get(key) ?? []);
    const intoId = candidates.find((id) => !paired.has(id));
    if (intoId === undefined) continue;
    paired.add(intoId);
    const { target, id } = thing;
    const hours = target === "milestone" ? 0 : roundHundredth(total - expectedOf(without(merged, id)));
    twice.push({ target, intoId, fromId: id, title: String(thing.fields.title), hours });
  }
  return twice;
}

const expectedOf = ({ tree }: Pick<Snapshot, "tree">): number => summaryHours(tree, { correlation: 0 }).expected;

/** Returns what two things have in common that count as the same one: one of these is enough. */
function keysOf({ target, parentId, fields }: Thing): string[] {
  const { title, origin } = fields as { readonly title: string; readonly origin?: object | null };
  const place = `${target} ${String(parentId)}`;
  const name = title.normalize("NFC").replace(/\s+/g, " ").trim().toLowerCase();
  return [
    ...(origin ? [`${place} from ${JSON.stringify(origin)}`] : []),
    `${place} ${JSON.stringify([name, contentOf(target, fields)])}`,
  ];
}

/** What tells things of one title apart: the hours of an option, those below a node, the day of a milestone. */
function contentOf(target: Thing["target"], fields: Thing["fields"]): unknown {
  if (target === "milestone") return (fields as unknown as Milestone).dueDate;
  if (target === "node") return expectedOf({ tree: { nodes: [fields as unknown as Node] } });
  const { hours, override, quantity, nodes } = fields as unknown as Option;
  return [override ?? hours, quantity, expectedOf({ tree: { nodes } })];
}

function without(snapshot: Snapshot, id: string): Pick<Snapshot, "tree"> {
  const keep = (nodes: readonly Node[]): Node[] =>
    nodes
      .filter((node) => node.id !== id)
      .map((node) => ({
        ...node,
        options: node.options
          .filter((option) => option.id !== id)
          .map((option) => ({ ...option, nodes: keep(option.nodes) })),
      }));
  return { tree: { nodes: keep(snapshot.tree.nodes) } };
}
