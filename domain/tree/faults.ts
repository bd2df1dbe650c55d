import { limits } from "../../contract/limits.ts";

/** A breach of structure: `path` is a JSON pointer into the request body ("" the whole of it). */
export interface Fault {
  path: string;
  message: string;
}

/** Notes a fault, unless as many as an answer reports are noted already: bad input must not cost unbounded memory. */
export function report(faults: Fault[], path: string, message: string): void {
  if (!isFull(faults)) faults.push({ path, message });
}

/** Whether no further fault would be noted: there is nothing left to look for. */
export function isFull(faults: readonly Fault[]): boolean {
  return faults.length >= limits.reportedFaults;
}

/** The message of every fault, so that the same breach reads the same wherever it is found. */
export const messages = {
  hours: `must be hours from 0 to ${limits.optionHoursMax} with at most two decimals`,
  likely: "must be at least optimistic",
  pessimistic: "must be at least likely",
  quantity: `must be from 0 to ${limits.quantityMax} with at most two decimals`,
  bound: `must be a whole number from 0 to ${limits.nodeOptions}`,
  min: "must be at most max",
  max: "must be at least min",
  links: `must not have more than ${limits.optionLinks} entries`,
  unknownLink: "must name an option of this tree",
  ownLink: "must not name its own option",
  repeatedLink: "must not name the same option twice",
  trial: `must not name more than ${limits.trialOptions} options, those to deselect included`,
  cycle: "must not lead back to its own option",
  knownNode: "must be the id of a node that this estimation has or had",
  knownOption: "must be the id of an option that this estimation has or had",
  repeatedId: "must not be given twice",
  repeatedRef: "must differ from every other ref and option id in the request",
  depth: `nodes must not be nested more than ${limits.treeDepth} deep`,
  nodes: `a tree must not have more than ${limits.treeNodes} nodes`,
  options: `a tree must not have more than ${limits.treeOptions} options`,
  nodeOptions: `a node must not have more than ${limits.nodeOptions} options`,
  treeLinks: `a tree must not have more than ${limits.treeLinks} entries in requires and excludes`,
  treeBytes: `a tree must not take more than ${limits.treeBytes} bytes as JSON with all its ids`,
  oneSelected: "a single-choice node must not have more than one selected option",
  treeHours: `quantities and hours must not multiply to more than ${limits.treeHoursMax} hours in the tree`,
  parentOption: "must be the id of an option of this tree",
  targetNode: "must be the id of a node of this tree",
  belowItself: "must not lie below the thing that is moved",
  position: "must not lie beyond the end of the list",
  referredTo: "names an option that would be deleted",
} as const;
