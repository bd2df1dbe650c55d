/** The form in which e-mail addresses are stored and compared: trimmed and lowercased. */
export const normalizeEmail = (email: string): string => email.trim().toLowerCase();

/** The part before the `@`, as it was written, in at most `maxLength` code points. */
export const localPartOf = (email: string, maxLength: number): string =>
  [...(email.trim().split("@", 1)[0] ?? "")].slice(0, maxLength).join("");
