import { VISIBLE } from "../../../contract/shapes.ts";
import type { DataMigration } from "../../db/data-migration.ts";
import { lockInvisible, updateEstimation } from "./store.ts";

const visible = new RegExp(VISIBLE, "u");

/**
 * Gives estimations a name whose title has only invisible characters, as earlier versions accepted, and removes such tags:
 * an estimation that was read can then be sent back as it is. Nothing else about it changes but its revision. The first
 * form of this, `name-invisible-estimations`, left out some characters, and tags.
 */
export const nameInvisible: DataMigration = {
  name: "name-invisible-estimations-and-tags",
  async run(tx) {
    for (const row of await lockInvisible(tx)) {
      const title = visible.test(row.title) ? row.title : "Untitled";
      const tags = row.tags.filter((tag) => visible.test(tag));
      await updateEstimation(tx, row, { title, tags }, row.updatedAt);
    }
  },
};
