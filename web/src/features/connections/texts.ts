import type { ExportTarget } from "../../../../contract/endpoints/connections.ts";
import { many } from "../../ui/numbers/format.ts";

/** Texts of the page of connections. */
export const connectionTexts = {
  title: "Connections",
  counted: (count: number) => many(count, "connection", "connections"),
  intro: "Trackers you export tasks to. Only you can use your connections.",
  create: "New connection",
  emptyTitle: "No connections yet",
  targets: { github: "GitHub", jira: "Jira" } satisfies Record<ExportTarget, string>,
  target: "Tracker",
  columns: { name: "Name", target: "Tracker", address: "Address", token: "Token" },
  itself: "github.com, unless configured otherwise",
  tokenSet: "Set",
  rejected: "Rejected",
  name: "Name",
  baseUrls: { github: "API address", jira: "Address" } satisfies Record<ExportTarget, string>,
  baseUrlHints: {
    github: "Only for GitHub Enterprise Server, such as https://github.example.com/api/v3",
    jira: "Such as https://acme.atlassian.net",
  } satisfies Record<ExportTarget, string>,
  email: "E-mail address of the token’s user",
  dropped: "Resolutions of work that wasn’t done",
  droppedHint: "One per line. Reading back marks such tasks as dropped.",
  token: "Access token",
  tokenHint: "Stored encrypted and never shown again.",
  newTokenHint: "Leave empty to keep the current one. A different address needs the token again.",
  createAction: "Create connection",
  createTitle: "New connection",
  editTitle: (name: string) => `Edit ${name}`,
  check: "Check",
  checkTitle: (name: string) => `Check ${name}`,
  projects: { github: "Repository", jira: "Project" } satisfies Record<ExportTarget, string>,
  projectHints: {
    github: "Such as acme/shop; without it only the token is checked",
    jira: "Its key, such as SHOP; without it only the token is checked",
  } satisfies Record<ExportTarget, string>,
  checkAction: "Check",
  works: "Connected.",
  worksFor: (project: string) => `Connected. Tasks can be exported to ${project}.`,
  removeTitle: (name: string) => `Delete the connection “${name}”?`,
  removeText: "Its token is deleted, and running exports that use it fail. Exported tasks keep their issues.",
} as const;
