import type { Snapshot } from "../../../domain/versions/shape.ts";
import type { Queryable } from "../../db/database.ts";
import { fail } from "../../http/failure.ts";
import { estimationLookUp, loadTimeline } from "../estimations/index.ts";
import { snapshotOf } from "./pin.ts";

/** The content of an estimation as of one moment. */
export async function currentSnapshot(db: Queryable, estimationId: string, userId: string): Promise<Snapshot> {
  const read = async (tx: Queryable) => {
    const current = (await estimationLookUp.findWithTree(tx, estimationId, userId, "read")) ?? fail("not_found");
    return snapshotOf(current, current.tree, await loadTimeline(tx, estimationId));
  };
  return db.transaction(read, { isolationLevel: "repeatable read", accessMode: "read only" });
}
