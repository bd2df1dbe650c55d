import type { decisionTrees } from "../../../contract/decision-trees.ts";
import { checkNodeFields, checkOptionFields } from "../../../domain/tree/check-fields.ts";
import { createNode, deleteNode, moveNode, updateNode } from "../../../domain/tree/edit-nodes.ts";
import {
  createOption,
  deleteOption,
  deselectOption,
  moveOption,
  selectOption,
  updateOption,
} from "../../../domain/tree/edit-options.ts";
import { presentHours } from "../../../domain/tree/present-hours.ts";
import { problems } from "../../../domain/tree/problems.ts";
import { rollUp } from "../../../domain/tree/roll-up.ts";
import type { Tree } from "../../../domain/tree/shape.ts";
import { type Fault, failWith } from "../../http/failure.ts";
import type { Handlers } from "../../http/handler.ts";
import type { Services } from "../../services.ts";
import type { EstimationRow, ReadableEstimation } from "../estimations/index.ts";
import { changeTree } from "./change.ts";
import { readHours } from "./read-hours.ts";
import { replaceTree } from "./replace.ts";

/** Refuses what is wrong whatever tree it is meant for, before that is looked up. */
const refuse = (faults: readonly Fault[]) => (faults.length > 0 ? failWith(faults) : undefined);

const hoursOf = (tree: Tree, row: EstimationRow) => presentHours(rollUp(tree, row));

/** Reading and editing the decision tree of an estimation, and its hours. */
export function decisionTreeRoutes({ ids }: Services): Handlers<typeof decisionTrees, ReadableEstimation> {
  const newId = ids.next;
  return {
    async getTree({ estimation: { tree, revision } }) {
      return { data: { tree: { nodes: tree.nodes, problems: problems(tree) } }, revision };
    },

    async getTreeHours({ estimation, query }) {
      return { data: readHours(estimation, query), revision: estimation.revision };
    },

    async replaceTree(call) {
      const { row, tree } = await replaceTree(call, newId);
      return {
        data: { tree: { nodes: tree.nodes, problems: problems(tree) }, hours: hoursOf(tree, row) },
        revision: row.revision,
      };
    },

    async createNode(call) {
      refuse(checkNodeFields(call.body));
      const { row, tree, node } = await changeTree(call, (before) => createNode(before, call.body, newId));
      return { data: { node, hours: hoursOf(tree, row) }, revision: row.revision };
    },

    async updateNode(call) {
      const { params, body } = call;
      refuse(checkNodeFields(body));
      const { row, tree, node } = await changeTree(call, (before) => updateNode(before, params.nodeId, body));
      return { data: { node, hours: hoursOf(tree, row) }, revision: row.revision };
    },

    async moveNode(call) {
      const { params, body } = call;
      const { row, tree, node } = await changeTree(call, (before) => moveNode(before, params.nodeId, body));
      return { data: { node, hours: hoursOf(tree, row) }, revision: row.revision };
    },

    async deleteNode(call) {
      const { row, tree, node } = await changeTree(call, (before) => deleteNode(before, call.params.nodeId));
      return { data: { node, hours: hoursOf(tree, row) }, revision: row.revision };
    },

    async createOption(call) {
      const { params, body } = call;
      refuse(checkOptionFields(body));
      const { row, tree, option } = await changeTree(call, (before) =>
        createOption(before, params.nodeId, body, newId),
      );
      return { data: { option, hours: hoursOf(tree, row) }, revision: row.revision };
    },

    async updateOption(call) {
      const { params, body } = call;
      refuse(checkOptionFields(body));
      const { row, tree, option } = await changeTree(call, (before) => updateOption(before, params.optionId, body));
      return { data: { option, hours: hoursOf(tree, row) }, revision: row.revision };
    },

    async moveOption(call) {
      const { params, body } = call;
      const { row, tree, option } = await changeTree(call, (before) => moveOption(before, params.optionId, body));
      return { data: { option, hours: hoursOf(tree, row) }, revision: row.revision };
    },

    async deleteOption(call) {
      const { row, tree, option } = await changeTree(call, (before) => deleteOption(before, call.params.optionId));
      return { data: { option, hours: hoursOf(tree, row) }, revision: row.revision };
    },

    async selectOption(call) {
      const { row, tree, option, deselected } = await changeTree(call, (before) =>
        selectOption(before, call.params.optionId),
      );
      return { data: { option, deselected, hours: hoursOf(tree, row) }, revision: row.revision };
    },

    async deselectOption(call) {
      const { row, tree, option } = await changeTree(call, (before) => deselectOption(before, call.params.optionId));
      return { data: { option, hours: hoursOf(tree, row) }, revision: row.revision };
    },
  };
}
