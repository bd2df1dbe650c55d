import type { decisionTrees } from "../../../contract/decision-trees.ts";
import type { Fault } from "../../../contract/faults.ts";
import { checkNodeFields, checkOptionFields } from "../../../domain/tree/check-fields.ts";
import type { EditTree } from "../../../domain/tree/compute-change.ts";
import { createNode, deleteNode, moveNode, updateNode } from "../../../domain/tree/edit-nodes.ts";
import {
  createOption,
  deleteOption,
  deselectOption,
  moveOption,
  selectOption,
  updateOption,
} from "../../../domain/tree/edit-options.ts";
import { checkImport, importTree } from "../../../domain/tree/import-tree.ts";
import { presentHours } from "../../../domain/tree/present-hours.ts";
import { problems } from "../../../domain/tree/problems.ts";
import { rollUp } from "../../../domain/tree/roll-up.ts";
import type { NewId, Tree } from "../../../domain/tree/shape.ts";
import { fail, failWith } from "../../http/failure.ts";
import type { Handlers } from "../../http/handler.ts";
import type { Services } from "../../services.ts";
import {
  type ContentCall,
  changeContent,
  type EstimationRow,
  presentNode,
  presentNodes,
  presentOption,
  type ReadableEstimation,
} from "../estimations/index.ts";
import { readHours } from "./read-hours.ts";
import { rereadNode, rereadOption } from "./reread.ts";

/** Refuses what is invalid in any tree. */
const refuse = (faults: readonly Fault[]) => (faults.length > 0 ? failWith(faults) : undefined);

const hoursOf = (tree: Tree, row: EstimationRow) => presentHours(rollUp(tree, row));

/** Reading and editing the decision tree of an estimation, and its hours. */
export function decisionTreeRoutes({ config, treeIds }: Services): Handlers<typeof decisionTrees, ReadableEstimation> {
  const quotaBytes = config.quotas.treeBytes;
  type Change<Part> = (...from: [Tree, NewId]) => ReturnType<EditTree<Part>>;
  const edit = <Part extends object>(call: ContentCall, change: Change<Part>, more: { quotaBytes?: number } = {}) => {
    const ids = treeIds(call.estimation.id);
    return changeContent(call, { ids, edit: (before) => change(before, ids.next), ...more });
  };
  /** An edit that adds something, and so needs room in the quota. */
  const add = <Part extends object>(call: ContentCall, change: Change<Part>) => edit(call, change, { quotaBytes });
  return {
    async getTree({ estimation: { tree, revision } }) {
      return { data: { tree: { nodes: presentNodes(tree.nodes), problems: problems(tree) } }, revision };
    },

    async getTreeHours({ estimation, query }) {
      return { data: readHours(estimation, query), revision: estimation.revision };
    },

    async replaceTree(call) {
      const check = checkImport(call.body.nodes);
      if (!check.ok) failWith(check.faults);
      const { checked } = check;
      const ids = treeIds(call.estimation.id);
      const { estimation, tree } = await changeContent(call, {
        ids,
        givenIds: checked.givenIds,
        quotaBytes,
        edit: (before, known) => importTree(checked, known, ids.next, before),
      });
      return {
        data: { tree: { nodes: presentNodes(tree.nodes), problems: problems(tree) }, hours: hoursOf(tree, estimation) },
        revision: estimation.revision,
      };
    },

    async createNode(call) {
      if (call.kept) return rereadNode(call, call.kept);
      refuse(checkNodeFields(call.body));
      const { estimation, tree, node } = await add(call, (before, newId) => createNode(before, call.body, newId));
      return { data: { node: presentNode(node), hours: hoursOf(tree, estimation) }, revision: estimation.revision };
    },

    async updateNode(call) {
      const { params, body } = call;
      refuse(checkNodeFields(body));
      const { estimation, tree, node } = await add(call, (before) => updateNode(before, params.nodeId, body));
      return { data: { node: presentNode(node), hours: hoursOf(tree, estimation) }, revision: estimation.revision };
    },

    async moveNode(call) {
      if (call.kept) return rereadNode(call, call.kept, call.params.nodeId);
      const { params, body } = call;
      const { estimation, tree, node } = await edit(call, (before) => moveNode(before, params.nodeId, body));
      return { data: { node: presentNode(node), hours: hoursOf(tree, estimation) }, revision: estimation.revision };
    },

    async deleteNode(call) {
      const { estimation, tree, node } = await edit(call, (before) => deleteNode(before, call.params.nodeId));
      return { data: { node: presentNode(node), hours: hoursOf(tree, estimation) }, revision: estimation.revision };
    },

    async createOption(call) {
      if (call.kept) return rereadOption(call, call.kept);
      const { params, body } = call;
      refuse(checkOptionFields(body));
      const { estimation, tree, option } = await add(call, (before, newId) =>
        createOption(before, params.nodeId, body, newId),
      );
      return {
        data: { option: presentOption(option), hours: hoursOf(tree, estimation) },
        revision: estimation.revision,
      };
    },

    async updateOption(call) {
      const { params, body } = call;
      refuse(checkOptionFields(body));
      const { estimation, tree, option } = await add(call, (before) => updateOption(before, params.optionId, body));
      return {
        data: { option: presentOption(option), hours: hoursOf(tree, estimation) },
        revision: estimation.revision,
      };
    },

    async moveOption(call) {
      if (call.kept) return rereadOption(call, call.kept, call.params.optionId);
      const { params, body } = call;
      const { estimation, tree, option } = await edit(call, (before) => moveOption(before, params.optionId, body));
      return {
        data: { option: presentOption(option), hours: hoursOf(tree, estimation) },
        revision: estimation.revision,
      };
    },

    async deleteOption(call) {
      const { estimation, tree, option } = await edit(call, (before) => deleteOption(before, call.params.optionId));
      return {
        data: { option: presentOption(option), hours: hoursOf(tree, estimation) },
        revision: estimation.revision,
      };
    },

    async selectOption(call) {
      if (call.kept) {
        const { data, revision } = await rereadOption(call, call.kept, call.params.optionId);
        return { data: { ...data, deselected: call.kept.deselected ?? fail("answer_not_kept") }, revision };
      }
      const { estimation, tree, option, deselected } = await edit(call, (before) =>
        selectOption(before, call.params.optionId),
      );
      return {
        data: { option: presentOption(option), deselected, hours: hoursOf(tree, estimation) },
        revision: estimation.revision,
      };
    },

    async deselectOption(call) {
      if (call.kept) return rereadOption(call, call.kept, call.params.optionId);
      const { estimation, tree, option } = await edit(call, (before) => deselectOption(before, call.params.optionId));
      return {
        data: { option: presentOption(option), hours: hoursOf(tree, estimation) },
        revision: estimation.revision,
      };
    },
  };
}
