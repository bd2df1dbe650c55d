import type { preferences } from "../../../contract/endpoints/preferences.ts";
import type { Samples } from "./noun.ts";

export const preferenceSamples: Samples<typeof preferences> = {
  getPreferences: () => ({}),
  updatePreferences: () => ({
    body: {
      savedFilters: [
        { name: "Drafts of Acme", q: "Acme", status: ["draft"], sort: "createdAt", hiddenColumns: ["owner", "status"] },
      ],
      hiddenColumns: ["review"],
    },
  }),
};
