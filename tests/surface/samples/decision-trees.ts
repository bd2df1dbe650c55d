import type { decisionTrees } from "../../../contract/endpoints/decision-trees.ts";
import type { NodeInput } from "../../../contract/values/tree-input.ts";
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
    title: "Payment",
    kind: "multi",
    options: [
      { title: "By card", role: "backend", hours: { optimistic: 8, likely: 13, pessimistic: 24 }, selected: true },
      { title: "On account", role: "backend", hours: { optimistic: 3, likely: 5, pessimistic: 9 }, selected: true },
      { title: "By voucher", hours: 1 },
    ],
  },
  { title: "Extras", kind: "multi" },
];

const imported: NodeInput[] = [
  {
    title: "Sign-in",
    kind: "single",
    required: true,
    options: [
      { ref: "password", title: "Password", hours: { optimistic: 5, likely: 8, pessimistic: 14 }, selected: true },
      { title: "OpenID Connect", hours: { optimistic: 8, likely: 12, pessimistic: 24 } },
    ],
  },
  {
    title: "Account",
    kind: "group",
    options: [{ title: "Change of the password", hours: 4, requires: ["password"] }],
  },
];

export async function makeTree({ call }: Making, { estimation }: EstimationRecords): Promise<TreeRecords> {
  const { tree } = await call("PUT", `/api/estimations/${estimation}/tree`, { nodes });
  const { id, options } = tree?.nodes?.[0] ?? {};
  return { node: String(id), option: String(options?.[0]?.id), unselected: String(options?.[2]?.id) };
}

export const treeSamples: Samples<typeof decisionTrees> = {
  getTree: ({ estimation }) => ({ params: { id: estimation } }),
  replaceTree: ({ estimation }) => ({ params: { id: estimation }, body: { nodes: imported } }),
  makeTreeIds: ({ estimation }) => ({ params: { id: estimation }, body: { kind: "option", count: 2 } }),
  getTreeHours: ({ estimation }) => ({ params: { id: estimation }, query: { explain: true, whatIf: "all" } }),
  createNode: ({ estimation }) => ({
    params: { id: estimation },
    body: { title: "Set-up", kind: "group", description: "What every project needs" },
  }),
  updateNode: ({ estimation, node }) => ({
    params: { id: estimation, nodeId: node },
    body: { title: "Means of payment", required: true },
  }),
  moveNode: ({ estimation, node }) => ({
    params: { id: estimation, nodeId: node },
    body: { parentOptionId: null, position: 1 },
  }),
  deleteNode: ({ estimation, node }) => ({ params: { id: estimation, nodeId: node } }),
  createOption: ({ estimation, node }) => ({
    params: { id: estimation, nodeId: node },
    body: { title: "By direct debit", role: "backend", hours: { optimistic: 4, likely: 6, pessimistic: 11 } },
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
