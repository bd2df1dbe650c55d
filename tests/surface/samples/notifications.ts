import type { notifications } from "../../../contract/endpoints/notifications.ts";
import type { Samples } from "./noun.ts";

export const notificationSamples: Samples<typeof notifications> = {
  getNotifications: () => ({}),
  updateNotifications: () => ({ body: { reviewCommented: false } }),
};
