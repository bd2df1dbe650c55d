import type { Node, Option } from "../tree/shape.ts";
import type { Content } from "./content.ts";
import { writeChoice, writeTitle, writeWords } from "./outline-fields.ts";
import { writeLine, writeQuoted } from "./outline-text.ts";

/**
 * Returns an estimation as a Markdown outline that people can read and `importOutline` reads back: everything except
 * the links between options (`requires`, `excludes`). A carriage return in a longer text becomes a line feed.
 */
export function exportMarkdown({ tree, ...estimation }: Content): string {
  const { title, description, assumptions, clientName, hourlyRate, currency, tags, correlation, rounding } = estimation;
  const settings: [string, string | null][] = [
    ["Client", clientName === null ? null : writeLine(clientName)],
    ["Hourly rate", hourlyRate === null ? null : String(hourlyRate)],
    ["Currency", currency],
    ["Tags", tags.length > 0 ? tags.map(writeQuoted).join(", ") : null],
    ["Correlation", String(correlation)],
    ["Rounding", String(rounding)],
  ];
  const lines = [`# ${writeLine(title)}`, "", ...quoted(description, "")];
  if (description !== "") lines.push("");
  for (const [name, value] of settings) if (value !== null) lines.push(`${name}: ${value}`);
  lines.push("");
  if (assumptions !== "") lines.push("## Assumptions", "", ...quoted(assumptions, ""), "");
  for (const node of tree.nodes) writeNode(lines, node, "");
  return `${lines.join("\n")}\n`;
}

function writeNode(lines: string[], node: Node, indent: string): void {
  const hasBoxes = node.kind !== "group" || node.options.some(({ selected }) => selected);
  const kind = node.kind === "group" && !hasBoxes ? null : node.kind;
  lines.push(`${indent}- ${writeTitle(node.title)}${writeChoice({ ...node, kind })}`);
  lines.push(...quoted(node.description, `${indent}  `));
  for (const option of node.options) writeOption(lines, option, hasBoxes, `${indent}  `);
}

function writeOption(lines: string[], option: Option, hasBox: boolean, indent: string): void {
  const box = hasBox ? `[${option.selected ? "x" : " "}] ` : "";
  const words = writeWords(option);
  const title = writeTitle(option.title, words !== "");
  lines.push(`${indent}- ${box}${title}${words === "" ? "" : `: ${words}`}`);
  lines.push(...quoted(option.description, `${indent}  `));
  for (const node of option.nodes) writeNode(lines, node, `${indent}  `);
}

/** A description of more lines is not indented: in a deep tree, indentation is many times as long as short lines. */
const INDENTED_LINES = 20;

function quoted(description: string, indent: string): string[] {
  if (description === "") return [];
  const lines = description.split(/\r\n|\r|\n/);
  const begin = lines.length > INDENTED_LINES ? ">" : `${indent}>`;
  return lines.map((line) => (line === "" ? begin : `${begin} ${line}`));
}
