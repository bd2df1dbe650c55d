import { limits } from "../../../../../contract/limits.ts";
import type { ListedProject } from "../checked.ts";
import { textIn } from "../json.ts";
import type { Access, Call } from "../reach.ts";
import type { Send } from "../requests.ts";
import { TrackerFault } from "../tracker-fault.ts";

const PAGE = 100;
/** For users with more repositories, those with the most recent pushes are searched. */
const PAGES_MAX = 3;

/** Returns repositories that the token reaches and whose name has these words; those that were pushed to last come first. */
export async function listRepositories(
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
