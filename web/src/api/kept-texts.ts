/**
 * What is kept in the browser until its user signs out: texts that were typed and not sent yet, in this tab, and what was chosen
 * last in the palette, in all tabs.
 */

const PREFIX = "kept ";
const ofUser = (userId: string): string => `${PREFIX}${userId} `;

/** The name under which something of a user is kept. */
export const keptName = (userId: string, name: string): string => ofUser(userId) + name;

/** The text of this name that the user typed before; empty without one, and where storage is forbidden. */
export function keptText(userId: string, name: string): string {
  try {
    return sessionStorage.getItem(keptName(userId, name)) ?? "";
  } catch {
    return "";
  }
}

/** Keeps a text of the user; an empty one removes it. */
export function keepText(userId: string, name: string, text: string): void {
  try {
    if (text === "") sessionStorage.removeItem(keptName(userId, name));
    else sessionStorage.setItem(keptName(userId, name), text);
  } catch {
    // It is kept until the page is left.
  }
}

/** Removes what is kept of everybody but this user; undefined: of everybody. */
export function dropKept(but: string | undefined): void {
  try {
    for (const storage of [sessionStorage, localStorage])
      for (const key of Object.keys(storage))
        if (key.startsWith(PREFIX) && (but === undefined || !key.startsWith(ofUser(but)))) storage.removeItem(key);
  } catch {
    // Where storage is forbidden, nothing was kept.
  }
}
