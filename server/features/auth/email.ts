import { domainToASCII } from "node:url";
import { Value } from "typebox/value";
import { limits } from "../../../contract/limits.ts";
import { Email } from "../../../contract/shapes.ts";
import { failWith } from "../../http/failure.ts";

/** Invisible characters: controls, blanks, and those that Unicode allows to be left out of displayed text. */
const INVISIBLE = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u;
/** Characters that the parser behind `domainToASCII` reads as the end of a host, or decodes. */
const URL_DELIMITERS = /[/?#%\\@:]/;
/** Labels of 1 to 63 characters; the last is not a number, because that would be an IP address. */
const DOMAIN = /^(?:[^.]{1,63}\.)*(?!\d+$)[^.]{1,63}$/;

const asciiLowerCase = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/**
 * Returns the form in which e-mail addresses are stored and compared: trimmed, the letters A to Z in lower case, the
 * domain as DNS uses it (IDNA, Unicode Technical Standard 46). Two different mailboxes never have the same form: no
 * characters other than A to Z are treated as equal. Returns null for what no account can have: text that is not an
 * address, text with invisible characters, or text not in normalization form C, such as with the Kelvin sign for a K.
 */
export function normalizeEmail(text: string): string | null {
  const typed = text.trim();
  if (!Value.Check(Email, typed) || INVISIBLE.test(typed)) return null;
  const at = typed.lastIndexOf("@");
  const [local, domain] = [typed.slice(0, at), asciiDomain(typed.slice(at + 1))];
  if (domain === null || local !== local.normalize("NFC")) return null;
  const email = `${asciiLowerCase(local)}@${domain}`;
  return [...email].length <= limits.emailLength ? email : null;
}

function asciiDomain(domain: string): string | null {
  if (URL_DELIMITERS.test(domain)) return null;
  const ascii = /[^\0-\x7f]/.test(domain) ? domainToASCII(domain) : asciiLowerCase(domain);
  return DOMAIN.test(ascii) ? ascii : null;
}

/**
 * Returns the address in a body's field `email`, in normalized form. Refuses (400) an address that no account can have.
 */
export function readEmail(text: string): string {
  const message = "must be an e-mail address without invisible characters, in Unicode normalization form C";
  return (
    normalizeEmail(text) ??
    failWith([{ path: "/email", in: "body", code: "wrong_format", message, expected: "an e-mail address" }])
  );
}

/** Returns the part before the `@`, unchanged, cut to `maxLength` code points. */
export const localPartOf = (email: string, maxLength: number): string =>
  [...(email.trim().split("@", 1)[0] ?? "")].slice(0, maxLength).join("");
