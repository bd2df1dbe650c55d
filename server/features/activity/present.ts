import type { ActivityEntry } from "../../../contract/activity.ts";
import type { AccessLevel } from "../../../contract/rights.ts";
import { roundHundredth } from "../../../domain/tree/round.ts";
import type { NamedEntry } from "./store.ts";

/** Returns an entry as the API shows it. Only the owner sees whom it was shared with, and how. */
export function presentEntry(row: NamedEntry, access: AccessLevel): ActivityEntry {
  const { email: _, permission: __, ...rest } = row.subject;
  return {
    number: row.number,
    kind: row.kind,
    person: { id: row.personId, name: row.personName },
    startedAt: row.startedAt.toISOString(),
    endedAt: row.endedAt.toISOString(),
    edits: row.edits,
    // A sum that rounds to −0 is 0.
    hoursDelta: row.hoursDelta === null ? null : roundHundredth(row.hoursDelta) || 0,
    subject: access === "owner" ? row.subject : rest,
  };
}
