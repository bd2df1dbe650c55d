import { fileFormats } from "../../contract/values/file-formats.ts";
import type { NodeInput, OptionInput } from "../../contract/values/tree-input.ts";
import { type Node, type Option, type Tree, walk } from "../tree/shape.ts";
import type { Content } from "./content.ts";

/**
 * Returns an estimation as a JSON file: `estimation` contains its fields and `tree` its nodes, both as the API accepts
 * them. There are no ids, and so no origins; options named in `requires` or `excludes` have a `ref`.
 */
export function exportJson({ tree, ...estimation }: Content): string {
  const file = { format: fileFormats.at(-1), estimation, tree: { nodes: nodesOf(tree.nodes, refsIn(tree)) } };
  const indented = JSON.stringify(file, null, 2);
  return `${indented.length > INDENTED_LENGTH ? JSON.stringify(file) : indented}\n`;
}

/**
 * A longer file has no indentation, in UTF-16 code units: indentation can double a large file, which could then not be
 * sent to be imported.
 */
const INDENTED_LENGTH = 2_000_000;

/** Returns a ref for each option that a link names: `r` and a number, in tree order. */
function refsIn(tree: Tree): Map<string, string> {
  const named = new Set<string>();
  walk(tree.nodes, {
    option: ({ requires, excludes }) => {
      for (const id of [...requires, ...excludes]) named.add(id);
    },
  });
  const refs = new Map<string, string>();
  walk(tree.nodes, {
    option: ({ id }) => {
      if (named.has(id)) refs.set(id, `r${refs.size + 1}`);
    },
  });
  return refs;
}

function nodesOf(nodes: readonly Node[], refs: ReadonlyMap<string, string>): NodeInput[] {
  return nodes.map(({ id: _, origin: __, options, ...fields }) => ({
    ...fields,
    options: options.map((option) => optionOf(option, refs)),
  }));
}

function optionOf({ id, nodes, origin: _, ...fields }: Option, refs: ReadonlyMap<string, string>): OptionInput {
  const ref = refs.get(id);
  const refOf = (link: string): string => refs.get(link) ?? link;
  return {
    ...(ref === undefined ? {} : { ref }),
    ...fields,
    requires: fields.requires.map(refOf),
    excludes: fields.excludes.map(refOf),
    nodes: nodesOf(nodes, refs),
  };
}
