import { apiKeys } from "./api-keys.ts";
import { auditLog } from "./audit-log.ts";
import { auth } from "./auth.ts";
import { decisionTrees } from "./decision-trees.ts";
import type { Endpoint } from "./endpoint.ts";
import { estimations } from "./estimations.ts";
import { googleSignIn } from "./google-sign-in.ts";
import { tasks } from "./tasks.ts";
import { webhooks } from "./webhooks.ts";

/** The whole surface, by endpoint id. Route, validation, access, OpenAPI, typed client and access tests derive from it. */
export const contract = {
  ...auth,
  ...googleSignIn,
  ...apiKeys,
  ...auditLog,
  ...estimations,
  ...decisionTrees,
  ...tasks,
  ...webhooks,
};

export type Contract = typeof contract;

export type EndpointId = keyof Contract;

/** The rows with their ids, in the order of the documentation. */
export const endpointRows = Object.entries(contract) as [EndpointId, Endpoint][];
