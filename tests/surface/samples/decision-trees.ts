import type { decisionTrees } from "../../../contract/decision-trees.ts";
import type { EstimationRecords } from "./estimations.ts";
import type { Making, Samples } from "./noun.ts";

export interface TreeRecords {
  readonly node: string;
  readonly option: string;
  /** An option that is not selected. */
  readonly unselected: string;
}

const nodes = [
  {
    title: "Part",
    kind: "multi",
    options: [
      { title: "Work", hours: 8, selected: true },
      { title: "More", hours: 2, selected: true },
      { title: "Other", hours: 1 },
    ],
  },
  { title: "Extras", kind: "multi" },
];

export async function makeTree({ call }: Making, { estimation }: EstimationRecords): Promise<TreeRecords> {
  const { tree } = await call("PUT", `/api/estimations/${estimation}/tree`, { nodes });
  const { id, options } = tree?.nodes?.[0] ?? {};
  return { node: String(id), option: String(options?.[0]?.id), unselected: String(options?.[2]?.id) };
}

export const treeSamples: Samples<typeof decisionTrees> = {
  getTree: ({ estimation }) => ({ params: { id: estimation } }),
  replaceTree: ({ estimation }) => ({ params: { id: estimation }, body: { nodes: [] } }),
  getTreeHours: ({ estimation }) => ({ params: { id: estimation } }),
  createNode: ({ estimation }) => ({ params: { id: estimation }, body: { title: "Node", kind: "group" } }),
  updateNode: ({ estimation, node }) => ({ params: { id: estimation, nodeId: node }, body: { title: "Node 2" } }),
  moveNode: ({ estimation, node }) => ({
    params: { id: estimation, nodeId: node },
    body: { parentOptionId: null, position: 1 },
  }),
  deleteNode: ({ estimation, node }) => ({ params: { id: estimation, nodeId: node } }),
  createOption: ({ estimation, node }) => ({
    params: { id: estimation, nodeId: node },
    body: { title: "Option", hours: 3 },
  }),
  updateOption: ({ estimation, option }) => ({ params: { id: estimation, optionId: option }, body: { quantity: 2 } }),
  moveOption: ({ estimation, option, node }) => ({
    params: { id: estimation, optionId: option },
    body: { nodeId: node },
  }),
  deleteOption: ({ estimation, option }) => ({ params: { id: estimation, optionId: option } }),
  selectOption: ({ estimation, unselected }) => ({ params: { id: estimation, optionId: unselected } }),
  deselectOption: ({ estimation, option }) => ({ params: { id: estimation, optionId: option } }),
};
