import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { generatedPage, table } from "../markdown.ts";
import { howMet, notApplicable, notMet } from "./requirements.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Matches the title of a group of tests, and any title that ends with numbers of requirements. */
const TITLES = /\bdescribe\(\s*"(?<group>(?:[^"\\]|\\.)+)"|"(?<title>(?:[^"\\\n]|\\.)+) \((?<numbers>V\d[\d., V]*)\)"/g;

/** Returns the titles of the tests that carry the number of a requirement, by that number. */
function testsOfRequirements(): Map<string, string[]> {
  const titles = new Map<string, string[]>();
  for (const file of globSync(["{tests,server}/**/*.test.ts", "tests/surface/loops/*.ts"], { cwd: root }).sort()) {
    let group = "";
    for (const { groups = {} } of readFileSync(`${root}/${file}`, "utf8").matchAll(TITLES)) {
      if (groups.group !== undefined) group = `${groups.group}: `;
      for (const number of groups.numbers?.split(", ") ?? [])
        titles.set(number, [...(titles.get(number) ?? []), `${group}${plain(groups.title ?? "", file)}`]);
    }
  }
  return titles;
}

/** A title without placeholders: those of loops stand for endpoints, the others for one value of several. */
const plain = (title: string, file: string): string =>
  title.replaceAll('\\"', '"').replace(/%[sij]/g, file.includes("/loops/") ? "each endpoint" : "…");

const byNumber = (a: string, b: string): number => a.localeCompare(b, "en", { numeric: true });

/** Returns the page about OWASP ASVS. Throws where a test has a number that is not explained, or the other way round. */
export function asvsPage(): string {
  const titles = testsOfRequirements();
  const numbers = [...new Set([...titles.keys(), ...Object.keys(howMet)])].sort(byNumber);
  const halves = numbers.filter((number) => !titles.has(number) || howMet[number] === undefined);
  if (halves.length > 0) throw new Error(`With a test or an explanation, but not both: ${halves.join(", ")}`);
  return generatedPage(
    "Requirements of OWASP ASVS",
    "the titles of tests and `scripts/asvs/requirements.ts`",
    "The requirements of the OWASP Application Security Verification Standard 5.0.0 that a service like this one has to meet: V6 (authentication), V7 (sessions), V8 (authorization), V9 (self-contained tokens), V10 (OAuth and OpenID Connect), and those of other chapters that touch credentials. The tests run against the running service, on PostgreSQL, over HTTP, with a real OpenID provider, one that forges tokens, and a mail server; a request that is refused and has written anything fails its test.",
    "## Met",
    "Where a requirement is met only in part, the last column says so.",
    table(
      ["Requirement", "Tests", "How it is met"],
      numbers.map((number) => [number, titles.get(number)?.join("<br>") ?? "", howMet[number] ?? ""]),
    ),
    "## Not met, or not by everything",
    table(["Requirement", "What is missing, and why"], Object.entries(notMet)),
    "## Not applicable",
    table(["Requirement", "Why"], Object.entries(notApplicable)),
  );
}
