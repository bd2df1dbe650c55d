import type { Static } from "typebox";
import type { decisionTrees } from "../../../contract/decision-trees.ts";
import { explainHours } from "../../../domain/tree/explain.ts";
import { presentHours } from "../../../domain/tree/present-hours.ts";
import { type RollUpSettings, rollUp } from "../../../domain/tree/roll-up.ts";
import type { Tree } from "../../../domain/tree/shape.ts";
import { tryOut } from "../../../domain/tree/try-out.ts";
import { whatIfEach } from "../../../domain/tree/what-if.ts";
import { failWith } from "../../http/failure.ts";

type Query = Static<(typeof decisionTrees)["getTreeHours"]["query"]>;
type Response = Static<(typeof decisionTrees)["getTreeHours"]["response"]["data"]>;

/** Returns the hours of an estimation as the query requests them, in steps. Refuses (400) options that cannot be tried out. */
export function* readHours(
  estimation: RollUpSettings & { readonly tree: Tree },
  { select, deselect, whatIf, explain }: Query,
): Generator<void, Response> {
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
