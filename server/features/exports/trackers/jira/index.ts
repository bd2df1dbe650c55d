import { limits } from "../../../../../contract/limits.ts";
import { composeIssue } from "../../../../../domain/exports/jira/compose.ts";
import { labelOf } from "../../../../../domain/exports/jira/marker.ts";
import { BULK_TIMEOUT_SECONDS } from "../../../../../domain/exports/ledger.ts";
import { NAME_LENGTH, oneLine } from "../../../../../domain/exports/words.ts";
import type { Clock } from "../../../../platform/clock.ts";
import type { Outbound } from "../../../../platform/outbound/index.ts";
import type { ListedProject } from "../checked.ts";
import { fieldOf, listIn, textIn } from "../json.ts";
import { problemOf } from "../problem.ts";
import type { Access, Call } from "../reach.ts";
import type { Send } from "../requests.ts";
import { createSend } from "../requests.ts";
import type { Tracker } from "../tracker.ts";
import { TrackerFault } from "../tracker-fault.ts";
import { READ_MS, within } from "../within.ts";
import { siteName, siteUrl } from "./address.ts";
import { closeIssue } from "./close.ts";
import { findIssues } from "./find.ts";
import { problems } from "./problems.ts";
import { KEY, tenantInfo, tokenProblems } from "./project.ts";
import { readIssues } from "./read.ts";
import { jiraDialect, openDialect } from "./requests.ts";
import { readIssueTypes, surveyProject } from "./survey.ts";
import { createIssues, linkIssue, updateIssue } from "./write.ts";

interface Parts {
  readonly outbound: Outbound;
  readonly clock: Clock;
  readonly jiraWritesPerMinute: number;
}

/** For all requests of a call that a user waits for, in milliseconds. */
const CHECK_MS = 60_000;

/** Jira Cloud, by the address of a site or of Atlassian's gateway. */
export function createJira({ outbound, clock, jiraWritesPerMinute }: Parts): Tracker {
  const send = createSend({ outbound, clock }, jiraDialect);
  const sendOpenly = createSend({ outbound, clock }, openDialect);
  const nameOf = (access: Access, call?: Call) => siteName(access, () => tenantInfo(sendOpenly, access, call));
  return {
    target: "jira",
    batch: 50,
    smallBatch: 10,
    createTimeoutSeconds: BULK_TIMEOUT_SECONDS,
    readBatch: 25,
    placesAtCreation: true,
    pace: { writesPerMinute: jiraWritesPerMinute, writesPerHour: jiraWritesPerMinute * 60 },
    compose(task, estimation, { jira }) {
      if (!jira) throw new Error("The project was not surveyed.");
      return composeIssue(task, estimation, jira);
    },
    address: siteUrl,
    async check(access, destination, { writes, layout = null }, call) {
      if (destination)
        return within(clock, CHECK_MS, call, (timed) =>
          surveyProject(send, nameOf, { access, destination, layout }, { writes }, timed),
        );
      return { problems: await tokenProblems(send, access, call), destination: null, former: [], layout: null };
    },
    projects: async (access, words, call) => ({ listed: await listProjects(send, access, words, call), problems: [] }),
    async issueTypes(access, project, call) {
      const reached = { access, destination: { project, issueType: null }, layout: null };
      const types = await within(clock, CHECK_MS, call, (timed) => readIssueTypes(send, reached, timed));
      return types.map(({ id, name, level, isSubtask }) => ({ id, name, level, canBeTop: !isSubtask && level >= 0 }));
    },
    problemOf: (fault) => problemOf(fault, problems),
    // Labels are created with the first issue that has them.
    survey: async (_, { estimation }) => ({ ids: { label: labelOf(estimation) }, missing: [] }),
    async make() {
      throw new Error("Jira needs nothing to be made before issues.");
    },
    create: (reached, items, prepared, call) => createIssues(send, reached, items, prepared, call),
    update: (reached, ref, fields, _, call) => updateIssue(send, reached, ref, fields, call),
    link: (reached, ref, parents, call) => linkIssue(send, reached, ref, parents, call),
    close: (reached, ref, why, call) => closeIssue(send, reached, ref, why, call),
    find: (reached, wanted, call) => within(clock, READ_MS, call, (timed) => findIssues(send, reached, wanted, timed)),
    read: (reached, refs, options, call) =>
      within(clock, READ_MS, call, (timed) => readIssues(send, reached, refs, options, timed)),
  };
}

/** Returns projects in which the token's user may create issues, by words in their key or name. */
async function listProjects(send: Send, access: Access, words: string, call?: Call): Promise<readonly ListedProject[]> {
  const query = {
    ...{ maxResults: limits.trackerProjectsListed, orderBy: "name", action: "create" },
    ...(words.trim() === "" ? {} : { query: words.trim() }),
  };
  const response = await send(access, { method: "GET", path: "/project/search", query }, call);
  if (response.status !== 200) throw new TrackerFault({ kind: "refused", reason: response.message });
  if (!Array.isArray(fieldOf(response.json, "values")))
    throw new TrackerFault({ kind: "unknown", reason: "unreadable_answer" });
  const projects = listIn(response.json, "values").flatMap((json) => {
    const [key, name] = [textIn(json, "key") ?? "", textIn(json, "name")];
    return KEY.test(key) ? [{ key, name: oneLine(name ?? key, NAME_LENGTH) }] : [];
  });
  return projects.slice(0, limits.trackerProjectsListed);
}
