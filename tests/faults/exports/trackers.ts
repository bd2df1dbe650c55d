import type { Client } from "../../../contract/client/client.ts";
import { type FakeGithub, startGithub } from "../../support/github/server.ts";
import { startJira } from "../../support/jira/server.ts";
import type { FaultKind } from "../../support/trackers/faults.ts";

/** How long a tracker may take to show an issue, … */
export const SETTLE_SECONDS = 2;
/** … and how long it really takes, in milliseconds: lists always lag, with the fault `late` as long as they may. */
const LATE_MS = SETTLE_SECONDS * 1_000;
const LAG_MS = LATE_MS / 2;
const TIMES = { retryAfterSeconds: 1, lateMs: LATE_MS };

type Body<Id extends "createConnection" | "exportTasks"> = Parameters<Client[Id]>[0] extends { body: infer B }
  ? B
  : never;

/** An issue at a tracker, as the ledger names it. */
interface PlayedIssue {
  readonly ref: string;
  /** The `ref` of the issue that it is below. */
  readonly parentRef: string | null;
}

/** A tracker that outlives workers and databases, and what the story needs to know of it. */
export interface PlayedTracker {
  readonly name: string;
  readonly fake: Pick<
    FakeGithub,
    "faults" | "asked" | "violations" | "writesAtOnce" | "onRequest" | "release" | "close" | "trustedBy"
  >;
  /** Everything that goes wrong by chance. Limits whose pauses take minutes are tested with the adapters. */
  readonly kinds: readonly FaultKind[];
  /** The operation that makes issues. */
  readonly creates: RegExp;
  readonly connection: Body<"createConnection">;
  /** What an export names beside the connection. */
  readonly destination: Omit<Body<"exportTasks">, "connectionId">;
  /** Returns how many issues there are. */
  made(): number;
  byMarker(): ReadonlyMap<string, readonly PlayedIssue[]>;
}

/** `late` is one of them for every tracker: the issue is made, nobody says so, and lists show it late. */
const KINDS: readonly FaultKind[] = [
  ...(["error_before", "error_after", "unavailable", "reset_before", "reset_after", "truncated", "late"] as const),
  ...(["retry_after_429", "used_up", "last_allowed", "slow", "slow_before", "unauthorized", "dropped"] as const),
];

async function playGithub(listLagMs = LAG_MS): Promise<PlayedTracker> {
  const fake = await startGithub(TIMES);
  const { repository } = fake;
  const none = Number.POSITIVE_INFINITY;
  Object.assign(fake.settings, { writesPerMinute: none, writesPerHour: none, listLagMs });
  const refOf = (number: number | null) => {
    const issue = repository.issues.find((one) => one.number === number);
    return issue ? `${issue.number}:${issue.id}` : null;
  };
  return {
    // `retry_after_403` is a secondary limit.
    ...{ name: "GitHub", fake, kinds: [...KINDS, "retry_after_403"], creates: /^POST .*\/issues$/ },
    connection: { target: "github", name: "Shop", baseUrl: fake.url, token: fake.token },
    destination: { target: "github", repository: fake.name },
    made: () => repository.issues.length,
    byMarker: () =>
      mapped(repository.byMarker(), ({ number, parent }) => ({ ref: refOf(number) ?? "", parentRef: refOf(parent) })),
  };
}

async function playJira(searchLagMs = LAG_MS): Promise<PlayedTracker> {
  const fake = await startJira(TIMES);
  const { site } = fake;
  Object.assign(fake.settings, { searchLagMs });
  return {
    ...{ name: "Jira", fake, kinds: KINDS, creates: /^POST .*\/issue\/bulk$/ },
    connection: { target: "jira", name: "Shop", baseUrl: fake.url, email: fake.email, token: fake.token },
    destination: { target: "jira", projectKey: fake.name },
    made: () => site.issues.length,
    byMarker: () => mapped(site.byMarker(), ({ id, parent }) => ({ ref: id, parentRef: parent })),
  };
}

const mapped = <I>(found: ReadonlyMap<string, readonly I[]>, each: (issue: I) => PlayedIssue) =>
  new Map([...found].map(([marker, issues]) => [marker, issues.map(each)]));

/** How each tracker is played; the argument is how long lists do not show a new issue, in milliseconds. */
export const trackers = { github: playGithub, jira: playJira } as const;
