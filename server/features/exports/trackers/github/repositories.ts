import { limits } from "../../../../../contract/limits.ts";
import type { ListedProject, ListedProjects, Problem } from "../checked.ts";
import { textIn } from "../json.ts";
import type { Access, Call } from "../reach.ts";
import type { Send } from "../requests.ts";
import { TrackerFault } from "../tracker-fault.ts";
import { repositoryPath } from "./address.ts";
import { problems } from "./problems.ts";
import { hiddenOrganizations, signOnHides } from "./refusals.ts";

const PAGE = 100;
/** For users with more repositories, those with the most recent pushes are searched. */
const PAGES_MAX = 3;
const FULL_NAME = /^\w[\w-]{0,99}\/(?!\.{1,2}$)[\w.-]{1,100}$/;

/**
 * Returns repositories that the token reaches and whose name has these words: one that is named in full, then those that were
 * pushed to last; and why these may not be all.
 */
export async function listRepositories(
  send: Send,
  access: Access,
  words: string,
  call?: Call,
): Promise<ListedProjects> {
  const wanted = words.trim().toLowerCase();
  const found = new Map<string, ListedProject>();
  const note = (json: unknown) => {
    const key = textIn(json, "full_name");
    if (key?.toLowerCase().includes(wanted)) found.set(key.toLowerCase(), { key, name: textIn(json, "name") ?? key });
  };
  if (FULL_NAME.test(wanted)) {
    const named = await send(access, { method: "GET", path: repositoryPath(wanted) }, call);
    if (named.status === 200) note(named.json);
  }
  const reasons: Problem[] = [];
  for (let page = 1; found.size < limits.trackerProjectsListed; page += 1) {
    if (page > PAGES_MAX) {
      if (!found.has(wanted)) reasons.push(problems.list_incomplete(String(PAGE * PAGES_MAX)));
      break;
    }
    const query = { sort: "pushed", direction: "desc", per_page: PAGE, page };
    const { status, message, headers, json } = await send(access, { method: "GET", path: "/user/repos", query }, call);
    if (status === 403 && found.size > 0) {
      reasons.push(problems.list_refused(message));
      break;
    }
    if (status === 403) throw new TrackerFault({ kind: "blocked", problem: problems.list_refused(message) });
    if (status !== 200) throw new TrackerFault({ kind: "refused", reason: message });
    if (!Array.isArray(json)) throw new TrackerFault({ kind: "unknown", reason: "unreadable_answer" });
    json.forEach(note);
    const hidden = page === 1 ? hiddenOrganizations(headers) : 0;
    if (hidden > 0) reasons.push(signOnHides(hidden));
    if (json.length < PAGE) break;
  }
  return { listed: [...found.values()].slice(0, limits.trackerProjectsListed), problems: reasons };
}
