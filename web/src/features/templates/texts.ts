import type { Visibility } from "../../../../contract/endpoints/templates.ts";
import { many } from "../../ui/numbers/format.ts";

const visibilities: Readonly<Record<Visibility, string>> = {
  private: "Only me",
  team: "A team of mine",
  instance: "Everyone here",
};

/** The texts of the pages about templates. */
export const templateTexts = {
  title: "Templates",
  intro: "The tree of an estimation, without what was chosen in it, to begin others with.",
  create: "New template",
  emptyTitle: "No templates yet",
  empty:
    "Make one from an estimation whose questions and hours come up again. It stays as it is when the estimation changes.",
  search: "Search by name",
  filters: "Filters",
  scope: "Show",
  scopes: { all: "All", mine: "Mine" },
  none: "No templates match.",
  columns: { name: "Template", size: "Size", seenBy: "Visible to", owner: "Owner", made: "Made", actions: "Actions" },
  size: (nodes: number, options: number) =>
    `${many(nodes, "question", "questions")}, ${many(options, "option", "options")}`,
  counted: (count: number) => many(count, "template", "templates"),
  onlyYou: "Only you",
  everyone: "Everyone here",
  you: "You",

  make: "Make a template",
  makeText: "Copies the questions, options and hours. Choices, people and dates are left out.",
  makePartText: (title: string) =>
    `Copies “${title}” with everything below it: questions, options and hours. Choices, people and dates are left out.`,
  makeAction: "Make template",
  estimation: "Estimation",
  noEstimations: "There’s no estimation yet to make a template from.",
  edit: "Edit",
  editTitle: "Edit the template",
  name: "Name",
  description: "What it’s for (optional)",
  seenBy: "Who sees it",
  visibilities,
  team: "Team",
  noTeams: "You aren’t in a team yet.",
  onlyEditors: "Others can see it only if you can edit the estimation.",

  menu: (name: string) => `Actions for ${name}`,
  remove: "Delete",
  removeTitle: (name: string) => `Delete “${name}”?`,
  removeTexts: {
    private: "Estimations made from it stay as they are. This can’t be undone.",
    team: "Your team can’t use it any more. Estimations made from it stay as they are. This can’t be undone.",
    instance: "Nobody here can use it any more. Estimations made from it stay as they are. This can’t be undone.",
  } satisfies Record<Visibility, string>,
  end: "Take from the team",
  endTitle: (name: string, team: string) => `Take “${name}” from ${team}?`,
  endText: (owner: string) => `Only ${owner} sees it then. Estimations made from it stay as they are.`,

  expected: "Expected hours",
  expectedHint: "Before anything is chosen: the least and the most that the options allow",
  between: (least: string, most: string) => `${least} to ${most}`,
  usedIn: "Recently added to",
  adds: "What it adds",
  use: "New estimation from it",
  add: "Add to an estimation",
  addText: (size: string) => `${size} are added after what is there. Nothing of them is chosen yet.`,
  addAction: "Add",
  noDrafts: "There’s no draft that you can edit.",
  gone: "Template not found",
  goneText: "It was deleted, or it isn’t shown to you any more.",
} as const;
