import type { Version, VersionWithContent } from "../../../contract/endpoints/versions.ts";
import { asOfAt } from "../../../domain/timeline/as-of.ts";
import { summaryOf } from "../../../domain/tree/hours/roll-up.ts";
import type { Snapshot } from "../../../domain/versions/shape.ts";
import type { AuthoredVersion } from "./store.ts";
import { mainIdOf } from "./thread-store.ts";

/** Returns a version as the API shows it, without its content. */
export function presentVersion(row: AuthoredVersion): Version {
  return {
    id: row.id,
    number: row.number,
    label: row.label,
    threadId: row.threadId ?? mainIdOf(row.estimationId),
    author: { id: row.authorId, name: row.authorName },
    cause: row.cause,
    parents: row.parents,
    contentHash: Buffer.from(row.contentHash).toString("hex"),
    hours: summaryOf(row.hours),
    parentP80: row.parentHours && summaryOf(row.parentHours).p80,
    asOf: asOfAt(row.createdAt),
    createdAt: row.createdAt.toISOString(),
  };
}

/** Returns a version as the API shows it, with its content. */
export function presentWithContent(
  row: AuthoredVersion & Pick<VersionWithContent, "schema"> & { readonly snapshot: Snapshot },
): VersionWithContent {
  // What was stored passed the schema of the settings.
  const timeline = row.snapshot.timeline as VersionWithContent["content"]["timeline"];
  return { ...presentVersion(row), schema: row.schema, content: { ...row.snapshot, timeline } };
}
