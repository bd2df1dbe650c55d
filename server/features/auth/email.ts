import { domainToASCII } from "node:url";
import { Value } from "typebox/value";
import { limits } from "../../../contract/limits.ts";
import { Email } from "../../../contract/shapes.ts";
import { failWith } from "../../http/failure.ts";

/** Characters that are not seen: controls, blanks, and whatever Unicode says may be left out when text is shown. */
const INVISIBLE = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u;
/** Read as the end of a host, or decoded, by the parser that `domainToASCII` is. */
const URL_DELIMITERS = /[/?#%\\@:]/;
/** Labels of 1 to 63 characters, the last of which is no number: that would be the address of a machine. */
const DOMAIN = /^(?:[^.]{1,63}\.)*(?!\d+$)[^.]{1,63}$/;

const asciiLowerCase = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/**
 * The form in which e-mail addresses are stored and compared: trimmed, the letters A to Z in lower case, the domain as the
 * name system knows it (IDNA, Unicode Technical Standard 46). Two mailboxes never have the same form: beyond A to Z nothing
 * is taken for the same. Null for what no account can have: text that is no address, with invisible characters, or in
 * another form than normalization form C, such as the Kelvin sign for a K.
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

/** The address in a body's field `email`, in the form in which it is compared. Refuses (400) what no account can have. */
export function readEmail(text: string): string {
  const message = "must be an e-mail address without invisible characters, in Unicode normalization form C";
  return (
    normalizeEmail(text) ??
    failWith([{ path: "/email", in: "body", code: "wrong_format", message, expected: "an e-mail address" }])
  );
}

/** The part before the `@`, as it was written, in at most `maxLength` code points. */
export const localPartOf = (email: string, maxLength: number): string =>
  [...(email.trim().split("@", 1)[0] ?? "")].slice(0, maxLength).join("");
