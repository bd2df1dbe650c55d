import type { Preferences, preferences } from "../../../contract/endpoints/preferences.ts";
import type { Handlers } from "../../http/handler.ts";
import { changePreferences, findPreferences } from "./store.ts";

const NOT_CHOSEN: Preferences = { savedFilters: [], hiddenColumns: [], tourLeft: false };

const shown = (chosen: Partial<Preferences>) => ({ data: { preferences: { ...NOT_CHOSEN, ...chosen } } });

/** Reading and changing how the web application looks to the caller. */
export const preferenceRoutes: Handlers<typeof preferences> = {
  async getPreferences({ actor, db }) {
    return shown(await findPreferences(db, actor.userId));
  },

  async updatePreferences({ actor, body, db }) {
    return shown(await changePreferences(db, actor.userId, body));
  },
};
