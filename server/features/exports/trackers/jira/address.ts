import { addressIn } from "../address.ts";
import { textIn } from "../json.ts";
import type { Access } from "../reach.ts";
import { TrackerFault } from "../tracker-fault.ts";

/** `https://api.atlassian.com/ex/jira/{cloudId}`: the address of a site for tokens with scopes. */
const GATEWAY = /^\/ex\/jira\/([\w-]{1,100})(?=\/|$)/;
/** Host names of Atlassian's cloud sites, whose API is at the root. */
const SITE = /\.(?:atlassian\.net|jira\.com)$/;

/**
 * Returns the address of a Jira site's interface, without a slash at the end. People may give the address of a page
 * instead.
 */
export function siteUrl({ baseUrl }: Pick<Access, "baseUrl">): string {
  const url = addressIn(baseUrl ?? "");
  const gateway = GATEWAY.exec(url.pathname);
  if (gateway) return url.origin + gateway[0];
  const path = url.pathname.replace(/\/rest\/api\/.*$/, "").replace(/\/+$/, "");
  return SITE.test(url.hostname) ? url.origin : url.origin + path;
}

const GATEWAY_HOST = "api.atlassian.com";
const CLOUD_ID = /^[\w-]{1,100}$/;
const PAGE_LENGTH = 2_048;

/** Whether an address belongs to Atlassian's own servers: only they are trusted to identify sites. */
function isAtlassian(address: string): boolean {
  const { hostname } = new URL(address);
  return hostname === GATEWAY_HOST || SITE.test(hostname);
}

/**
 * Returns a permanent key of a site, which survives renames: Atlassian's id. It is in the address of the gateway;
 * `tenantInfo` asks a site for it. Any other server is named by the address of the connection, whatever it says, or
 * else it could pass itself off as another user's site.
 */
export async function siteName(access: Pick<Access, "baseUrl">, tenantInfo: () => Promise<unknown>): Promise<string> {
  const address = siteUrl(access);
  if (!isAtlassian(address)) return address;
  const { hostname, pathname } = new URL(address);
  const id = hostname === GATEWAY_HOST ? GATEWAY.exec(pathname)?.[1] : textIn(await tenantInfo(), "cloudId");
  if (id == null || !CLOUD_ID.test(id)) throw new TrackerFault({ kind: "unknown", reason: "unreadable_answer" });
  return id.toLowerCase();
}

/**
 * Returns the address of the site for people: as the site gives it at its own host, or as Atlassian's gateway gives it, which is
 * not the site's host. Otherwise the address of the connection. null: the given one is not usable.
 */
export function pagesUrl(given: string, access: Pick<Access, "baseUrl">): string | null {
  const url = URL.parse(given);
  if (url?.protocol !== "https:" || url.href.length > PAGE_LENGTH || url.username !== "") return null;
  const connected = siteUrl(access);
  const { hostname, origin } = new URL(connected);
  const isTrusted = hostname === GATEWAY_HOST || origin === url.origin;
  return isTrusted ? (url.origin + url.pathname).replace(/\/+$/, "") : connected;
}

export const issuePage = (site: string, key: string): string => `${site}/browse/${encodeURIComponent(key)}`;
