import type { Notification } from "../../../contract/endpoints/notifications.ts";
import type { ShownRow } from "./inbox-store.ts";

/** Whether its reader may still see what it is about. */
const isSeen = ({ estimationId, title, subject, teamName }: ShownRow): boolean =>
  (estimationId === null || title !== null) && (subject.teamId === undefined || teamName !== null);

/** Returns a notification as the API shows it. */
export const presentNotification = (row: ShownRow): Notification => ({
  id: row.id,
  kind: row.kind,
  person: row.actorId === null || !isSeen(row) ? null : { id: row.actorId, name: row.actorName ?? "" },
  estimation: row.estimationId === null || row.title === null ? null : { id: row.estimationId, title: row.title },
  team:
    row.subject.teamId === undefined || row.teamName === null ? null : { id: row.subject.teamId, name: row.teamName },
  subject: row.subject,
  createdAt: row.createdAt.toISOString(),
  readAt: row.readAt?.toISOString() ?? null,
});
