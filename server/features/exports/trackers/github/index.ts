import { composeIssue } from "../../../../../domain/exports/github/compose.ts";
import type { Nesting } from "../../../../../domain/exports/shape.ts";
import type { Clock } from "../../../../platform/clock.ts";
import type { Outbound } from "../../../../platform/outbound/index.ts";
import { problemOf } from "../problem.ts";
import type { Call } from "../reach.ts";
import { createSend, TIMEOUT_SECONDS } from "../requests.ts";
import type { Tracker } from "../tracker.ts";
import { READ_MS, within } from "../within.ts";
import { apiUrl } from "./address.ts";
import { closeIssue } from "./close.ts";
import { findIssues } from "./find.ts";
import { makeMissing, surveyRepository } from "./prepare.ts";
import { problems } from "./problems.ts";
import { readIssues } from "./read.ts";
import { listRepositories } from "./repositories.ts";
import { checkRepository, tokenProblems } from "./repository.ts";
import { githubDialect } from "./requests.ts";
import { createIssue, linkIssue, updateIssue } from "./write.ts";

/**
 * What GitHub allows. It refuses more than 80 writes a minute or 500 an hour that create content, so the default of 60
 * a minute comes with 480 an hour; for a self-hosted installation both may be raised, in the same ratio.
 */
export const traitsOf = (writesPerMinute: number) =>
  ({
    target: "github",
    batch: 1,
    smallBatch: 1,
    createTimeoutSeconds: TIMEOUT_SECONDS,
    readBatch: 25,
    placesAtCreation: false,
    pace: { writesPerMinute, writesPerHour: writesPerMinute * 8 },
  }) satisfies Partial<Tracker>;

/** It takes 100 sub-issues of an issue, and eight levels: read in the narrower way, the topmost issue is one of them. */
export const nesting: Nesting = { levels: 8, children: 100 };

interface Parts {
  readonly outbound: Outbound;
  readonly clock: Clock;
  /** Address of GitHub's API where a connection has none. */
  readonly githubApiUrl: string;
  readonly githubWritesPerMinute: number;
}

/** GitHub, in the cloud or self-hosted. */
export function createGithub({ outbound, clock, githubApiUrl, githubWritesPerMinute }: Parts): Tracker {
  const send = createSend({ outbound, clock }, githubDialect(githubApiUrl));
  const reading = <T>(call: Call | undefined, work: (timed: Call) => Promise<T>) => within(clock, READ_MS, call, work);
  return {
    ...traitsOf(githubWritesPerMinute),
    compose: composeIssue,
    address: (access) => apiUrl(access, githubApiUrl),
    async check(access, destination, options, call) {
      const nothing = { destination: null, former: [], layout: null };
      if (!destination) return { problems: await tokenProblems(send, access, call), ...nothing };
      const { problems: found, id } = await checkRepository(send, { access, destination, layout: null }, options, call);
      if (id === null) return { problems: found, ...nothing };
      const layout = { project: destination.project, nesting };
      return { problems: found, destination: `${apiUrl(access, githubApiUrl)} ${id}`, former: [], layout };
    },
    projects: (access, words, call) => listRepositories(send, access, words, call),
    issueTypes: async () => [],
    problemOf: (fault) => problemOf(fault, problems),
    survey: (reached, wanted, call) => reading(call, (timed) => surveyRepository(send, reached, wanted, timed)),
    make: (reached, wanted, prepared, call) => makeMissing(send, reached, wanted, prepared, call),
    async create(reached, items, prepared, call) {
      const [item, ...more] = items;
      if (!item || more.length > 0) throw new Error("GitHub takes one issue in a request.");
      return [await createIssue(send, reached, item, prepared, call)];
    },
    update: (reached, ref, fields, prepared, call) => updateIssue(send, reached, ref, fields, prepared, call),
    link: (reached, ref, parents, call) => linkIssue(send, reached, ref, parents, call),
    close: (reached, ref, why, call) => closeIssue(send, reached, ref, why, call),
    find: (reached, wanted, call) => reading(call, (timed) => findIssues(send, reached, wanted, timed)),
    read: (reached, refs, options, call) => reading(call, (timed) => readIssues(send, reached, refs, options, timed)),
  };
}
