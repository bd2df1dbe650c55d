import { formatCount, many } from "../../ui/numbers/format.ts";

/** The texts of the page from which an estimation is printed. */
export const printTexts = {
  title: (title: string, revision: number) => `${title}, revision ${revision}`,
  print: "Print",
  loading: "Loading…",
  settings: "What to print",
  parts: {
    description: "Description",
    assumptions: "Assumptions",
    estimate: "Estimate",
    drivers: "What makes it uncertain",
    roles: "Hours by role",
    tree: "Questions and options",
    dormant: "Options that don’t count",
    texts: "Descriptions of lines",
    milestones: "Milestones",
    tasks: "Tasks",
  },
  revision: (revision: number) => `Revision ${formatCount(revision)}`,
  version: (number: number, label: string | null) =>
    label === null ? `Version ${formatCount(number)}` : `Version ${formatCount(number)}, ${label}`,
  unsaved: "with edits that are not saved yet",
  option: "Option",
  share: "Share",
  less: "At best",
  more: "At worst",
  role: "Role",
  noRole: "No role",
  rest: (count: number) => `${many(count, "other option makes", "other options make")} the rest of it.`,
  quantity: (quantity: string, unit: string) => `× ${quantity} ${unit}`.trimEnd(),
  milestone: "Milestone",
  likely: "Likely",
  hours: "Hours",
} as const;
