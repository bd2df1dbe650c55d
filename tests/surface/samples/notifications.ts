import type { notifications } from "../../../contract/endpoints/notifications.ts";
import type { EstimationRecords } from "./estimations.ts";
import type { Making, Samples } from "./noun.ts";

export interface NotificationRecords {
  /** One that is not read. */
  readonly notification: string;
}

/** Notifies the user of an export that has ended. */
export async function makeNotification(
  { app, user }: Making,
  { estimation }: EstimationRecords,
): Promise<NotificationRecords> {
  const { ids } = app.services;
  const notification = ids.next("notification");
  await app.pool.query(
    `insert into notifications (id, user_id, kind, estimation_id, subject, created_at)
     values ($1, $2, 'export.ended', $3, $4, $5)`,
    [notification, user.userId, estimation, { exportId: ids.next("export") }, app.clock.now()],
  );
  return { notification };
}

export const notificationSamples: Samples<typeof notifications> = {
  listNotifications: () => ({}),
  readNotifications: ({ notification }) => ({ body: { ids: [notification] } }),
  getNotifications: () => ({}),
  updateNotifications: () => ({ body: { reviewCommented: false } }),
};
