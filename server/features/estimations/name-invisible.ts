import { VISIBLE } from "../../../contract/shapes.ts";
import type { DataMigration } from "../../db/data-migration.ts";
import { lockUnusualTitles, updateEstimation } from "./store.ts";

const visible = new RegExp(VISIBLE, "u");

/**
 * Gives estimations a name whose title has only invisible characters, as earlier versions accepted: an estimation that was
 * read can then be sent back as it is. Nothing else about it changes but its revision.
 */
export const nameInvisible: DataMigration = {
  name: "name-invisible-estimations",
  async run(tx) {
    for (const row of await lockUnusualTitles(tx))
      if (!visible.test(row.title)) await updateEstimation(tx, row, { title: "Untitled" }, row.updatedAt);
  },
};
