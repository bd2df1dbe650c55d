import { cut, oneLine } from "../cut.ts";
import type { Warning } from "../fields.ts";
import type { Composed, ExportedEstimation, TaskToExport } from "../shape.ts";
import { markerComment } from "./marker.ts";
import { plain, plainInLink, quiet } from "./quiet.ts";

/** GitHub's limits, in characters. */
export const TITLE_LENGTH = 256;
export const BODY_LENGTH = 65_536;
const MILESTONE_LENGTH = 255;
const LABEL_DESCRIPTION_LENGTH = 100;

/**
 * Returns a task as an issue. Our own lines precede the description, so that unclosed Markdown in it cannot affect
 * them. The marker follows them: lists, previews and mails show how a text begins, some of them with its comments.
 */
export function composeIssue(task: TaskToExport, estimation: ExportedEstimation): Composed {
  const warnings: Warning[] = [];
  const whole = oneLine(task.title);
  const title = cut(whole, TITLE_LENGTH);
  if (title !== whole)
    warnings.push({
      code: "title_cut",
      message: `The title is cut to ${TITLE_LENGTH} characters; the issue's text has all of it.`,
    });
  const { parentLink, role } = task;
  const facts = [
    ...(title === whole ? [] : [`**Title:** ${plain(task.title)}`]),
    ...(task.hours === null ? [] : [`**Estimate:** ${task.hours} h`]),
    ...(role?.trim() ? [`**Role:** ${plain(role)}`] : []),
    ...(parentLink ? [`**Part of:** [${parentLink.key}](${parentLink.url})`] : []),
    `**Estimation:** [${plainInLink(estimation.title)}](${estimation.url})`,
  ];
  const head = `${facts.join("\n")}\n\n${markerComment(task.marker)}`;
  const description = fitting(task.description, BODY_LENGTH - head.length - SEPARATOR.length);
  if (description.cut)
    warnings.push({ code: "description_cut", message: "The description is cut; the estimation has all of it." });
  const body = description.text === "" ? head : `${head}${SEPARATOR}${description.text}`;
  return {
    fields: { title, body, milestone: task.milestone === null ? null : milestoneName(task.milestone) },
    warnings,
  };
}

/** Returns the comment of an issue that is closed because its task is obsolete, as Markdown. */
export const closingComment = ({ title, url }: ExportedEstimation): string =>
  `Closed because its task is no longer part of the estimation [${plainInLink(title)}](${url}).`;

const SEPARATOR = "\n\n---\n\n";
const CUT_NOTE = "\n\n… (the estimation has the rest)";

/** Returns the quiet form of a text, cut where that is longer than `length`. */
function fitting(text: string, length: number): { text: string; cut: boolean } {
  const whole = text.replaceAll("\r\n", "\n").trim();
  if (quiet(whole).length <= length) return { text: quiet(whole), cut: false };
  let kept = whole;
  // The quiet form is longer, by how much depends on where the text ends.
  for (let excess = 1; excess > 0 && kept !== ""; ) {
    kept = cut(kept, Math.max(0, kept.length - excess)).replace(/…$/, "");
    excess = quiet(kept).length + CUT_NOTE.length - length;
  }
  return { text: `${quiet(kept)}${CUT_NOTE}`, cut: true };
}

/** Returns a milestone's title as GitHub stores it. */
export const milestoneTitle = (title: string): string => cut(oneLine(title), MILESTONE_LENGTH);

/** Returns a key that is equal for titles that GitHub treats as equal: it ignores case. */
export const milestoneName = (title: string): string => milestoneTitle(title).toLowerCase();

/** Characters that GitHub refuses in the description of a label (422), with what joins them to others. */
const ABOVE_FFFF = /[\u{10000}-\u{10ffff}][\u200d\ufe0f]*/gu;

/**
 * Returns the label of an estimation's issues. Its name stays the same when the title changes; 12 characters of a random
 * id tell estimations apart.
 */
export const labelOf = ({ id, title }: ExportedEstimation) => ({
  name: `estimation-${id.slice(-12)}`,
  description: cut(oneLine(title.replace(ABOVE_FFFF, "")), LABEL_DESCRIPTION_LENGTH),
  color: "1d76db",
});
