/** Returns an endpoint's id as words: `createApiKey` is "Create API key". */
export const wordsOf = (id: string): string =>
  sentence(id.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`))
    .replace(/\bapi\b/, "API")
    .replace(/\bgoogle sign in\b/, "Google sign-in");

const sentence = (text: string): string => (text.charAt(0).toUpperCase() + text.slice(1)).replaceAll("-", " ");

export const escapeHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/** Converts text of the contract to HTML: text between backticks becomes code. */
export const prose = (text: string): string => escapeHtml(text).replace(/`([^`]+)`/g, "<code>$1</code>");
