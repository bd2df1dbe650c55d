import type { Access } from "../tracker.ts";

/** `https://api.atlassian.com/ex/jira/{cloudId}`: the address of a site for tokens with scopes. */
const GATEWAY = /^\/ex\/jira\/[\w-]{1,100}(?=\/|$)/;
/** Names of sites of Atlassian's cloud, whose interface is at the root. */
const SITE = /\.(?:atlassian\.net|jira\.com)$/;

/**
 * Returns the address of a Jira site's interface, without a slash at the end. People may give the address of a page
 * instead.
 */
export function siteUrl({ baseUrl }: Pick<Access, "baseUrl">): string {
  const url = new URL(baseUrl ?? "");
  const gateway = GATEWAY.exec(url.pathname);
  if (gateway) return url.origin + gateway[0];
  const path = url.pathname.replace(/\/rest\/api\/.*$/, "").replace(/\/+$/, "");
  return SITE.test(url.hostname) ? url.origin : url.origin + path;
}

const GATEWAY_HOST = "api.atlassian.com";
const PAGE_LENGTH = 2_048;

/**
 * Returns the address of the site for people, which names the site in the ledger: as Atlassian's servers give it. Any other
 * server has only a say about its own addresses, or else it could pass itself off as somebody's site: then it is the address
 * of the connection. null: the given one is not usable.
 */
export function pagesUrl(given: string, access: Pick<Access, "baseUrl">): string | null {
  const url = URL.parse(given);
  if (url?.protocol !== "https:" || url.href.length > PAGE_LENGTH || url.username !== "") return null;
  const connected = siteUrl(access);
  const { hostname, origin } = new URL(connected);
  const isTrusted = hostname === GATEWAY_HOST || SITE.test(hostname) || origin === url.origin;
  return isTrusted ? (url.origin + url.pathname).replace(/\/+$/, "") : connected;
}

export const issuePage = (site: string, key: string): string => `${site}/browse/${encodeURIComponent(key)}`;
