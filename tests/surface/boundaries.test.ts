import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const isTest = (file: string) => /\.test\.ts$|\/(fixtures|testing)\//.test(file);

interface Import {
  readonly from: string;
  /** Path below the root, or the name of a package. */
  readonly to: string;
  readonly typeOnly: boolean;
}

const files = ["contract", "domain", "server"]
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((file) => join(folder, file)),
  )
  .filter((file) => file.endsWith(".ts"));

const importsOf = (file: string): Import[] => {
  const source = readFileSync(join(root, file), "utf8");
  const statements = source.matchAll(/^(?:import|export)\s(type\s)?(?:[^"';]*?\sfrom\s)?"([^"]+)";/gms);
  return [...statements].map(([, type, target = ""]) => ({
    from: file,
    to: target.startsWith(".") ? relative(root, join(root, dirname(file), target)) : target,
    typeOnly: type !== undefined,
  }));
};

const imports = files.filter((file) => !isTest(file)).flatMap(importsOf);

/** The part of the house that a file or a package belongs to. */
function partOf(path: string): string {
  const [top, second, third] = path.split("/");
  if (top === "contract" || top === "domain") return top;
  if (top !== "server") return path.startsWith("node:") ? "node" : "package";
  if (second === "features") return `feature ${third}`;
  return second?.endsWith(".ts") ? "root" : (second ?? "");
}

/** Who may import whom, beside itself. `settings` are the files of the server's root that everyone may read. */
const MAY: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  domain: ["contract"],
  platform: ["contract", "package", "node"],
  db: ["contract", "platform", "package", "node"],
  jobs: ["contract", "platform", "db", "package", "node"],
  http: ["contract", "domain", "platform", "db", "package", "node"],
  feature: ["contract", "domain", "platform", "db", "jobs", "http", "package", "node"],
  commands: ["contract", "platform", "db", "package", "node"],
};

/** One feature uses another only along these arrows, and only through its `index.ts`. */
const ARROWS = [
  "api-keys → audit-log",
  "api-keys → auth",
  "auth → audit-log",
  "estimations → auth",
  "google-sign-in → auth",
  "google-sign-in → audit-log",
  "decision-trees → estimations",
  "tasks → estimations",
  "tasks → webhooks",
  "webhooks → auth",
];

const SHARED = ["server/services.ts", "server/config.ts"];

test("imports go one way", () => {
  const breaches = imports.filter(({ from, to, typeOnly }) => {
    const [source, target] = [partOf(from), partOf(to)];
    if (source === target || source === "root") return false;
    if (SHARED.includes(to)) return source === "contract" || source === "domain";
    if (source === "contract") return to !== "typebox";
    if (source === "commands" && to === "server/app.ts") return false;
    const kind = source.startsWith("feature ") ? "feature" : source;
    if (target.startsWith("feature ")) {
      const arrow = `${source.slice("feature ".length)} → ${target.slice("feature ".length)}`;
      return kind !== "feature" || !to.endsWith("/index.ts") || !ARROWS.includes(arrow);
    }
    // The names of a library's types bind nothing at run time.
    if (target === "package" && typeOnly) return false;
    return !MAY[kind]?.includes(target);
  });
  expect(breaches.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
});

test("every arrow between features is one that is used", () => {
  const used = new Set(
    imports
      .filter(
        ({ from, to }) =>
          partOf(from).startsWith("feature ") && partOf(to).startsWith("feature ") && partOf(from) !== partOf(to),
      )
      .map(({ from, to }) => `${partOf(from).slice(8)} → ${partOf(to).slice(8)}`),
  );
  expect(ARROWS.filter((arrow) => !used.has(arrow))).toEqual([]);
});

test("no imports go in a circle", () => {
  const edges = new Map<string, string[]>();
  for (const { from, to, typeOnly } of imports)
    if (!typeOnly && to.endsWith(".ts")) edges.set(from, [...(edges.get(from) ?? []), to]);
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (file: string, path: readonly string[]) => {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(" → "));
    if (path.includes(file) || done.has(file)) return;
    for (const next of edges.get(file) ?? []) visit(next, [...path, file]);
    done.add(file);
  };
  for (const file of edges.keys()) visit(file, []);
  expect(circles).toEqual([]);
});

test("only config.ts reads the environment, only clock.ts the time", () => {
  const reading = (pattern: RegExp, allowed: RegExp) =>
    files.filter(
      (file) => !isTest(file) && !allowed.test(file) && pattern.test(readFileSync(join(root, file), "utf8")),
    );
  expect(reading(/process\.env/, /^server\/config\.ts$/)).toEqual([]);
  expect(reading(/Date\.now\(|new Date\(\)|\bset(Timeout|Interval)\(/, /^server\/platform\/clock\.ts$/)).toEqual([]);
});
