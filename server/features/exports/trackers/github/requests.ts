import { said } from "../../../../../domain/exports/words.ts";
import { fieldOf, listIn, textIn } from "../json.ts";
import type { Dialect } from "../requests.ts";
import { apiUrl } from "./address.ts";
import { limitOf, pauseOf } from "./rate-limits.ts";
import { organizationFault } from "./refusals.ts";

/** Self-hosted installations support no later version. */
const API_VERSION = "2022-11-28";

/** How GitHub is asked, and what only its responses mean. `publicUrl`: the address where a connection has none. */
export const githubDialect = (publicUrl: string): Dialect => ({
  address: (access) => apiUrl(access, publicUrl),
  headers: ({ token }) => ({
    Accept: "application/vnd.github+json",
    Authorization: `Bearer ${token}`,
    "X-GitHub-Api-Version": API_VERSION,
  }),
  words: messageIn,
  faultOf: organizationFault,
  limitOf: (response, { message, now }) => limitOf(response, message, now),
  pauseOf,
});

/** Returns GitHub's words for a refusal: its message, then what it says of each field. */
function messageIn(json: unknown): string {
  const details = listIn(json, "errors").map((error) =>
    typeof error === "string"
      ? error
      : (textIn(error, "message") ?? [fieldOf(error, "field"), fieldOf(error, "code")].filter(Boolean).join(" ")),
  );
  return said([textIn(json, "message") ?? "", ...details].filter((part) => part !== "").join("; "));
}
