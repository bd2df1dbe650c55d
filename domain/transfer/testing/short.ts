import { plantTree } from "../../tree/import-tree.ts";
import type { Node, Option } from "../../tree/shape.ts";
import type { Import } from "../content.ts";

/**
 * An import in short: `Title: Question[Option 4-16-34, Option{Question[…]}] Question…`, with ? behind a question that takes
 * one answer and * behind one that takes any, and x before what is chosen there; or its faults, by line.
 */
export function shortOf(outcome: Import): string {
  if (!outcome.ok) return outcome.faults.map(({ line, message }) => `${line}: ${message}`).join("\n");
  const tree = plantTree(outcome.incoming.checked, (kind) => kind);
  return `${outcome.incoming.estimation.title}: ${nodes(tree.nodes)}`;
}

const SIGNS = { single: "?", multi: "*", group: "" } as const;

const nodes = (list: readonly Node[]): string =>
  list
    .map(
      ({ title, kind, description, options }) =>
        `${title}${SIGNS[kind]}${told(description)}[${options.map((each) => option(each, kind !== "group")).join(", ")}]`,
    )
    .join(" ");

function option({ title, hours, description, selected, nodes: below }: Option, hasBox: boolean): string {
  const points = hours && [...new Set([hours.optimistic, hours.likely, hours.pessimistic])].join("-");
  const text = [hasBox && selected && "x", title, points].filter((part) => part !== false && part !== null).join(" ");
  return text + told(description) + (below.length === 0 ? "" : `{${nodes(below)}}`);
}

const told = (description: string): string => (description === "" ? "" : ` "${description}"`);
