import type { ActivityEntry } from "../../../contract/activity.ts";
import { changesHours } from "../../../contract/activity-kinds.ts";
import type { Queryable } from "../../db/database.ts";
import type { DoneCall } from "../../http/steps/step.ts";
import type { ReadableEstimation } from "../estimations/index.ts";
import { recordActivity } from "./store.ts";

interface Found {
  readonly id?: string;
}

/** The parts of bodies and answers that entries are made from. */
interface Data {
  readonly estimation?: { readonly id: string; readonly hours: { readonly expected: number } };
  readonly hours?: { readonly expected: number };
  readonly version?: Found;
  readonly versionId?: string;
  readonly share?: Found & Pick<ActivityEntry["subject"], "email" | "permission">;
  readonly thread?: Found;
  readonly review?: Found;
  readonly export?: Found;
}

interface Body {
  readonly templateId?: string;
  readonly userId?: string;
}

/** Kinds whose every change raises the revision. */
const FOLLOWS_REVISION = /^(estimation|content|state|timeline)\./;

/**
 * Records what a call did, derived from its answer. Edits that changed nothing are not recorded, nor are calls whose
 * record already existed.
 */
export async function recordCall(tx: Queryable, call: DoneCall<ReadableEstimation>): Promise<void> {
  const { kind, personId, estimation, answer, params, isCopy, now } = call;
  const data = (answer.data ?? {}) as Data;
  const changedNothing = !isCopy && FOLLOWS_REVISION.test(kind) && answer.revision === estimation?.revision;
  if (call.isFound || changedNothing) return;
  const estimationId = isCopy || !estimation ? data.estimation?.id : estimation.id;
  if (estimationId === undefined) return;
  const after = data.hours?.expected ?? data.estimation?.hours.expected;
  const before = estimation?.hoursExpected;
  const hoursDelta = changesHours(kind) && after !== undefined && before !== undefined ? after - before : undefined;
  const subject = subjectOf(data, (call.body ?? {}) as Body, params);
  await recordActivity(tx, { estimationId, personId, kind, now, hoursDelta, subject });
}

function subjectOf(data: Data, body: Body, params: Readonly<Record<string, string>>): ActivityEntry["subject"] {
  const named = {
    versionId: data.version?.id ?? data.versionId,
    templateId: body.templateId,
    shareId: data.share?.id,
    email: data.share?.email,
    permission: data.share?.permission,
    threadId: params.threadId ?? data.thread?.id,
    reviewId: data.review?.id ?? params.reviewId,
    exportId: data.export?.id,
    userId: body.userId,
  };
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined));
}
