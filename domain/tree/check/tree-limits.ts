import { limits } from "../../../contract/limits.ts";
import { exceedsTreeHours } from "../hours/potential-hours.ts";
import { idsOf, type Tree } from "../shape.ts";
import { type Breach, breaches } from "./faults.ts";
import { countLinks } from "./links.ts";

/** Returns the limits that these nodes would exceed as a whole tree; each part of them is valid by itself. */
export function treeBreaches(nodes: Tree["nodes"]): Breach[] {
  const ids = idsOf(nodes);
  return [
    ...(ids.nodes.size > limits.treeNodes ? [breaches.nodes] : []),
    ...(ids.options.size > limits.treeOptions ? [breaches.options] : []),
    ...(countLinks(nodes) > limits.treeLinks ? [breaches.treeLinks] : []),
    ...(exceedsTreeHours(nodes) ? [breaches.treeHours] : []),
  ];
}
