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

const PAGE_LENGTH = 2_048;

/** Returns the address of the site for people as Jira gives it, if it is HTTPS; otherwise that of the connection. */
export function pagesUrl(given: string | null, access: Pick<Access, "baseUrl">): string {
  const url = URL.parse(given ?? "");
  const isUsable = url?.protocol === "https:" && url.href.length <= PAGE_LENGTH && url.username === "";
  return isUsable ? (url.origin + url.pathname).replace(/\/+$/, "") : siteUrl(access);
}

export const issuePage = (site: string, key: string): string => `${site}/browse/${encodeURIComponent(key)}`;
