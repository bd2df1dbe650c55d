import type { ServerResponse } from "node:http";
import { createArrivals } from "../github/arrivals.ts";
import { createFaults, type FaultKind } from "../github/faults.ts";
import { type Received, startReceiver } from "../receiver.ts";
import { description } from "./description.ts";
import { createOperations, type Done } from "./operations.ts";
import { FakeSite, Refused } from "./site.ts";

/** A request as the fake judged it. */
export interface Asked {
  readonly operation: string;
  readonly at: Date;
  readonly fault: FaultKind | null;
  /** null: there was no answer. */
  status: number | null;
}

export interface FakeJiraOptions {
  /** The fake's time: of issues, limits and lags. */
  readonly now?: () => Date;
  /** Seconds of a Retry-After. */
  readonly retryAfterSeconds?: number;
  /** How long searches do not show an issue with the fault `late`, in milliseconds. */
  readonly lateMs?: number;
}

const CREATE = "POST /rest/api/3/issue/bulk";
/** Reads that take their question in a body. */
const READS = /\/(?:bulkfetch|search\/jql)$/;
const GATEWAY = "/ex/jira/11223344-a1b2-3b33-c444-def123456789";

const SIGN_IN_FAILED = { "x-seraph-loginreason": "AUTHENTICATED_FAILED" };

const words = (status: number, ...errorMessages: string[]): Done => ({ status, json: { errorMessages, errors: {} } });

/**
 * A Jira Cloud site on loopback with HTTPS, at its own address and behind Atlassian's gateway. It lives in the process of
 * the test. Each request is judged by what a current client says of Jira; `violations` has to be empty in the end.
 */
export async function startJira({ now = () => new Date(), retryAfterSeconds = 30, lateMs = 0 }: FakeJiraOptions = {}) {
  const email = "ada@example.com";
  const token = "ATATT3xFfGF0fake";
  const site = new FakeSite(now);
  const faults = createFaults();
  const violations: string[] = [];
  const asked: Asked[] = [];
  const held = new Set<() => void>();
  const { onRequest, arrived } = createArrivals();
  const twists = new Map<string, (done: Done) => Done>();
  let writing = 0;
  let writesAtOnce = 0;

  const reply = (response: ServerResponse, { status, json, text: given, headers = {} }: Done) => {
    if (response.destroyed) return;
    const text = given ?? (json === undefined ? "" : JSON.stringify(json));
    const own = text === "" ? {} : { "content-type": "application/json;charset=UTF-8" };
    const length = { "content-length": Buffer.byteLength(text) };
    response.writeHead(status, { date: now().toUTCString(), ...own, ...length, ...headers });
    response.end(text);
  };

  const resetAt = () => new Date(now().getTime() + retryAfterSeconds * 1_000).toISOString();

  /** What the fault answers before anything is done; null: it does not. */
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

  /** What the token or the site as a whole refuses. */
  const refusalByState = ({ headers }: Received, operation: string): Done | null => {
    const { settings } = site;
    if (settings.redirects) return { status: 302, json: {}, headers: { location: "https://elsewhere.example/" } };
    if (settings.scopeMissing)
      return { status: 401, json: { code: 401, message: "Unauthorized; scope does not match" } };
    const expected = `Basic ${Buffer.from(`${email}:${token}`).toString("base64")}`;
    if (headers.authorization === expected && !settings.tokenRevoked) return null;
    if (!settings.anonymous) return words(401, "Client must be authenticated to access this resource.");
    if (settings.publicCreates && operation === CREATE) return null;
    return {
      ...words(404, "Issue does not exist or you do not have permission to see it."),
      headers: SIGN_IN_FAILED,
    };
  };

  const operations = createOperations(site, { now, url: () => receiver.url });

  const handle = async (received: Received, response: ServerResponse): Promise<void> => {
    const url = new URL(received.path, "https://localhost");
    const path = url.pathname.replace(GATEWAY, "");
    const body = received.body === "" ? undefined : (JSON.parse(received.body) as unknown);
    const described = description.request(received.method, path, url.searchParams, body);
    const operation = described?.operation ?? `${received.method} ${path}`;
    const faulty = [...headerFaults(received), ...(described?.faults ?? [`${operation} is not known to the client`])];
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
    const early = refusalOf(fault) ?? refusalByState(received, operation);
    if (early === "reset") return void response.destroy();
    if (early) return answer(early);
    if (fault === "slow_before") await new Promise<void>((open) => held.add(open));
    let done: Done;
    try {
      const run = (operations as Readonly<Record<string, (input: never) => Done>>)[operation];
      if (!run) throw new Error(`${operation} is not played`);
      done = run({ params: described?.params ?? {}, query: url.searchParams, body, root: receiver.url } as never);
      violations.push(...description.answer(operation, done.status, done.json).map((said) => `the fake: ${said}`));
    } catch (error) {
      if (!(error instanceof Refused)) violations.push(String(error));
      done = error instanceof Refused ? { status: error.status, json: error.json } : words(500, String(error));
    }
    const made = operation === CREATE ? ((done.json as { issues?: { id: string }[] }).issues ?? []) : [];
    // A rule of the project takes the labels away.
    if (fault === "dropped") for (const { id } of made) site.issue(id).labels = [];
    if (site.settings.tokenRevoked) done = { ...done, headers: SIGN_IN_FAILED };
    done = twists.get(operation)?.(done) ?? done;
    if (fault === "late") {
      for (const { id } of made) site.issue(id).listedAt = new Date(now().getTime() + lateMs);
      return void response.destroy();
    }
    if (fault === "error_after") return answer(words(502, "Bad Gateway"));
    if (fault === "reset_after") return void response.destroy();
    if (fault === "truncated") return truncate(response, done);
    if (fault === "slow") return void held.add(() => reply(response, done));
    const nothingLeft = { "x-ratelimit-remaining": "0", "x-ratelimit-reset": resetAt() };
    answer(fault === "last_allowed" ? { ...done, headers: { ...done.headers, ...nothingLeft } } : done);
  };

  const receiver = await startReceiver((received, response) => {
    const isWrite = received.method !== "GET" && !READS.test(received.path);
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

  return {
    ...receiver,
    /** The same site by the address for tokens with scopes. */
    gatewayUrl: receiver.url + GATEWAY,
    /** Key of the project. */
    name: "SHOP",
    email,
    token,
    site,
    settings: site.settings,
    faults,
    violations,
    asked,
    /** Changes the answers to operations, by their names: what no Jira says, but another server may. */
    twists,
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

export type FakeJira = Awaited<ReturnType<typeof startJira>>;

/** Sends half of an answer. */
function truncate(response: ServerResponse, { status, json }: Done): void {
  const text = JSON.stringify(json ?? {});
  response.writeHead(status === 204 ? 200 : status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
  });
  response.write(text.slice(0, text.length / 2), () => response.destroy());
}

/** What Jira asks of the headers. */
function headerFaults({ headers, body }: Received): string[] {
  return [
    ...(headers.accept === "application/json" ? [] : ["Accept is not JSON"]),
    ...(body === "" || headers["content-type"] === "application/json" ? [] : ["Content-Type is not JSON"]),
  ];
}
