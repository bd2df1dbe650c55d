import { apiKeys } from "./api-keys.ts";
import { auditLog } from "./audit-log.ts";
import { auth } from "./auth.ts";
import { decisionTrees } from "./decision-trees.ts";
import type { Endpoint } from "./endpoint.ts";
import { estimations } from "./estimations.ts";
import { googleSignIn } from "./google-sign-in.ts";
import { joinRows } from "./groups.ts";
import { importExport } from "./import-export.ts";
import { shares } from "./shares.ts";
import { states } from "./states.ts";
import { tasks } from "./tasks.ts";
import { versions } from "./versions.ts";
import { webhooks } from "./webhooks.ts";

const { groups, rows } = joinRows([
  { title: "Accounts and sessions", rows: auth },
  { title: "Sign-in with Google", rows: googleSignIn },
  { title: "API keys", rows: apiKeys },
  { title: "Audit log", rows: auditLog },
  { title: "Estimations", rows: estimations },
  { title: "Decision trees", rows: decisionTrees },
  { title: "States", rows: states },
  { title: "Versions", rows: versions },
  { title: "Import and export", rows: importExport },
  { title: "Tasks", rows: tasks },
  { title: "Shares", rows: shares },
  { title: "Webhooks", rows: webhooks },
]);

/** The tables of rows with their headings, in the order of the documentation. */
export const endpointGroups = groups;

/** Every endpoint, by id. Route, validation, access, OpenAPI, typed client and access tests derive from it. */
export const contract = rows;

export type Contract = typeof contract;

export type EndpointId = keyof Contract;

/** The rows with their ids, in the order of the documentation. */
export const endpointRows = Object.entries(contract) as [EndpointId, Endpoint][];
