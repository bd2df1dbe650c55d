import type { Received } from "../receiver.ts";
import type { FaultKind } from "../trackers/faults.ts";
import { type Done, startTracker, type Understood } from "../trackers/server.ts";
import { description } from "./description.ts";
import { createOperations } from "./operations.ts";
import { refusalOf, words } from "./refusals.ts";
import { FakeRepository, Refused } from "./repository.ts";

export interface FakeGithubOptions {
  /** The fake's clock: for the times of issues, limits and delays. */
  readonly now?: () => Date;
  /** `owner/repo`. */
  readonly name?: string;
  /** Seconds of a Retry-After. */
  readonly retryAfterSeconds?: number;
  /** How long lists do not show an issue with the fault `late`, in milliseconds. */
  readonly lateMs?: number;
}

/**
 * GitHub with one repository, at the paths of the public service and of a self-hosted server (`/api/v3`). Each request is
 * judged by GitHub's description.
 */
export async function startGithub(options: FakeGithubOptions = {}) {
  const { now = () => new Date(), name = "acme/shop", retryAfterSeconds = 30, lateMs = 0 } = options;
  const token = "github_pat_11AAAAAAA0fake";
  const repository = new FakeRepository(now);
  const { settings } = repository;
  const operations = createOperations(repository) as Readonly<Record<string, (input: never) => Done>>;
  const writes: number[] = [];
  const linking = new Set<string>();

  const seconds = (later: number) => String(Math.floor(now().getTime() / 1_000) + later);
  const usedUp = () => ({ "x-ratelimit-remaining": "0", "x-ratelimit-reset": seconds(retryAfterSeconds) });
  const headers = () => ({
    ...{ "x-ratelimit-limit": "5000", "x-ratelimit-remaining": "4999", "x-ratelimit-reset": seconds(3_600) },
    ...(settings.scopes === null ? {} : { "x-oauth-scopes": settings.scopes }),
  });
  const refusal = (fault: FaultKind | null) => refusalOf(fault, { retryAfterSeconds, usedUp: usedUp() });
  const isWrite = ({ method }: Pick<Received, "method">) => method !== "GET";

  /** Refuses a write beyond GitHub's secondary limits; counts it otherwise. */
  const overLimit = (): Done | null => {
    const at = now().getTime();
    const since = (ms: number) => writes.filter((time) => time > at - ms).length;
    const { writesPerMinute, writesPerHour } = settings;
    if (since(60_000) >= writesPerMinute || since(3_600_000) >= writesPerHour) return refusal("secondary") as Done;
    writes.push(at);
    return null;
  };

  /** GitHub refuses a sub-issue while it adds another one to the same issue. */
  const oneByOne = async (operation: string, parent: string, gate: Promise<void>, run: () => Done): Promise<Done> => {
    const isLink = operation.endsWith("/sub_issues");
    if (isLink && linking.has(parent))
      throw new Refused(
        422,
        "An error occurred while adding the sub-issue to the parent issue. Priority has already been taken",
      );
    if (isLink) linking.add(parent);
    await gate;
    linking.delete(parent);
    return run();
  };

  const moved = () => words(301, "Moved Permanently", { location: `${origin()}/repositories/${settings.id}` });

  /** Returns the refusal that the token or the whole repository causes, whatever is asked. */
  const refusalByState = (received: Received, params: Readonly<Record<string, string>>): Done | null => {
    if (settings.tokenRevoked || received.headers.authorization !== `Bearer ${token}`)
      return words(401, "Bad credentials");
    if (params.owner === undefined) return null;
    // Source: GitHub Docs, "Authenticating to the REST API".
    if (settings.signOn)
      return words(
        403,
        "Resource protected by organization SAML enforcement. You must grant your Personal Access token access to this organization.",
        { "x-github-sso": `required; url=${origin()}/orgs/${params.owner}/sso?authorization_request=AZSCKL4B7WQ` },
      );
    if (settings.addressList)
      return words(
        403,
        `Although you appear to have the correct authorization credentials, the \`${params.owner}\` organization has an IP allow list enabled, and your IP address is not permitted to access this resource.`,
      );
    if (settings.renamed) return moved();
    const asked = `${params.owner}/${params.repo}`.toLowerCase();
    if (repository.reached.some((one) => one.toLowerCase() === asked)) return null;
    if (settings.exists && asked === (settings.newName ?? name).toLowerCase()) return null;
    return settings.exists && asked === name.toLowerCase() ? moved() : words(404, "Not Found");
  };

  const understand = (received: Received): Understood => {
    const { method } = received;
    const url = new URL(received.path, "https://localhost");
    const prefix = url.pathname.startsWith("/api/v3/") ? "/api/v3" : "";
    const path = url.pathname.slice(prefix.length);
    const query = url.searchParams;
    const body = received.body === "" ? undefined : (JSON.parse(received.body) as unknown);
    const described = description.request({ method, path, query, body });
    const operation = described?.operation ?? `${method} ${path}`;
    const params = described?.params ?? {};
    return {
      operation,
      faults: [...headerFaults(received), ...(described?.faults ?? [`${operation} is not in GitHub's description`])],
      refuse: (fault) => refusal(fault) ?? refusalByState(received, params) ?? (isWrite(received) ? overLimit() : null),
      async perform(gate) {
        const run = operations[operation];
        if (!run) throw new Error(`${operation} is not played`);
        const input = { params, query, body, root: `${origin()}${prefix}` };
        return oneByOne(operation, params.issue_number ?? "", gate, () => run(input as never));
      },
      judge: ({ status, json }) => description.response(operation, status, json),
      made() {
        const made = operation.endsWith("POST /repos/{owner}/{repo}/issues") ? repository.issues.at(-1) : undefined;
        return {
          drop: () => void (made && Object.assign(made, { labels: [], milestone: null })),
          listAt: (time) => void (made && Object.assign(made, { listedAt: time })),
        };
      },
    };
  };

  const tracker = await startTracker({ now, lateMs, headers, usedUp, isWrite, understand, words });
  const origin = () => tracker.url;
  return { ...tracker, name, token, repository, settings };
}

export type FakeGithub = Awaited<ReturnType<typeof startGithub>>;

/** Checks headers as GitHub's documentation demands them: it refuses every request without a User-Agent. */
function headerFaults({ headers, method }: Received): string[] {
  return [
    ...(headers["x-github-api-version"] === "2022-11-28" ? [] : ["X-GitHub-Api-Version is missing"]),
    ...(headers.accept === "application/vnd.github+json" ? [] : ["Accept is not GitHub's"]),
    ...(headers["user-agent"] ? [] : ["User-Agent is missing"]),
    ...(method === "GET" || headers["content-type"] === "application/json" ? [] : ["Content-Type is not JSON"]),
  ];
}
