/** Most characters of a message that is quoted. */
const MESSAGE_LENGTH = 500;
/** Most characters of a name: of a type, a field, a project. */
export const NAME_LENGTH = 100;

/** Returns an untrusted text on one line and cut, without characters that the database does not accept. */
export const oneLine = (text: string, most = MESSAGE_LENGTH): string =>
  text
    // The rest is not needed; the margin allows for white space that is collapsed.
    .slice(0, 10 * most)
    .replace(/[\s\p{Cc}]+/gu, " ")
    .slice(0, most)
    // Last, because the cut may have halved a character.
    .toWellFormed();

/**
 * Returns what a tracker says in quotation marks, on one line and cut; empty: it says nothing. Its own marks become others, so
 * that `withoutSaid` finds where it ends.
 */
export function said(text: string): string {
  const words = oneLine(text).replace(/[“”]/g, '"').trim();
  return words === "" ? "" : `“${words}”`;
}

/** Returns a text for people to whom a tracker does not speak: without what it says. */
export const withoutSaid = (text: string): string =>
  text.replace(/“[^”]*”/g, "[what the tracker says is shown to whoever started the export]");

/** Returns names in one text: the first ones, and how many more there are. */
export function listed(names: readonly string[], most = 20): string {
  const shown = names.slice(0, most).join(", ");
  return names.length > most ? `${shown} and ${names.length - most} more` : shown;
}
