import { limits } from "../../../contract/limits.ts";
import type { FaultCode, Fault as RequestFault, RequestPart } from "../../../contract/values/faults.ts";

/** A violation of structure: `path` is a JSON pointer into the request body ("" for the whole body). */
export type Fault = RequestFault & {
  /** JSON pointer into the stored tree, if the fault is there. */
  at?: string;
};

/** Which rule is violated, and what to do about it. */
export interface Breach {
  readonly code: FaultCode;
  readonly message: string;
  readonly expected?: string | number;
}

/** A fault at `path` of a part of the request. */
export const faultAt = (path: string, breach: Breach, part: RequestPart = "body"): Fault => ({
  path,
  in: part,
  ...breach,
});

/** Records a fault, unless the limit of reported faults is reached: bad input must not cost unbounded memory. */
export function report(faults: Fault[], path: string, breach: Breach): void {
  if (!isFull(faults)) faults.push(faultAt(path, breach));
}

/** Returns whether no further fault would be recorded, so that the search can stop. */
export function isFull(faults: readonly Fault[]): boolean {
  return faults.length >= limits.reportedFaults;
}

/** Every violation by name, so that it has the same text wherever it is found. */
export const breaches = {
  hours: {
    code: "out_of_range",
    message: `must be hours from 0 to ${limits.optionHoursMax} with at most two decimals`,
    expected: limits.optionHoursMax,
  },
  likely: { code: "out_of_order", message: "must be at least optimistic" },
  pessimistic: { code: "out_of_order", message: "must be at least likely" },
  quantity: {
    code: "out_of_range",
    message: `must be from 0 to ${limits.quantityMax} with at most two decimals`,
    expected: limits.quantityMax,
  },
  bound: {
    code: "out_of_range",
    message: `must be a whole number from 0 to ${limits.nodeOptions}`,
    expected: limits.nodeOptions,
  },
  min: { code: "out_of_order", message: "must be at most max" },
  max: { code: "out_of_order", message: "must be at least min" },
  links: {
    code: "too_many",
    message: `must not have more than ${limits.optionLinks} entries`,
    expected: limits.optionLinks,
  },
  unknownLink: { code: "unknown_reference", message: "must name an option of this tree" },
  ownLink: { code: "self_reference", message: "must not name its own option" },
  repeatedLink: { code: "repeated", message: "must not name the same option twice" },
  trial: {
    code: "too_many",
    message: `must not name more than ${limits.trialOptions} options, those to deselect included`,
    expected: limits.trialOptions,
  },
  cycle: { code: "cycle", message: "must not lead back to its own option" },
  knownNode: { code: "unknown_reference", message: "must be the id of a node that this estimation has or had" },
  knownOption: { code: "unknown_reference", message: "must be the id of an option that this estimation has or had" },
  repeatedId: { code: "repeated", message: "must not be given twice" },
  repeatedRef: { code: "repeated", message: "must differ from every other ref and option id in the request" },
  depth: {
    code: "too_deep",
    message: `nodes must not be nested more than ${limits.treeDepth} deep`,
    expected: limits.treeDepth,
  },
  nodes: {
    code: "too_many",
    message: `a tree must not have more than ${limits.treeNodes} nodes`,
    expected: limits.treeNodes,
  },
  options: {
    code: "too_many",
    message: `a tree must not have more than ${limits.treeOptions} options`,
    expected: limits.treeOptions,
  },
  nodeOptions: {
    code: "too_many",
    message: `a node must not have more than ${limits.nodeOptions} options`,
    expected: limits.nodeOptions,
  },
  treeLinks: {
    code: "too_many",
    message: `a tree must not have more than ${limits.treeLinks} entries in requires and excludes`,
    expected: limits.treeLinks,
  },
  treeBytes: {
    code: "too_large",
    message: `a tree must not take more than ${limits.treeBytes} bytes as JSON with all its ids`,
    expected: limits.treeBytes,
  },
  oneSelected: {
    code: "several_selected",
    message: "a single-choice node must not have more than one selected option",
  },
  treeHours: {
    code: "too_large",
    message: `quantities and hours must not multiply to more than ${limits.treeHoursMax} hours in the tree`,
    expected: limits.treeHoursMax,
  },
  parentOption: { code: "unknown_reference", message: "must be the id of an option of this tree" },
  part: { code: "unknown_reference", message: "must be the id of a node or an option of this estimation" },
  targetNode: { code: "unknown_reference", message: "must be the id of a node of this tree" },
  belowItself: { code: "cycle", message: "must not lie below the thing that is moved" },
  position: { code: "out_of_range", message: "must not lie beyond the end of the list" },
  referredTo: { code: "still_referred_to", message: "is named by an option that stays; remove that link first" },
} as const satisfies Record<string, Breach>;
