/**
 * Cuts what exports use out of GitHub's own description, for the GitHub of the tests: `npm run describe:github`. The package
 * takes 385 MB, so it is fetched for this alone. After a change of the version or the operations, run it again and commit
 * the file.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { GITHUB_PACKAGE, githubOperations } from "./described.ts";

type Json = { readonly [name: string]: unknown };
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}
interface Operation extends Json {
  readonly responses: Readonly<Record<string, unknown>>;
}

/** Keywords that no check uses. */
const UNUSED: ReadonlySet<string> = new Set(["description", "example", "examples", "externalDocs", "summary", "tags"]);

/** Returns a part of the description without these keywords. Properties of the same names stay. */
function lean(value: unknown, areNames = false): unknown {
  if (Array.isArray(value)) return value.map((one) => lean(one));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => areNames || !(UNUSED.has(key) || key.startsWith("x-")))
      .map(([key, inner]) => [key, lean(inner, !areNames && key === "properties")]),
  );
}

function referencesIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === "$ref" && typeof inner === "string" ? [inner] : referencesIn(inner),
  );
}

/** Returns the operations that are named, and everything that they refer to. */
function cut(whole: Document): Document {
  const paths: Record<string, Record<string, Operation>> = {};
  for (const name of githubOperations) {
    const [method = "", path = ""] = name.split(" ");
    const operation = whole.paths[path]?.[method.toLowerCase()];
    if (!operation) throw new Error(`GitHub's description has no ${name}`);
    const { parameters, requestBody, responses } = operation;
    const successes = Object.fromEntries(Object.entries(responses).filter(([status]) => status.startsWith("2")));
    const used = { ...(parameters ? { parameters } : {}), ...(requestBody ? { requestBody } : {}) };
    paths[path] = { ...paths[path], [method.toLowerCase()]: lean({ ...used, responses: successes }) as Operation };
  }
  const components: Record<string, Record<string, unknown>> = {};
  for (let open = referencesIn(paths); open.length > 0; ) {
    const found: unknown[] = [];
    for (const reference of new Set(open)) {
      const [kind = "", name = ""] = reference.split("/").slice(2);
      const known = components[kind] ?? {};
      components[kind] = known;
      if (name in known) continue;
      known[name] = lean(whole.components[kind]?.[name]);
      found.push(known[name]);
    }
    open = referencesIn(found);
  }
  return { paths, components };
}

const folder = mkdtempSync(join(tmpdir(), "github-description-"));
try {
  const { name, version } = GITHUB_PACKAGE;
  const out = execFileSync("npm", ["pack", `${name}@${version}`, "--silent", "--pack-destination", folder]);
  const archive = join(folder, out.toString().trim().split("\n").at(-1) ?? "");
  const read = (path: string) =>
    execFileSync("tar", ["-xzOf", archive, `package/${path}`], { maxBuffer: 64 * 1024 * 1024 }).toString();
  const source = { package: name, version, licence: read("LICENSE").trim() };
  const description = cut(JSON.parse(read("generated/api.github.com.json")) as Document);
  const file = new URL("./description.gen.json", import.meta.url);
  writeFileSync(file, `${JSON.stringify({ source, ...description }, null, 1)}\n`);
  console.log(`${file.pathname}: ${readFileSync(file).length} bytes`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
