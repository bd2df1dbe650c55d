import { formatCount, many } from "../../../ui/numbers/format.ts";
import { fieldNames } from "../field-names.ts";
import type { MarkKind } from "./marked-tree.ts";

const more: Readonly<Record<string, string>> = {
  min: "Choose at least",
  max: "Choose at most",
  requires: "Needs",
  excludes: "Rules out",
  dueDate: "Due",
  timeline: "Timeline",
  parentId: "Place",
  "timeline.startDate": "Start date",
  "timeline.timeZone": "Time zone",
  "timeline.hoursPerDay": "Hours a day",
  "timeline.weeklyPattern": "Working days",
  "timeline.holidays": "Days off",
  "timeline.holidayPlace": "Public holidays of",
  "timeline.people": "People per role",
  "timeline.focusFactor": "Focus",
  "timeline.dependencies": "What waits for what",
};

/** Texts of a tree with marks on it. */
export const markedTexts = {
  /** Of each mark its sign and its word. */
  kinds: {
    added: ["+", "added"],
    removed: ["−", "removed"],
    moved: ["→", "moved"],
    changed: ["~", "changed"],
    estimated: ["✓", "estimated"],
    skipped: ["?", "can’t judge"],
    unsent: ["…", "not sent yet"],
    typed: ["✎", "not saved"],
  } as const satisfies Readonly<Record<MarkKind, readonly [string, string]>>,
  field: (name: string) => fieldNames[name] ?? more[name] ?? fieldNames[name.split(".")[0] ?? ""] ?? "Timeline",
  /** A field that changed; a choice in words, as its name beside the line would read like its state. */
  changed: (field: string, after: unknown): string =>
    field === "selected" ? (after ? "now chosen" : "no longer chosen") : markedTexts.field(field),
  columns: {
    points: "Low–likely–high",
    before: "Before",
    after: "Hours",
    delta: "Change",
    talks: "Comments",
    viewed: "Viewed",
  },
  countedHint: "Expected hours that count: of an option itself, of a question everything in it",
  nothing: "nothing",
  yes: "yes",
  no: "no",
  viewed: (title: string) => `Viewed: ${title}`,
  viewedAll: (title: string) => `Viewed, all of: ${title}`,
  step: (at: number, of: number) => `${formatCount(at)} of ${formatCount(of)}`,
  steps: (of: number) => `${many(of, "line", "lines")} changed`,
  stepping: "Changes",
  beside: "Changed beside the tree",
  milestones: "Milestones changed",
  timeline: "Timeline changed",
  noSteps: "No changes",
  next: "Next change (n)",
  previous: "Previous change (p)",
} as const;
