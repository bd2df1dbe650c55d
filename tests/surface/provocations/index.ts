import type { ErrorKey } from "../../../contract/errors.ts";
import { accountErrors } from "./accounts.ts";
import { adminErrors } from "./admin.ts";
import { apiKeyErrors } from "./api-keys.ts";
import { clientLinkErrors } from "./client-links.ts";
import { connectionErrors } from "./connections.ts";
import { estimationErrors } from "./estimations.ts";
import { exportErrors } from "./exports.ts";
import type { Provocation, Provoking } from "./provoking.ts";
import { requestErrors } from "./requests.ts";
import { reviewErrors } from "./reviews.ts";
import { roundErrors } from "./rounds.ts";
import { shareErrors } from "./shares.ts";
import { stateErrors } from "./states.ts";
import { taskErrors } from "./tasks.ts";
import { teamErrors } from "./teams.ts";
import { templateErrors } from "./templates.ts";
import { threadErrors } from "./threads.ts";
import { timelineErrors } from "./timelines.ts";
import { versionErrors } from "./versions.ts";
import { webhookErrors } from "./webhooks.ts";

/** How each error is caused, by its key (a missing one does not compile), and each that a row declares itself, by both names. */
export type Provocations = { readonly [K in ErrorKey]: Provocation } & Readonly<Record<string, Provocation>>;

export const createProvocations = (provoking: Provoking): Provocations => ({
  ...requestErrors(provoking),
  ...accountErrors(provoking),
  ...adminErrors(provoking),
  ...apiKeyErrors(provoking),
  ...connectionErrors(provoking),
  ...exportErrors(provoking),
  ...estimationErrors(provoking),
  ...timelineErrors(provoking),
  ...stateErrors(provoking),
  ...versionErrors(provoking),
  ...taskErrors(provoking),
  ...teamErrors(provoking),
  ...templateErrors(provoking),
  ...threadErrors(provoking),
  ...shareErrors(provoking),
  ...clientLinkErrors(provoking),
  ...reviewErrors(provoking),
  ...roundErrors(provoking),
  ...webhookErrors(provoking),
});
