import type { ServerResponse } from "node:http";
import { type Received, startReceiver } from "../receiver.ts";
import { createArrivals } from "./arrivals.ts";
import { description } from "./description.ts";
import { createFaults, type FaultKind } from "./faults.ts";
import { createOperations, type Done } from "./operations.ts";
import { refusalOf, words } from "./refusals.ts";
import { FakeRepository, Refused } from "./repository.ts";

/** A request as the fake judged it. */
export interface Asked {
  readonly operation: string;
  readonly at: Date;
  readonly fault: FaultKind | null;
  /** null: there was no answer. */
  status: number | null;
}

export interface FakeGithubOptions {
  /** The fake's time: of issues, limits and lags. */
  readonly now?: () => Date;
  /** `owner/repo`. */
  readonly name?: string;
  /** Seconds of a Retry-After. */
  readonly retryAfterSeconds?: number;
  /** How long lists do not show an issue with the fault `late`, in milliseconds. */
  readonly lateMs?: number;
}

/**
 * GitHub with one repository, on loopback with HTTPS, at the paths of the public service and of a server of one's own
 * (`/api/v3`). It lives in the process of the test, so that it survives what the test does to workers and databases. Each
 * request is judged by GitHub's description; `violations` has to be empty in the end.
 */
export async function startGithub(options: FakeGithubOptions = {}) {
  const { now = () => new Date(), name = "acme/shop", retryAfterSeconds = 30, lateMs = 0 } = options;
  const token = "github_pat_11AAAAAAA0fake";
  const repository = new FakeRepository(now);
  const operations = createOperations(repository);
  const faults = createFaults();
  const violations: string[] = [];
  const asked: Asked[] = [];
  const writes: number[] = [];
  const held = new Set<() => void>();
  const linking = new Set<string>();
  const { onRequest, arrived } = createArrivals();
  let writing = 0;
  let writesAtOnce = 0;

  const limits = () => ({
    "x-ratelimit-limit": "5000",
    "x-ratelimit-remaining": "4999",
    "x-ratelimit-reset": String(Math.floor(now().getTime() / 1_000) + 3_600),
  });
  const usedUp = () => ({
    "x-ratelimit-remaining": "0",
    "x-ratelimit-reset": String(Math.floor(now().getTime() / 1_000) + retryAfterSeconds),
  });
  const reply = (response: ServerResponse, { status, json, headers = {} }: Done) => {
    if (response.destroyed) return;
    const text = JSON.stringify(json);
    const { scopes } = repository.settings;
    response.writeHead(status, {
      "content-type": "application/json; charset=utf-8",
      "content-length": Buffer.byteLength(text),
      date: now().toUTCString(),
      ...limits(),
      ...(scopes === null ? {} : { "x-oauth-scopes": scopes }),
      ...headers,
    });
    response.end(text);
  };
  const refusal = (fault: FaultKind | null) => refusalOf(fault, { retryAfterSeconds, usedUp: usedUp() });

  /** Refuses by GitHub's own secondary limits; counts the write otherwise. */
  const overLimit = (): Done | null => {
    const at = now().getTime();
    const since = (ms: number) => writes.filter((time) => time > at - ms).length;
    const { writesPerMinute, writesPerHour } = repository.settings;
    if (since(60_000) >= writesPerMinute || since(3_600_000) >= writesPerHour) return refusal("secondary") as Done;
    writes.push(at);
    return null;
  };

  /** Does what was asked, once `gate` opens. GitHub refuses a sub-issue while it adds another to the same issue. */
  const perform = async (operation: string, parent: string, gate: Promise<void>, run: () => Done): Promise<Done> => {
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

  const handle = async (received: Received, response: ServerResponse): Promise<void> => {
    const url = new URL(received.path, "https://localhost");
    const prefix = url.pathname.startsWith("/api/v3/") ? "/api/v3" : "";
    const body = received.body === "" ? undefined : (JSON.parse(received.body) as unknown);
    const path = url.pathname.slice(prefix.length);
    const described = description.request({ method: received.method, path, query: url.searchParams, body });
    const operation = described?.operation ?? `${received.method} ${path}`;
    const faulty = [
      ...headerFaults(received),
      ...(described?.faults ?? [`${operation} is not in GitHub's description`]),
    ];
    violations.push(...faulty);
    const fault = faults.take(operation);
    const entry: Asked = { operation, at: now(), fault, status: null };
    asked.push(entry);
    arrived(operation);
    const answer = (done: Done) => {
      entry.status = done.status;
      reply(response, done);
    };
    if (faulty.length > 0) return answer(words(400, faulty.join("; ")));
    const isWrite = received.method !== "GET";
    const early = refusal(fault) ?? refusalByState(received, described?.params ?? {}) ?? (isWrite ? overLimit() : null);
    if (early === "reset") return void response.destroy();
    if (early) return answer(early);

    const run = (operations as Readonly<Record<string, (input: never) => Done>>)[operation];
    let done: Done;
    try {
      if (!run) throw new Error(`${operation} is not played`);
      const input = { params: described?.params ?? {}, query: url.searchParams, body, root: `${origin()}${prefix}` };
      const gate = fault === "slow_before" ? new Promise<void>((open) => held.add(open)) : Promise.resolve();
      done = await perform(operation, input.params.issue_number ?? "", gate, () => run(input as never));
      violations.push(...description.answer(operation, done.status, done.json).map((said) => `the fake: ${said}`));
    } catch (error) {
      if (!(error instanceof Refused)) violations.push(String(error));
      const { status, message, errors } = error instanceof Refused ? error : new Refused(500, String(error));
      done = { ...words(status, message), json: { message, ...(errors.length > 0 ? { errors } : {}) } };
    }
    const made = operation.endsWith("POST /repos/{owner}/{repo}/issues") ? repository.issues.at(-1) : undefined;
    if (fault === "dropped" && made) Object.assign(made, { labels: [], milestone: null });
    if (fault === "late") {
      if (made) made.listedAt = new Date(now().getTime() + lateMs);
      return void response.destroy();
    }
    if (fault === "error_after") return answer(words(502, "Bad Gateway"));
    if (fault === "reset_after") return void response.destroy();
    if (fault === "truncated") return truncate(response, done);
    if (fault === "slow") return void held.add(() => reply(response, done));
    answer(fault === "last_allowed" ? { ...done, headers: { ...done.headers, ...usedUp() } } : done);
  };

  const moved = () =>
    words(301, "Moved Permanently", { location: `${origin()}/repositories/${repository.settings.id}` });

  /** What the token or the repository as a whole refuses. */
  const refusalByState = (received: Received, params: Readonly<Record<string, string>>): Done | null => {
    const { settings } = repository;
    if (settings.tokenRevoked || received.headers.authorization !== `Bearer ${token}`)
      return words(401, "Bad credentials");
    if (params.owner === undefined) return null;
    if (settings.renamed) return moved();
    const asked = `${params.owner}/${params.repo}`.toLowerCase();
    if (settings.exists && asked === (settings.newName ?? name).toLowerCase()) return null;
    return settings.exists && asked === name.toLowerCase() ? moved() : words(404, "Not Found");
  };

  const receiver = await startReceiver((received, response) => {
    const isWrite = received.method !== "GET";
    if (isWrite) writing += 1;
    writesAtOnce = Math.max(writesAtOnce, writing);
    response.on("close", () => {
      if (isWrite) writing -= 1;
    });
    handle(received, response).catch((error: unknown) => {
      violations.push(String(error));
      response.destroy();
    });
  });
  const origin = () => receiver.url;

  return {
    ...receiver,
    name,
    token,
    repository,
    settings: repository.settings,
    faults,
    violations,
    asked,
    /** Writes that were under way at the same time. */
    writesAtOnce: () => writesAtOnce,
    onRequest,
    /** Lets go on what the faults `slow` and `slow_before` hold back. */
    release(): void {
      for (const goOn of held) goOn();
      held.clear();
    },
  };
}

export type FakeGithub = Awaited<ReturnType<typeof startGithub>>;

/** Sends half of an answer. */
function truncate(response: ServerResponse, { status, json }: Done): void {
  const text = JSON.stringify(json);
  response.writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(text) });
  response.write(text.slice(0, text.length / 2), () => response.destroy());
}

/** What GitHub asks of the headers, by its documentation: without a User-Agent it refuses every request. */
function headerFaults({ headers, method }: Received): string[] {
  return [
    ...(headers["x-github-api-version"] === "2022-11-28" ? [] : ["X-GitHub-Api-Version is missing"]),
    ...(headers.accept === "application/vnd.github+json" ? [] : ["Accept is not GitHub's"]),
    ...(headers["user-agent"] ? [] : ["User-Agent is missing"]),
    ...(method === "GET" || headers["content-type"] === "application/json" ? [] : ["Content-Type is not JSON"]),
  ];
}
