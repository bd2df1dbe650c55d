import type { LookupAddress } from "node:dns";
import type { Received } from "../receiver.ts";
import type { FaultKind } from "../trackers/faults.ts";
import { type Done, startTracker, type Understood } from "../trackers/server.ts";
import { description } from "./description.ts";
import { type CreateBody, createOperations } from "./operations.ts";
import { FakeSite } from "./site.ts";

export interface FakeJiraOptions {
  /** The fake's clock: for the times of issues, limits and delays. */
  readonly now?: () => Date;
  /** Seconds of a Retry-After. */
  readonly retryAfterSeconds?: number;
  /** How long searches do not show an issue with the fault `late`, in milliseconds. */
  readonly lateMs?: number;
  /** How long each issue takes with the fault `trickle`, in milliseconds. */
  readonly trickleMs?: number;
}

const CREATE = "POST /rest/api/3/issue/bulk";
const TENANT_INFO = "GET /_edge/tenant_info";
/** Requests that only read, but have a body. */
const READS = /\/(?:bulkfetch|search\/jql)$/;
const CLOUD_ID = "11223344-a1b2-3b33-c444-def123456789";
const GATEWAY = `/ex/jira/${CLOUD_ID}`;
const GATEWAY_HOST = "api.atlassian.com";
/** Host names that the site can have at Atlassian's; it begins with the first one. */
const SITES = ["acme", "acme-corp"].map((name) => `${name}.atlassian.net`);

const SIGN_IN_FAILED = { "x-seraph-loginreason": "AUTHENTICATED_FAILED" };

const words = (status: number, ...errorMessages: string[]): Done => ({ status, json: { errorMessages, errors: {} } });

/** Resolves Atlassian's names, and no others, to the loopback address, where the fake is. */
export function resolveAtlassian(
  hostname: string,
  _: unknown,
  callback: (error: Error | null, addresses: LookupAddress[]) => void,
): void {
  const isKnown = /^localhost$|\.atlassian\.(?:net|com)$/.test(hostname);
  callback(isKnown ? null : new Error(`${hostname} is not known`), [{ address: "127.0.0.1", family: 4 }]);
}

/**
 * A Jira Cloud site: `url` reaches it like a self-hosted server, `siteUrl` and `gatewayUrl` as at Atlassian (see
 * `resolveAtlassian`). Each request is judged by a current client's description of Jira.
 */
export async function startJira(options: FakeJiraOptions = {}) {
  const { now = () => new Date(), retryAfterSeconds = 30, lateMs = 0, trickleMs = 5_000 } = options;
  const email = "ada@example.com";
  const token = "ATATT3xFfGF0fake";
  const site = new FakeSite(now);
  const { settings } = site;
  const twists = new Map<string, (done: Done) => Done>();

  const resetAt = () => new Date(now().getTime() + retryAfterSeconds * 1_000).toISOString();

  /** Returns the response with which a fault refuses a request; null: it does not refuse. */
  const refusalOf = (fault: FaultKind | null): Done | "reset" | null => {
    const retry = { "retry-after": String(retryAfterSeconds) };
    switch (fault) {
      case "error_before":
        return words(500, "Internal server error");
      case "unavailable":
        return { ...words(503, "Service unavailable"), headers: retry };
      case "reset_before":
        return "reset";
      case "retry_after_429":
        return { ...words(429, "Rate limit exceeded."), headers: retry };
      case "used_up":
        return { ...words(429, "Rate limit exceeded."), headers: { "x-ratelimit-reset": resetAt() } };
      case "secondary":
        return words(429, "Rate limit exceeded.");
      case "unauthorized":
        return words(401, "Client must be authenticated to access this resource.");
      default:
        return null;
    }
  };

  const hostOf = ({ headers }: Received) => (headers.host ?? "").replace(/:\d+$/, "");
  const at = (host: string) => receiver.url.replace("localhost", host);
  const siteUrl = () => at(SITES[settings.renamed ? 1 : 0] ?? "");

  /** Returns the refusal that the token or the whole site causes, whatever is asked. */
  const refusalByState = (received: Received, operation: string): Done | null => {
    const host = hostOf(received);
    if (settings.redirects || (SITES.includes(host) && at(host) !== siteUrl()))
      return { status: 302, json: {}, headers: { location: siteUrl() } };
    if (operation === TENANT_INFO) return null;
    if (settings.scopeMissing)
      return { status: 401, json: { code: 401, message: "Unauthorized; scope does not match" } };
    const expected = `Basic ${Buffer.from(`${email}:${token}`).toString("base64")}`;
    if (received.headers.authorization === expected && !settings.tokenRevoked) return null;
    if (!settings.anonymous) return words(401, "Client must be authenticated to access this resource.");
    if (settings.publicCreates && operation === CREATE) return null;
    return {
      ...words(404, "Issue does not exist or you do not have permission to see it."),
      headers: SIGN_IN_FAILED,
    };
  };

  const addressFor = (host: string) => (host === "localhost" ? receiver.url : siteUrl());
  const operations = createOperations(site, { now, url: addressFor }) as Readonly<
    Record<string, (input: never) => Done>
  >;

  const understandTenantInfo = (received: Received): Understood => ({
    operation: TENANT_INFO,
    // Everybody may ask for it, without credentials.
    faults: received.headers.authorization === undefined ? [] : [`${TENANT_INFO}: has credentials`],
    refuse: (fault) => refusalOf(fault) ?? refusalByState(received, TENANT_INFO),
    async perform() {
      const done = { status: 200, json: { cloudId: CLOUD_ID } };
      return twists.get(TENANT_INFO)?.(done) ?? done;
    },
    judge: () => [],
    made: () => ({ drop() {}, listAt() {} }),
  });

  const understand = (received: Received): Understood => {
    const url = new URL(received.path, "https://localhost");
    if (`${received.method} ${url.pathname}` === TENANT_INFO) return understandTenantInfo(received);
    const path = url.pathname.replace(GATEWAY, "");
    const query = url.searchParams;
    const body = received.body === "" ? undefined : (JSON.parse(received.body) as unknown);
    const described = description.request(received.method, path, query, body);
    const operation = described?.operation ?? `${received.method} ${path}`;
    let own: Done | null = null;
    return {
      operation,
      faults: [...headerFaults(received), ...(described?.faults ?? [`${operation} is not known to the client`])],
      refuse: (fault) => refusalOf(fault) ?? refusalByState(received, operation),
      async perform(gate, fault) {
        await gate;
        site.goOn();
        if (fault === "trickle") {
          const { issueUpdates } = body as CreateBody;
          const make = (one: (typeof issueUpdates)[number]) => () => void site.create(one.fields, one.properties ?? []);
          site.trickle(issueUpdates.map(make), trickleMs);
          return null;
        }
        const run = operations[operation];
        if (!run) throw new Error(`${operation} is not played`);
        const host = hostOf(received);
        own = run({ params: described?.params ?? {}, query, body, root: receiver.url, host } as never);
        const done = settings.tokenRevoked ? { ...own, headers: SIGN_IN_FAILED } : own;
        return twists.get(operation)?.(done) ?? done;
      },
      // Not what a twist has made of it.
      judge: () => (own ? description.response(operation, own.status, own.json) : []),
      made() {
        const issues = operation === CREATE ? ((own?.json as { issues?: { id: string }[] })?.issues ?? []) : [];
        const all = issues.map(({ id }) => site.issue(id));
        const change = (changes: object) => {
          for (const issue of all) Object.assign(issue, changes);
        };
        return {
          // A rule of the project takes the labels away.
          drop: () => change({ labels: [] }),
          listAt: (listedAt) => change({ listedAt }),
        };
      },
    };
  };

  const receiver = await startTracker({
    ...{ now, lateMs, names: [...SITES, GATEWAY_HOST], words, understand },
    headers: () => ({}),
    usedUp: () => ({ "x-ratelimit-remaining": "0", "x-ratelimit-reset": resetAt() }),
    isWrite: ({ method, path }) => method !== "GET" && !READS.test(path),
  });

  return {
    ...receiver,
    /** The address at Atlassian's; another one after the site is renamed. */
    siteUrl,
    /** The same site by the address for tokens with scopes. */
    gatewayUrl: at(GATEWAY_HOST) + GATEWAY,
    cloudId: CLOUD_ID,
    /** Key of the project. */
    name: "SHOP",
    email,
    token,
    site,
    settings,
    /** Changes responses, by the names of operations, to what Jira never returns, but another server might. */
    twists,
  };
}

export type FakeJira = Awaited<ReturnType<typeof startJira>>;

/** Checks headers as Jira demands them. */
function headerFaults({ headers, body }: Received): string[] {
  return [
    ...(headers.accept === "application/json" ? [] : ["Accept is not JSON"]),
    ...(body === "" || headers["content-type"] === "application/json" ? [] : ["Content-Type is not JSON"]),
  ];
}
