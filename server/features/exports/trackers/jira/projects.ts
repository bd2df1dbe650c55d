import { limits } from "../../../../../contract/limits.ts";
import { NAME_LENGTH, oneLine } from "../../../../../domain/exports/words.ts";
import type { ListedProject } from "../checked.ts";
import { fieldOf, listIn, textIn } from "../json.ts";
import type { Access, Call } from "../reach.ts";
import type { Send } from "../requests.ts";
import { TrackerFault } from "../tracker-fault.ts";
import { KEY } from "./project.ts";

/** Returns projects in which the token's user may create issues, by words in their key or name. */
export async function listProjects(
  send: Send,
  access: Access,
  words: string,
  call?: Call,
): Promise<readonly ListedProject[]> {
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
