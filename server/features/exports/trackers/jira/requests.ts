import { reasonIn } from "../../../../../domain/exports/jira/bulk.ts";
import { said } from "../../../../../domain/exports/words.ts";
import type { OutboundResponse } from "../../../../platform/outbound/index.ts";
import { textIn } from "../json.ts";
import { type Dialect, type Judged, leavesOpen } from "../requests.ts";
import type { Fault } from "../tracker-fault.ts";
import { siteUrl } from "./address.ts";
import { problems } from "./problems.ts";
import { limitOf, pauseOf } from "./rate-limits.ts";

/** How Jira is asked, and what only its responses mean. */
export const jiraDialect: Dialect = {
  address: (access) => `${siteUrl(access)}/rest/api/3`,
  headers: ({ email, token }) => ({
    Accept: "application/json",
    Authorization: `Basic ${Buffer.from(`${email ?? ""}:${token}`).toString("base64")}`,
  }),
  words: (json) => said(textIn(json, "message") ?? "") || reasonIn(json),
  faultOf,
  limitOf: (response, { now }) => limitOf(response, now),
  pauseOf,
};

/** How a site is asked for what everybody may know: without credentials. */
export const openDialect: Dialect = {
  ...jiraDialect,
  address: siteUrl,
  headers: () => ({ Accept: "application/json" }),
};

/** Jira responds to some requests with a refused token as if nobody had signed in, and says so only in this header. */
const SIGN_IN_FAILED = /AUTHENTICAT(?:ED_FAILED|ION_DENIED)/;

function faultOf({ status, headers }: OutboundResponse, { message, writes }: Judged): Fault | null {
  if (status === 401 && /scope/i.test(message)) return { kind: "blocked", problem: problems.scope_missing(message) };
  if (!SIGN_IN_FAILED.test(headers["x-seraph-loginreason"] ?? "")) return null;
  // What the public may do was done.
  return writes && (status < 300 || leavesOpen(status))
    ? { kind: "unknown", reason: "sign_in_failed" }
    : { kind: "token_rejected" };
}
