import type { Queryable } from "../../db/database.ts";
import { fail } from "../../http/failure.ts";
import type { ReadableEstimation } from "../estimations/index.ts";
import { currentText, findThread, findVersionWithText } from "../versions/index.ts";

/** One of the contents that are compared. */
export interface ReadColumn {
  readonly of: string;
  readonly versionId: string | null;
  readonly threadTitle: string | null;
  readonly label: string | null;
  /** The content, as JSON. */
  readonly text: string;
}

/** Reads the named contents: versions, heads of threads, `current`. Refuses (404) what the estimation does not have. */
export async function readColumns(
  db: Queryable,
  estimation: ReadableEstimation,
  userId: string,
  names: readonly string[],
): Promise<ReadColumn[]> {
  const columns: ReadColumn[] = [];
  // One after the other: each can take megabytes.
  for (const of of names) {
    if (of === "current") {
      const text = await currentText(db, estimation.id, userId);
      columns.push({ of, versionId: null, threadTitle: null, label: null, text });
      continue;
    }
    const thread = await findThread(db, estimation, of);
    const versionId = thread ? thread.headVersionId : of;
    const version = (await findVersionWithText(db, estimation.id, versionId ?? "")) ?? fail("not_found");
    const { id, label, text } = version;
    columns.push({ of, versionId: id, threadTitle: thread?.title ?? null, label, text });
  }
  return columns;
}
