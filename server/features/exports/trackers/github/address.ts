import { addressIn } from "../address.ts";
import type { Access, Reached } from "../reach.ts";
import { TrackerFault } from "../tracker-fault.ts";
import { problems } from "./problems.ts";

const OWNER = /^\w[\w-]{0,99}$/;
const REPOSITORY = /^(?!\.{1,2}$)[\w.-]{1,100}$/;

/**
 * Returns the address of GitHub's API, without a slash at the end. Of an own installation people may give the page's
 * address instead: GitHub Enterprise Server has its API below `/api/v3`, `*.ghe.com` at a name of its own.
 *
 * @param publicUrl the address where a connection has none
 */
export function apiUrl({ baseUrl }: Pick<Access, "baseUrl">, publicUrl: string): string {
  const url = addressIn(baseUrl ?? publicUrl);
  const path = url.pathname.replace(/\/+$/, "");
  if (path !== "" || /^(?:api\.|.*\.api\.)/.test(url.hostname)) return url.origin + path;
  if (url.hostname === "github.com" || /^[^.]+\.ghe\.com$/.test(url.hostname)) {
    url.hostname = `api.${url.hostname}`;
    return url.origin;
  }
  return `${url.origin}/api/v3`;
}

/** Characters of the address of a page; those of GitHub have less than 300. */
const PAGE_LENGTH = 2_048;

/**
 * Returns the address of an issue's page: the one that the tracker gives, if it is HTTPS, at the tracker's own host and not
 * extremely long, because every reader of the estimation may follow it. Otherwise the one where GitHub has it.
 */
export const issuePage = (given: string | null, number: number, { access, destination }: Reached): string =>
  ownPage(given, access) ?? `https://${pageHost(access)}/${destination.project}/issues/${number}`;

const pageHost = ({ baseUrl }: Pick<Access, "baseUrl">): string =>
  addressIn(baseUrl ?? "https://github.com").host.replace(/^api\./, "");

/** Returns an address that the tracker gives, if it is HTTPS, at the tracker's own host and not extremely long; else null. */
export function ownPage(given: string | null, access: Pick<Access, "baseUrl">): string | null {
  const url = URL.parse(given ?? "");
  const isOwn =
    url?.protocol === "https:" && url.host === pageHost(access) && url.username === "" && url.password === "";
  return isOwn && url.href.length <= PAGE_LENGTH ? url.href : null;
}

/** Returns the path of a repository that is named `owner/repo`; throws a fault for what cannot be one. */
export function repositoryPath(project: string): string {
  const [owner = "", name = "", ...more] = project.split("/");
  if (more.length > 0 || !OWNER.test(owner) || !REPOSITORY.test(name))
    throw new TrackerFault({ kind: "blocked", problem: problems.destination_missing(project) });
  return `/repos/${owner}/${name}`;
}
