import type { threads } from "../../../contract/endpoints/threads.ts";
import { failWith } from "../../http/failure.ts";
import type { Call, Response } from "../../http/handler.ts";
import type { Services } from "../../services/index.ts";
import { presentEstimation, type ReadableEstimation, recordActivity } from "../estimations/index.ts";
import { countAffected } from "../tasks/index.ts";
import { findThread, findVersion, presentVersion, type ThreadRow } from "../versions/index.ts";
import { mergeInto } from "./merge.ts";
import { presentThread } from "./present.ts";
import { readResolutions } from "./read-resolutions.ts";

type Row = (typeof threads)["mergeThread"];

/** Merges a thread into another one, or returns what that would do. */
export async function mergeThread(
  services: Services,
  call: Call<Row, ReadableEstimation>,
  from: ThreadRow,
): Promise<Response<Row>> {
  const { db, actor, body } = call;
  const { resolutions = [], otherwise = null, expectedHeads, dryRun = false } = body;
  const into = body.into === from.id ? undefined : await findThread(db, call.estimation, body.into);
  if (!into) {
    const message = "must be the id of another thread of this estimation";
    return failWith([{ path: "/into", in: "body", code: "unknown_reference", message }]);
  }
  const outcome = await mergeInto(services, call, {
    ...{ from, into, expectedHeads, otherwise, dryRun },
    resolutions: readResolutions(resolutions),
    authorId: actor.userId,
  });
  const { estimation, changes, after, working, conflicts, addedTwice, unused, versionId, formerId, isNew } = outcome;
  const shown = async (thread: ThreadRow) =>
    presentThread((await findThread(db, estimation, thread.id)) ?? { ...thread, hours: null });
  const version = versionId === null ? undefined : await findVersion(db, estimation.id, versionId);
  const merge = {
    from: await shown(from),
    into: await shown(into),
    ...(version ? { version: presentVersion(version) } : {}),
    expected: changes.expected,
    p80: changes.p80,
    tasksAffected: into.current
      ? await countAffected(
          db,
          { ...estimation, rounding: after?.rounding ?? estimation.rounding },
          after?.tree ?? working ?? { nodes: [] },
        )
      : null,
    unusedResolutions: [...unused],
    ...(dryRun ? { operations: changes.operations, conflicts: [...conflicts], addedTwice: [...addedTwice] } : {}),
  };
  if (isNew) {
    const between = { before: formerId, after: versionId };
    await recordActivity(call, "thread.merged", { subject: { threadId: from.id }, after: estimation, between });
  }
  return { data: { merge, estimation: presentEstimation(estimation) }, revision: estimation.revision };
}
