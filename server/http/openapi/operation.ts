import { type Endpoint, errorsOf, needsAll, needsSession, scopesOf } from "../../../contract/endpoint.ts";
import type { Json } from "../../../contract/portable.ts";
import { levelsWith } from "../../../domain/access.ts";
import { errorResponses } from "./errors.ts";
import type { Examples } from "./examples.ts";
import { headersWith } from "./headers.ts";
import { parametersOf } from "./parameters.ts";
import { requestBody } from "./request-body.ts";
import { successes } from "./successes.ts";

/** What the description of an operation needs besides its endpoint. */
interface About {
  /** Of the endpoint. */
  readonly id: string;
  /** That of the endpoint, unless the endpoint has several operations. */
  readonly operationId: string;
  readonly tag: string;
  readonly examples: Examples;
}

/** Returns the description of one operation of an endpoint. */
export function operation(endpoint: Endpoint, { id, operationId, tag, examples }: About): Json {
  const { summary, access, right, body, events } = endpoint;
  return {
    operationId,
    summary,
    description: descriptionOf(endpoint),
    tags: [tag],
    security: securityOf(endpoint),
    ...(scopesOf(access).length > 0 ? { "x-required-scope": scopesOf(access) } : {}),
    ...(right ? { "x-required-access": levelsWith(right) } : {}),
    ...(events ? { "x-events": events } : {}),
    parameters: parametersOf(endpoint, examples),
    ...(body ? { requestBody: requestBody(id, endpoint, examples) } : {}),
    responses: {
      ...successes(endpoint, examples),
      ...(endpoint.etag && endpoint.method === "GET"
        ? { 304: { description: "The revision in `If-None-Match` is the current one", headers: headersWith(["ETag"]) } }
        : {}),
      ...errorResponses(errorsOf(endpoint)),
    },
  };
}

function descriptionOf({ description, access, right, events }: Endpoint): string {
  const parts = [description?.replace(/\.?$/, "."), accessWords(access)];
  if (right) parts.push(`The caller must be ${inWords(levelsWith(right))} of the estimation.`);
  if (events) parts.push(`Emits ${events.map((name) => `\`${name}\``).join(" and ")}.`);
  return parts.filter(Boolean).join("\n\n");
}

function accessWords(access: Endpoint["access"]): string {
  if (access === "anyone") return "Needs no credential.";
  if (access === "session") return "Needs a session token; API keys are refused.";
  if (access === "administrator")
    return "Needs the session token of an administrator who signed in within the last 15 minutes; API keys are refused.";
  if (access === "credential") return "Needs a session token or any API key.";
  const named = scopesOf(access).map((scope) => `\`${scope}\``);
  return needsAll(access)
    ? `An API key needs all of the scopes ${named.join(" and ")}.`
    : `An API key needs the scope ${inWords(named)}.`;
}

const inWords = (words: readonly string[]): string => new Intl.ListFormat("en", { type: "disjunction" }).format(words);

function securityOf({ access }: Endpoint): Json[] {
  if (access === "anyone") return [];
  return needsSession(access) ? [{ session: [] }] : [{ session: [] }, { apiKey: [] }];
}
