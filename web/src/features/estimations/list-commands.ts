import type { SavedFilter } from "../../../../contract/endpoints/preferences.ts";
import type { Commands } from "../palette/commands.ts";
import { listTexts as t } from "./list-texts.ts";
import { addressOfView } from "./view-address.ts";

/** Returns what can be done on the list. */
export const listCommands = (saved: readonly SavedFilter[], isFiltered: boolean): Commands => ({
  items: [
    ...saved.map((view) => ({
      id: `view ${view.name}`,
      label: t.savedView(view.name),
      detail: t.view,
      to: addressOfView(view),
    })),
    ...(isFiltered ? [{ id: "filter none", label: t.clear, detail: t.filter, to: "/estimations" }] : []),
  ],
  keys: t.keys,
});
