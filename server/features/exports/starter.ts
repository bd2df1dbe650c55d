import type { TrackerProblem } from "../../../contract/values/tracker-problems.ts";
import { may } from "../../../domain/access.ts";
import type { Queryable } from "../../db/database.ts";
import { findUser } from "../auth/index.ts";
import { estimationLookUp } from "../estimations/index.ts";
import type { RunRow } from "./store.ts";

export const accessLost: TrackerProblem = {
  code: "access_lost",
  message: "The person who started the export may not change the estimation any more.",
  remedy: "Somebody who may change it can start a new export: what was exported stays known.",
};

/** Returns whether the person who started a run may still change its estimation, and neither it nor the account is gone. */
export async function mayStarterEdit(
  db: Queryable,
  { estimationId, userId }: Pick<RunRow, "estimationId" | "userId">,
): Promise<boolean> {
  const estimation = await estimationLookUp.find(db, estimationId, userId, "read");
  if (may(estimation?.access ?? null, "edit") !== "allowed") return false;
  return (await findUser(db, userId))?.disabledAt === null;
}
