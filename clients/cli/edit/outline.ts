import type { EstimationFields } from "../../../contract/endpoints/estimations.ts";
import type { LineFault } from "../../../domain/transfer/content.ts";
import { exportMarkdown } from "../../../domain/transfer/export-markdown.ts";
import { importOutline } from "../../../domain/transfer/import-outline.ts";
import type { Base } from "./draft.ts";
import { type Matched, matchOutline } from "./match.ts";
import { isMark } from "./merge-lines.ts";

/** What an edited outline changes. */
export interface Edited {
  /** Fields of the estimation that differ. */
  readonly settings: Partial<EstimationFields>;
  readonly tree: Matched;
}

export type ReadOutline =
  | { readonly ok: true; readonly edited: Edited }
  | { readonly ok: false; readonly faults: readonly LineFault[] };

/** Returns the outline of an estimation. */
export const outlineOf = ({ estimation, tree }: Base): string =>
  exportMarkdown({ ...(estimation as EstimationFields), tree });

/** What a setting is when its line is taken out. The others stay as they are. */
const WITHOUT: Partial<EstimationFields> = {
  description: "",
  assumptions: "",
  clientName: null,
  hourlyRate: null,
  currency: null,
  tags: [],
};

const MARKED = "is a mark of a conflict: keep what is right and delete the marks";

/** Reads an edited outline, and compares it with what it was written from. */
export function readOutline(text: string, base: Base): ReadOutline {
  // The last mark of a conflict could be read as a description.
  const marks = text.split(/\r\n?|\n/).flatMap((line, at) => (isMark(line) ? [at + 1] : []));
  if (marks.length > 0) return { ok: false, faults: marks.map((line) => ({ line, message: MARKED })) };
  // What the service checks beside the form of lines, such as lengths, it reports itself.
  // Without its title, the estimation would be renamed.
  const read = importOutline(text, () => [], { decimal: ".", untitled: "", needsTitle: true });
  if (!read.ok) return read;
  const { estimation, checked } = read.incoming;
  const now: Partial<EstimationFields> = { ...WITHOUT, ...estimation };
  const differing = Object.entries(now).filter(([name, value]) => {
    const was = base.estimation[name as keyof EstimationFields];
    return JSON.stringify(normal(was)) !== JSON.stringify(normal(value));
  });
  return { ok: true, edited: { settings: Object.fromEntries(differing), tree: matchOutline(base.tree, checked) } };
}

/** An outline writes every end of a line in the same way. */
const normal = (value: unknown) => (typeof value === "string" ? value.replace(/\r\n?/g, "\n") : value);
