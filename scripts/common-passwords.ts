/**
 * Makes the list of passwords that nobody may set: the 10,000 most common ones with the minimum length. Shorter ones are
 * refused for their length, so the 10,000 most common of any length are refused as well.
 */
import { readFileSync } from "node:fs";
import { limits } from "../contract/limits.ts";

export const COMMON_PASSWORDS_FILE = "server/features/auth/common-passwords.txt";

const ENTRIES = 10_000;
const PACKAGE = "node_modules/@zxcvbn-ts/language-common";

/** Returns the file's text: comment lines, an empty line, then one password per line, the most common first, in the form in which they are compared. */
export function commonPasswordsFile(): string {
  const { version } = JSON.parse(readFileSync(`${PACKAGE}/package.json`, "utf8")) as { version: string };
  const ranked = JSON.parse(readFileSync(`${PACKAGE}/src/passwords.json`, "utf8")) as string[];
  const fitting = ranked
    .map((password) => password.normalize("NFC").toLowerCase())
    .filter((password) => [...password].length >= limits.passwordLengthMin && !/[\r\n]/.test(password));
  const list = [...new Set(fitting)].slice(0, ENTRIES);
  if (list.length < ENTRIES) throw new Error(`${PACKAGE} has only ${list.length} passwords that are long enough`);
  const licence = readFileSync(`${PACKAGE}/LICENSE.txt`, "utf8").trim().split("\n");
  const head = [
    `The ${ENTRIES} most common passwords of ${limits.passwordLengthMin} characters and more, the most common first. Generated: npm run generate`,
    `Source: @zxcvbn-ts/language-common ${version} (https://github.com/zxcvbn-ts/zxcvbn), src/passwords.json, under this licence:`,
    "",
    ...licence,
  ].map((line) => `# ${line}`.trimEnd());
  return `${[...head, "", ...list].join("\n")}\n`;
}
