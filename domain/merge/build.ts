import { type Node, type Option, originLast } from "../tree/shape.ts";
import type { Milestone, Settings, Snapshot } from "../versions/shape.ts";
import { arrange } from "./arrange.ts";
import { mergeSelection } from "./choices.ts";
import { mergeFields } from "./fields.ts";
import type { Merging } from "./merging.ts";
import type { Parents } from "./placement.ts";
import { childrenIn, type Fields, type Line, listOf, MILESTONES, ROOTS, type Thing } from "./read.ts";

/** Builds the merged snapshot: everything at its place, in order, with merged fields. */
export function build(merging: Merging, parents: Parents, settings: Settings): Snapshot {
  const { base, into, from } = merging;

  const childrenOf = (list: string): readonly string[] => {
    const [mine, theirs] = [idsIn(into, list), idsIn(from, list)];
    if (mine.length === theirs.length && mine.every((id, at) => id === theirs[at])) return mine;
    return arrange({ base: childrenIn(base, list).map(({ id }) => id), into: mine, from: theirs });
  };
  /** The children of a list in one version that are also there in the merge. */
  const idsIn = (line: Line, list: string): string[] => {
    const ids: string[] = [];
    for (const { id } of childrenIn(line, list)) {
      const parentId = parents.get(id);
      const isHere = parentId === list || (parentId === null && listOf(thingOf(id).target, parentId) === list);
      if (isHere) ids.push(id);
    }
    return ids;
  };
  const thingOf = (id: string): Thing => into.things.get(id) ?? (from.things.get(id) as Thing);
  const fieldsOf = (id: string): Fields => {
    const [mine, theirs] = [into.things.get(id), from.things.get(id)];
    if (mine && theirs) return mergeFields(merging, [mine, theirs], base.things.get(id));
    return (mine ?? theirs)?.fields ?? {};
  };

  const nodeOf = (id: string): Node => {
    const fields = fieldsOf(id);
    const options = childrenOf(id);
    const selected = mergeSelection(merging, { node: thingOf(id), fields, options });
    return originLast({
      ...(fields as unknown as Node),
      options: options.map((one) => optionOf(one, selected.has(one))),
    });
  };
  const optionOf = (id: string, selected: boolean): Option => {
    const fields = fieldsOf(id) as unknown as Option;
    const [requires, excludes] = [keptLinks(fields.requires), keptLinks(fields.excludes)];
    return originLast({ ...fields, requires, excludes, selected, nodes: childrenOf(id).map(nodeOf) });
  };
  /** Without removed options: removing an option removes the links to it. */
  const keptLinks = (links: string[]): string[] =>
    links.every((link) => parents.has(link)) ? links : links.filter((link) => parents.has(link));

  return {
    ...settings,
    tree: { nodes: childrenOf(ROOTS).map(nodeOf) },
    milestones: childrenOf(MILESTONES).map((id) => fieldsOf(id) as unknown as Milestone),
  };
}
