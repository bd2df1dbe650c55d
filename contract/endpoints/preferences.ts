import Type, { type Static } from "typebox";
import { endpoints } from "../endpoint.ts";
import { limits } from "../limits.ts";
import { accessLevels } from "../rights.ts";
import { AnyOf, Change, component, OneOf, Shape, Text, Title } from "../shapes.ts";
import { listColumns } from "../values/list-columns.ts";
import { estimationStatuses } from "../values/statuses.ts";

const refOf = (description: string) => Type.Optional(Text(limits.refLength, { description }));

const columns = (description: string) =>
  Type.Array(OneOf(listColumns), { maxItems: listColumns.length, uniqueItems: true, description });

/** A view of the list of estimations under a name: filters and order, each as in the query of that list, and columns. */
const SavedFilter = Shape({
  name: Title(limits.savedFilterNameLength),
  q: Type.Optional(Text(limits.searchLength, { description: "What the title or the client name contains" })),
  status: AnyOf(OneOf(estimationStatuses), estimationStatuses.length),
  access: AnyOf(OneOf(accessLevels), accessLevels.length),
  tag: AnyOf(Title(limits.tagLength), limits.filterTags),
  team: refOf("Id of a team"),
  owner: refOf("Id of a user"),
  sort: Type.Optional(OneOf(["updatedAt", "createdAt"])),
  hiddenColumns: Type.Optional(
    columns("Columns that this view does not show; left out: those that the list does not show anyway"),
  ),
});
export type SavedFilter = Static<typeof SavedFilter>;

const fields = {
  savedFilters: Type.Array(SavedFilter, {
    maxItems: limits.savedFilters,
    description:
      "Views of the list of estimations, each with its filters, order and columns, in the order in which they are offered",
  }),
  hiddenColumns: columns("Columns that the list of estimations does not show"),
  tourLeft: Type.Boolean({ description: "Whether the tour of the editor was left or seen to its end" }),
};

/** How the web application looks to a user, in every browser. */
export const Preferences = component("Preferences", Shape(fields));
export type Preferences = Static<typeof Preferences.schema>;

const one = Shape({ preferences: Preferences.ref });

export const preferences = endpoints({
  getPreferences: {
    method: "GET",
    path: "/api/auth/me/preferences",
    summary: "Read how the web application looks to you",
    access: "session",
    response: { status: 200, data: one },
  },
  updatePreferences: {
    method: "PATCH",
    path: "/api/auth/me/preferences",
    summary: "Change how the web application looks to you",
    description: "A list that is sent replaces the stored one.",
    access: "session",
    body: Change(fields),
    bodyLimitBytes: limits.preferencesBodyBytes,
    response: { status: 200, data: one },
  },
});
