import type { Queryable } from "../../db/database.ts";
import { fail } from "../../http/failure.ts";
import { estimationLookUp, loadTimeline, loadTreeText } from "../estimations/index.ts";
import { snapshotOf } from "./pin.ts";
import { findVersionWithText } from "./store.ts";

/** Returns the content of an estimation as of one moment, as JSON. */
export async function currentText(db: Queryable, estimationId: string, userId: string): Promise<string> {
  const read = async (tx: Queryable) => {
    const current = (await estimationLookUp.find(tx, estimationId, userId, "read")) ?? fail("not_found");
    const timeline = await loadTimeline(tx, estimationId);
    return textOf(snapshotOf(current, { nodes: [] }, timeline), await loadTreeText(tx, estimationId));
  };
  return db.transaction(read, { isolationLevel: "repeatable read", accessMode: "read only" });
}

/** Returns a content as JSON, with a tree that is JSON already. */
export const textOf = (content: object, tree: string): string =>
  `${JSON.stringify({ ...content, tree: undefined }).slice(0, -1)},"tree":${tree}}`;

/** Returns the content of a version as JSON. Refuses (404) a version that the estimation does not have. */
export async function versionText(db: Queryable, estimationId: string, id: string): Promise<string> {
  return ((await findVersionWithText(db, estimationId, id)) ?? fail("not_found")).text;
}
