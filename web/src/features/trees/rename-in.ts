import type { Tree } from "../../../../domain/tree/shape.ts";
import type { Content, Step } from "./content.ts";
import type { EditorState } from "./editor-state.ts";
import { withIds } from "./tree-ids.ts";

interface Renamed {
  /** The tree that was sent, with permanent ids. */
  readonly sent: Tree;
  /** The changed parts of the state. */
  readonly changes: Partial<EditorState>;
}

/** Returns a state and its steps with the permanent ids of new things, after `sent` was stored. */
export function renameIn(state: EditorState, sent: Tree, ids: ReadonlyMap<string, string>): Renamed {
  // The same object if only ids changed, so that undo knows its position.
  const renamed = withIds(sent, ids);
  const treeOf = (tree: Tree) => (tree === sent ? renamed : withIds(tree, ids));
  const tree = treeOf(state.tree);
  if (ids.size === 0) return { sent: renamed, changes: { tree } };
  const inContent = ({ tree: each, own }: Content): Content => ({ tree: treeOf(each), own });
  const inStep = ({ before, after }: Step): Step => ({ before: inContent(before), after: inContent(after) });
  const former = [...ids].map(([from, to]) => [to, from] as const);
  const changes = {
    tree,
    past: state.past.map(inStep),
    future: state.future.map(inStep),
    renamed: new Map([...state.renamed, ...ids]),
    formerIds: new Map([...state.formerIds, ...former]),
  };
  return { sent: renamed, changes };
}
