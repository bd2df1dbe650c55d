import { readFileSync } from "node:fs";
import { limits } from "../../../contract/limits.ts";
import { failWith } from "../../http/failure.ts";
import { normalizePassword } from "../../platform/passwords.ts";

/** The facts about a user that others could guess the password from. */
export interface About {
  readonly email: string;
  readonly name: string;
}

/** Words shown on the sign-in page, which everybody thinks of. */
const SERVICE_NAMES = ["estimation", "estimations", "estimation service", "estimation-service", "estimationservice"];

let read: ReadonlySet<string> | undefined;

/**
 * The most common passwords, which attackers try first, in the form in which they are compared; read when first needed.
 */
export function commonPasswords(): ReadonlySet<string> {
  if (read === undefined) {
    const file = readFileSync(new URL("./common-passwords.txt", import.meta.url), "utf8");
    // After the comment about their source.
    read = new Set(
      file
        .slice(file.indexOf("\n\n") + 2)
        .trimEnd()
        .split("\n"),
    );
  }
  return read;
}

const compared = (text: string): string => normalizePassword(text).toLowerCase();

/**
 * Refuses (400) a new password that is too short once composed, one of the most common, or nothing but its account's
 * address or name. Case makes no difference. There are no rules about which characters it contains, and existing
 * passwords are not checked. `path` is its place in the body.
 */
export function refuseWeakPassword(password: string, path: string, about?: About): void {
  const normal = normalizePassword(password);
  if ([...normal].length < limits.passwordLengthMin) {
    const message = `must have at least ${limits.passwordLengthMin} characters once they are composed`;
    failWith([{ path, in: "body", code: "too_short", message, expected: limits.passwordLengthMin }]);
  }
  const form = normal.toLowerCase();
  if (commonPasswords().has(form)) {
    const message = "is one of the most common passwords, which are tried first; choose another";
    failWith([{ path, in: "body", code: "common_password", message }]);
  }
  const words = about ? [about.email, about.email.split("@", 1)[0] ?? "", about.name] : [];
  if ([...words, ...SERVICE_NAMES].some((word) => compared(word.trim()) === form)) {
    const message = "is easily guessed: it is the account's or the service's name; choose another";
    failWith([{ path, in: "body", code: "guessable_password", message }]);
  }
}
