import type { Static } from "typebox";
import type { decisionTrees } from "../../../contract/endpoints/decision-trees.ts";
import type { Fault } from "../../../contract/values/faults.ts";
import { aboutBytes } from "../../../domain/tree/check/about-bytes.ts";
import { checkNodeFields, checkOptionFields } from "../../../domain/tree/check/check-fields.ts";
import { problems } from "../../../domain/tree/check/problems.ts";
import type { EditTree } from "../../../domain/tree/edit/compute-change.ts";
import { createNode, deleteNode, moveNode, updateNode } from "../../../domain/tree/edit/edit-nodes.ts";
import {
  createOption,
  deleteOption,
  deselectOption,
  moveOption,
  selectOption,
  updateOption,
} from "../../../domain/tree/edit/edit-options.ts";
import { explainHours } from "../../../domain/tree/hours/explain.ts";
import { presentHours } from "../../../domain/tree/hours/present-hours.ts";
import { type RollUpSettings, rollUp } from "../../../domain/tree/hours/roll-up.ts";
import { tryOut } from "../../../domain/tree/hours/try-out.ts";
import { whatIfEach } from "../../../domain/tree/hours/what-if.ts";
import { checkImport, importTree } from "../../../domain/tree/import-tree.ts";
import type { NewId, Tree } from "../../../domain/tree/shape.ts";
import { failWith } from "../../http/failure.ts";
import type { Handlers } from "../../http/handler.ts";
import type { Quotas } from "../../http/quotas.ts";
import { inTurn, inTurns } from "../../platform/compute.ts";
import type { Services } from "../../services/index.ts";
import {
  type ContentCall,
  changeContent,
  type EstimationRow,
  presentNode,
  presentNodes,
  presentOption,
  type ReadableEstimation,
  recordEdit,
} from "../estimations/index.ts";

/** Refuses what is invalid in any tree. */
const refuse = (faults: readonly Fault[]) => (faults.length > 0 ? failWith(faults) : undefined);

interface Changed {
  readonly estimation: EstimationRow;
  readonly tree: Tree;
  readonly treeBytes: number;
}

const hoursOf = ({ estimation, tree, treeBytes }: Changed) =>
  inTurn(treeBytes, () => presentHours(rollUp(tree, estimation)));

/** Returns a tree as the API shows it. */
const shown = (tree: Tree, bytes: number) =>
  inTurn(bytes, () => ({ nodes: presentNodes(tree.nodes), problems: problems(tree) }));

/** Reading and editing the decision tree of an estimation, and its hours. */
export function decisionTreeRoutes({ quotas, treeIds }: Services): Handlers<typeof decisionTrees, ReadableEstimation> {
  type Change<Part> = (...from: [Tree, NewId]) => ReturnType<EditTree<Part>>;
  const edit = async <Part extends object>(call: ContentCall, change: Change<Part>, more: { quotas?: Quotas } = {}) => {
    const ids = treeIds(call.estimation.id);
    const changed = await changeContent(call, { ids, edit: (before) => change(before, ids.next), ...more });
    await recordEdit(call, "content.edited", changed.estimation);
    return changed;
  };
  /** An edit that adds something, and so needs room in the quota. */
  const add = <Part extends object>(call: ContentCall, change: Change<Part>) => edit(call, change, { quotas });
  return {
    async getTree({ estimation: { tree, revision } }) {
      return { data: { tree: await shown(tree, aboutBytes(tree.nodes)) }, revision };
    },

    async makeTreeIds({ estimation, body: { kind, count } }) {
      const { next } = treeIds(estimation.id);
      return { data: { ids: Array.from({ length: count }, () => next(kind)) } };
    },

    async getTreeHours({ estimation, query }) {
      const data = await inTurns(aboutBytes(estimation.tree.nodes), readHours(estimation, query));
      return { data, revision: estimation.revision };
    },

    async replaceTree(call) {
      const { nodes } = call.body;
      const bytes = aboutBytes(nodes);
      const check = await inTurn(bytes, () => checkImport(nodes));
      if (!check.ok) failWith(check.faults);
      const { checked } = check;
      const ids = treeIds(call.estimation.id);
      const changed = await changeContent(call, {
        ids,
        editBytes: bytes,
        givenIds: checked.givenIds,
        quotas,
        edit: (before, known) => importTree(checked, known, ids.next, before),
      });
      await recordEdit(call, "content.edited", changed.estimation);
      const hours = await hoursOf(changed);
      return {
        data: { tree: await shown(changed.tree, changed.treeBytes), hours },
        revision: changed.estimation.revision,
      };
    },

    async createNode(call) {
      refuse(checkNodeFields(call.body));
      const { node, ...changed } = await add(call, (before, newId) => createNode(before, call.body, newId));
      return {
        data: { node: presentNode(node), hours: await hoursOf(changed) },
        revision: changed.estimation.revision,
      };
    },

    async updateNode(call) {
      const { params, body } = call;
      refuse(checkNodeFields(body));
      const { node, ...changed } = await add(call, (before) => updateNode(before, params.nodeId, body));
      return {
        data: { node: presentNode(node), hours: await hoursOf(changed) },
        revision: changed.estimation.revision,
      };
    },

    async moveNode(call) {
      const { params, body } = call;
      const { node, ...changed } = await edit(call, (before) => moveNode(before, params.nodeId, body));
      return {
        data: { node: presentNode(node), hours: await hoursOf(changed) },
        revision: changed.estimation.revision,
      };
    },

    async deleteNode(call) {
      const { node, ...changed } = await edit(call, (before) => deleteNode(before, call.params.nodeId));
      return {
        data: { node: presentNode(node), hours: await hoursOf(changed) },
        revision: changed.estimation.revision,
      };
    },

    async createOption(call) {
      const { params, body } = call;
      refuse(checkOptionFields(body));
      const { option, ...changed } = await add(call, (before, newId) =>
        createOption(before, params.nodeId, body, newId),
      );
      return {
        data: { option: presentOption(option), hours: await hoursOf(changed) },
        revision: changed.estimation.revision,
      };
    },

    async updateOption(call) {
      const { params, body } = call;
      refuse(checkOptionFields(body));
      const { option, ...changed } = await add(call, (before) => updateOption(before, params.optionId, body));
      return {
        data: { option: presentOption(option), hours: await hoursOf(changed) },
        revision: changed.estimation.revision,
      };
    },

    async moveOption(call) {
      const { params, body } = call;
      const { option, ...changed } = await edit(call, (before) => moveOption(before, params.optionId, body));
      return {
        data: { option: presentOption(option), hours: await hoursOf(changed) },
        revision: changed.estimation.revision,
      };
    },

    async deleteOption(call) {
      const { option, ...changed } = await edit(call, (before) => deleteOption(before, call.params.optionId));
      return {
        data: { option: presentOption(option), hours: await hoursOf(changed) },
        revision: changed.estimation.revision,
      };
    },

    async selectOption(call) {
      const { option, deselected, ...changed } = await edit(call, (before) =>
        selectOption(before, call.params.optionId),
      );
      return {
        data: { option: presentOption(option), deselected, hours: await hoursOf(changed) },
        revision: changed.estimation.revision,
      };
    },

    async deselectOption(call) {
      const { option, ...changed } = await edit(call, (before) => deselectOption(before, call.params.optionId));
      return {
        data: { option: presentOption(option), hours: await hoursOf(changed) },
        revision: changed.estimation.revision,
      };
    },
  };
}

type HoursQuery = Static<(typeof decisionTrees)["getTreeHours"]["query"]>;
type HoursResponse = Static<(typeof decisionTrees)["getTreeHours"]["response"]["data"]>;

/** Returns the hours of an estimation as the query requests them, in steps. Refuses (400) options that cannot be tried out. */
function* readHours(
  estimation: RollUpSettings & { readonly tree: Tree },
  { select, deselect, whatIf, explain }: HoursQuery,
): Generator<void, HoursResponse> {
  const trial = tryOut(estimation.tree, { select: idsIn(select), deselect: idsIn(deselect) });
  if (!trial.ok) failWith(trial.faults);
  const { tree } = trial;
  yield;
  const hours = presentHours(rollUp(tree, estimation));
  yield;
  const explanation = explain ? explainHours(tree, estimation) : undefined;
  yield;
  return {
    hours,
    ...(explanation ? { explanation } : {}),
    ...(whatIf ? { whatIf: whatIfEach(tree, estimation) } : {}),
  };
}

const idsIn = (list = ""): string[] => (list === "" ? [] : list.split(",").map((id) => id.trim()));
