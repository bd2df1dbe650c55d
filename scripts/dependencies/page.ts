import { readFileSync } from "node:fs";
import { generatedPage, table } from "../markdown.ts";
import { purposes } from "./purposes.ts";

export const MEASURED_FILE = "scripts/dependencies/measured.gen.json";

/** What `npm run measure:dependencies` reads of a package. */
export interface Measured {
  /** Of the installed package, without what it depends on. */
  readonly kilobytes: number;
  /** The day of its newest release, as YYYY-MM-DD. */
  readonly lastRelease: string;
}

/** What the lock file says of an installed package. */
interface Locked {
  readonly version: string;
  readonly license?: string;
  /** Only for development: it is not installed by `npm ci --omit=dev`. */
  readonly dev?: boolean;
}

/** Licences that let anyone use, change and pass on, at most with the licence's text and the authors' names. */
const PERMISSIVE = [
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "CC-BY-3.0",
  "CC0-1.0",
  "ISC",
  "MIT",
  "MIT-0",
  "OFL-1.1",
  "PSF-2.0",
  "Python-2.0",
  "Unlicense",
  "Zlib",
];

/** Packages with another licence, for development only, with what makes them harmless. */
const TOOLS: Readonly<Record<string, string>> = {
  "axe-core": "MPL-2.0: changes of its own files would have to be published; it is used as it is, in tests",
  lightningcss: "MPL-2.0, the same; it is a part of Vite",
};

const readJson = <T>(file: string): T => JSON.parse(readFileSync(file, "utf8")) as T;

/** Returns every package that is installed, by its folder. */
export function installed(): ReadonlyMap<string, Locked> {
  const { packages } = readJson<{ packages: Record<string, Locked> }>("package-lock.json");
  return new Map(Object.entries(packages).filter(([folder]) => folder !== ""));
}

/** Returns whether the licence `text`, an SPDX expression without nesting, is permissive. */
export function isPermissive(text: string | undefined): boolean {
  const [parts, how] = text?.includes(" OR ")
    ? [text.split(" OR "), "some" as const]
    : [text?.split(" AND "), "every" as const];
  return parts?.[how]((part) => PERMISSIVE.includes(part.replace(/[()]/g, ""))) ?? false;
}

/** Returns what is wrong with the licences of `packages`, a line each. */
export function licenceFaults(packages: ReadonlyMap<string, Locked>): string[] {
  return [...packages].flatMap(([folder, { license, dev }]) => {
    const name = folder.replace(/.*node_modules\//, "");
    const isTool = dev === true && Object.keys(TOOLS).some((tool) => name === tool || name.startsWith(`${tool}-`));
    return isPermissive(license) || isTool ? [] : [`${name}: ${license ?? "no licence"}`];
  });
}

/** The page of the packages that the service is made of. */
export function dependenciesPage(): string {
  const measured = readJson<Record<string, Measured>>(MEASURED_FILE);
  const all = installed();
  const rows = (isDev: boolean) =>
    Object.entries(purposes)
      .filter(([name]) => (all.get(`node_modules/${name}`)?.dev ?? false) === isDev)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, purpose]) => {
        const { version = "", license = "" } = all.get(`node_modules/${name}`) ?? {};
        const { kilobytes = 0, lastRelease = "" } = measured[name] ?? {};
        return [`\`${name}\``, purpose, version, license, kilobytes, lastRelease];
      });
  const head = ["Package", "Purpose", "Version", "Licence", "kB", "Last release"];
  const counted = (isDev: boolean) => [...all.values()].filter(({ dev }) => (dev ?? false) === isDev).length;
  return generatedPage(
    "Dependencies",
    "the lock file and `scripts/dependencies`",
    "Sizes are those of the installed package without what it depends on; sizes and days of releases are read by `npm run measure:dependencies`. `npm run sbom` prints everything that a server has, in CycloneDX. A test fails for a package without a purpose, and for a licence that is not permissive.",
    "## On a server",
    `${counted(false)} packages in all, those below them included.`,
    table(head, rows(false)),
    "The holidays in `date-holidays` follow Wikipedia's articles; its `LICENSE` names them, and puts the data under [CC BY-SA 3.0](https://creativecommons.org/licenses/by-sa/3.0/): who changes these data has to pass them on under the same licence. They are distributed as they are, in the package with that file.",
    "## For development and the build",
    `${counted(true)} packages in all. What the pages need of them is built into the files that the service serves.`,
    table(head, rows(true)),
    "Two licences are not permissive, of tools that are not distributed:",
    table(
      ["Package", "Licence"],
      Object.entries(TOOLS).map(([name, why]) => [`\`${name}\``, why]),
    ),
  );
}
