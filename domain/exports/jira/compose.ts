import { cut, oneLine } from "../cut.ts";
import type { Warning } from "../fields.ts";
import type { Composed, ExportedEstimation, TaskToExport } from "../shape.ts";
import { type AdfNode, canonical, paragraph, text } from "./adf.ts";
import { estimateOf, isWhole } from "./estimate.ts";
import type { JiraLayout } from "./issue-types.ts";
import { blocksOf } from "./markdown.ts";

/** Jira's limits, in characters; of a description those of its JSON, which is the longest form that Jira could count. */
export const SUMMARY_LENGTH = 255;
export const DESCRIPTION_LENGTH = 32_767;

/**
 * Returns a task as the fields of an issue: `summary`, `description` (a document as canonical JSON) and `estimate` (whole
 * minutes). Those that the screen of the issue's type does not have are left out.
 */
export function composeIssue(task: TaskToExport, estimation: ExportedEstimation, { types }: JiraLayout): Composed {
  const warnings: Warning[] = [];
  const type = types[task.depth];
  const has = (field: string) => type === undefined || type.fields.includes(field);
  const whole = oneLine(task.title.toWellFormed());
  const summary = cut(whole, SUMMARY_LENGTH);
  if (summary !== whole)
    warnings.push({
      code: "title_cut",
      message: `The title is cut to ${SUMMARY_LENGTH} characters; the issue's description has all of it.`,
    });
  const { hours, role, parentLink, milestone } = task;
  const inField = has("timetracking");
  const facts: AdfNode[][] = [
    ...(summary === whole ? [] : [fact("Title", text(whole))]),
    ...(hours === null || (inField && isWhole(hours)) ? [] : [fact("Estimate", text(`${hours} h`))]),
    ...(role?.trim() ? [fact("Role", text(oneLine(role.toWellFormed())))] : []),
    ...(milestone?.trim() ? [fact("Milestone", text(oneLine(milestone.toWellFormed())))] : []),
    ...(parentLink ? [fact("Part of", link(parentLink.key, parentLink.url))] : []),
    fact("Estimation", link(oneLine(estimation.title.toWellFormed()) || estimation.id, estimation.url)),
  ];
  if (hours !== null && !inField)
    warnings.push({
      code: "estimate_in_text",
      message: `The screen of the type ${type?.name} has no time tracking; the issue's description has the estimate.`,
    });
  const description = describe(facts, task.description);
  if (!has("description"))
    warnings.push({
      code: "description_dropped",
      message: `The screen of the type ${type?.name} has no description, so the issue has none.`,
    });
  else if (description.cut)
    warnings.push({ code: "description_cut", message: "The description is cut; the estimation has all of it." });
  return {
    fields: {
      summary,
      ...(has("description") ? { description: description.json } : {}),
      ...(inField ? { estimate: estimateOf(hours) } : {}),
    },
    warnings,
  };
}

/** Returns the comment of an issue that is closed because its task is obsolete, as canonical JSON. */
export const closingComment = ({ id, title, url }: ExportedEstimation): string =>
  canonical([
    paragraph([
      text("Closed because its task is no longer part of the estimation "),
      link(oneLine(title.toWellFormed()) || id, url),
      text("."),
    ]),
  ]);

const fact = (name: string, value: AdfNode): AdfNode[] => [text(`${name}: `, [{ type: "strong" }]), value];

const link = (shown: string, href: string): AdfNode => text(shown, [{ type: "link", attrs: { href } }]);

const RULE: AdfNode = { type: "rule" };
const CUT_NOTE = paragraph([text("… (the estimation has the rest)")]);

/** Returns our own lines and the description, which is cut if both together are longer than Jira takes. */
function describe(facts: readonly AdfNode[][], markdown: string): { json: string; cut: boolean } {
  const head = paragraph(facts.flatMap((one, at) => (at === 0 ? one : [{ type: "hardBreak" }, ...one])));
  const blocks = blocksOf(markdown);
  const whole = canonical(blocks.length === 0 ? [head] : [head, RULE, ...blocks]);
  if (whole.length <= DESCRIPTION_LENGTH) return { json: whole, cut: false };
  let length = Math.min(markdown.length, DESCRIPTION_LENGTH);
  for (let json = whole; ; ) {
    // How much JSON a text becomes depends on its content: cut by its share, and a little more.
    length = Math.floor(length * Math.min(0.9, DESCRIPTION_LENGTH / json.length));
    json = canonical([head, RULE, ...blocksOf(cut(markdown, length)), CUT_NOTE]);
    if (json.length <= DESCRIPTION_LENGTH || length === 0) return { json, cut: true };
  }
}
