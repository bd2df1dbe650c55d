/** Headings of the reference, by the part of the path that decides; the first that fits. */
const GROUPS: readonly (readonly [RegExp, string])[] = [
  [/^\/api\/estimations\/:id\/tree/, "Decision trees"],
  [/^\/api\/estimations\/:id\/tasks/, "Tasks"],
  [/^\/api\/auth/, "Accounts and sessions"],
  [/^\/api\/api-keys/, "API keys"],
];

/** Under which heading of the reference an endpoint stands. */
export function groupOf(path: string): string {
  const known = GROUPS.find(([pattern]) => pattern.test(path));
  return known ? known[1] : sentence(path.split("/")[2] ?? "");
}

/** An endpoint's id as words: `createApiKey` is "Create API key". */
export const wordsOf = (id: string): string =>
  sentence(id.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`))
    .replace(/\bapi\b/, "API")
    .replace(/\bgoogle sign in\b/, "Google sign-in");

const sentence = (text: string): string => (text.charAt(0).toUpperCase() + text.slice(1)).replaceAll("-", " ");

export const escapeHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/** Text of the contract as HTML: what stands between backticks is code. */
export const prose = (text: string): string => escapeHtml(text).replace(/`([^`]+)`/g, "<code>$1</code>");
