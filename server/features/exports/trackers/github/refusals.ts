import { said } from "../../../../../domain/exports/words.ts";
import type { OutboundResponse } from "../../../../platform/outbound/index.ts";
import type { Problem } from "../checked.ts";
import type { Judged } from "../requests.ts";
import type { Fault } from "../tracker-fault.ts";
import { ownPage } from "./address.ts";
import { problems } from "./problems.ts";

/** GitHub's words where an organization's list of IP addresses refuses a request. */
const ADDRESS_LIST = /\bIP allow list\b/i;

/**
 * Returns what an organization's own rules refuse, whatever was asked for: single sign-on, or a list of addresses. Source:
 * GitHub Docs, "Authenticating to the REST API", "Authenticating with SAML SSO"; "Managing allowed IP addresses".
 */
export function organizationFault({ status, headers }: OutboundResponse, { message, access }: Judged): Fault | null {
  if (status !== 403) return null;
  const signOn = /^\s*required\b(?:.*\burl=(\S+))?/i.exec(headers["x-github-sso"] ?? "");
  if (signOn) {
    const page = ownPage(signOn[1] ?? null, access);
    const problem = problems.sign_on_missing(
      page === null ? "" : `The organization requires single sign-on for the token: ${said(page)}.`,
    );
    return { kind: "blocked", problem };
  }
  return ADDRESS_LIST.test(message) ? { kind: "blocked", problem: problems.address_not_allowed(message) } : null;
}

/** Returns how many organizations a list leaves out because the token is not authorized for their single sign-on. */
export function hiddenOrganizations(headers: Readonly<Record<string, string>>): number {
  const ids = /^\s*partial-results\b.*\borganizations=([\d,]+)/i.exec(headers["x-github-sso"] ?? "")?.[1] ?? "";
  return new Set(ids.split(",").filter((id) => id !== "")).size;
}

export const signOnHides = (count: number): Problem =>
  problems.sign_on_missing(
    `The repositories of ${count === 1 ? "one organization" : `${count} organizations`} are not listed: single sign-on is required there.`,
  );
