import { limits } from "../../../../../contract/limits.ts";
import { composeIssue } from "../../../../../domain/exports/github/compose.ts";
import type { Nesting } from "../../../../../domain/exports/shape.ts";
import type { Clock } from "../../../../platform/clock.ts";
import type { Outbound } from "../../../../platform/outbound/index.ts";
import type { ListedProject } from "../checked.ts";
import { textIn } from "../json.ts";
import { problemOf } from "../problem.ts";
import type { Access, Call } from "../reach.ts";
import type { Send } from "../requests.ts";
import { createSend, TIMEOUT_SECONDS } from "../requests.ts";
import type { Tracker } from "../tracker.ts";
import { TrackerFault } from "../tracker-fault.ts";
import { READ_MS, within } from "../within.ts";
import { apiUrl } from "./address.ts";
import { findIssues } from "./find.ts";
import { makeMissing, surveyRepository } from "./prepare.ts";
import { problems } from "./problems.ts";
import { readIssues } from "./read.ts";
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

const PAGE = 100;
/** For users with more repositories, those with the most recent pushes are searched. */
const PAGES_MAX = 3;

/** Returns repositories that the token reaches and whose name has these words; those that were pushed to last come first. */
async function listRepositories(
  send: Send,
  access: Access,
  words: string,
  call?: Call,
): Promise<readonly ListedProject[]> {
  const wanted = words.trim().toLowerCase();
  const found: ListedProject[] = [];
  for (let page = 1; page <= PAGES_MAX && found.length < limits.trackerProjectsListed; page += 1) {
    const query = { sort: "pushed", direction: "desc", per_page: PAGE, page };
    const response = await send(access, { method: "GET", path: "/user/repos", query }, call);
    if (response.status !== 200) throw new TrackerFault({ kind: "refused", reason: response.message });
    if (!Array.isArray(response.json)) throw new TrackerFault({ kind: "unknown", reason: "unreadable_answer" });
    for (const json of response.json) {
      const key = textIn(json, "full_name");
      if (key?.toLowerCase().includes(wanted)) found.push({ key, name: textIn(json, "name") ?? key });
    }
    if (response.json.length < PAGE) break;
  }
  return found.slice(0, limits.trackerProjectsListed);
}

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
    find: (reached, wanted, call) => reading(call, (timed) => findIssues(send, reached, wanted, timed)),
    read: (reached, refs, options, call) => reading(call, (timed) => readIssues(send, reached, refs, options, timed)),
  };
}
