import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { type Endpoint, paramsOf } from "../../contract/endpoint.ts";
import { versionCauses } from "../../contract/endpoints/versions.ts";
import { endpointEntries } from "../../contract/index.ts";
import { ESTIMATES_PICTURE_FILE, estimatesPicture } from "../../scripts/estimates-picture.ts";
import { referencePages } from "../../scripts/reference.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (path: string) => readFileSync(join(root, path), "utf8");

const pages = [
  "README.md",
  "ARCHITECTURE.md",
  "CONTRIBUTING.md",
  "examples/README.md",
  ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => join("docs", name)),
];

describe("the reference", () => {
  test.each(Object.entries(referencePages()))("%s is up to date", (path, text) => {
    expect(read(path)).toBe(text);
  });

  test("has only generated pages", () => {
    const there = readdirSync(join(root, "docs/reference")).map((name) => `docs/reference/${name}`);
    const made = Object.keys(referencePages()).filter((path) => path.startsWith("docs/reference/"));
    expect(there.sort()).toEqual(made.sort());
  });
});

test("the picture in docs/estimates.md is up to date", () => {
  expect(read(ESTIMATES_PICTURE_FILE)).toBe(estimatesPicture());
});

test("every decision is listed by its title, and fits on one screen; there are at most 25", () => {
  const listed = read("docs/README.md");
  const names = readdirSync(join(root, "docs/decisions"));
  expect(names.length).toBeLessThanOrEqual(25);
  for (const name of names) {
    const lines = read(`docs/decisions/${name}`).trimEnd().split("\n");
    expect(listed).toContain(`[${lines[0]?.slice(2)}](decisions/${name})`);
    expect(lines.length, name).toBeLessThanOrEqual(60);
  }
});

test("the page for operators can be read in a few minutes", () => {
  expect(read("docs/security.md").trimEnd().split("\n").length).toBeLessThanOrEqual(150);
});

test("every cause of a version is explained", () => {
  const page = read("docs/states-and-versions.md");
  for (const cause of versionCauses) expect(page).toContain(`| \`${cause}\` |`);
});

describe.each(pages)("%s", (page) => {
  const text = read(page);
  const prose = text.replace(/^```[\s\S]*?^```/gm, "");

  test("has no broken links", () => {
    const links = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target);
    const broken = links.filter((target) => {
      if (/^https:/.test(target)) return false;
      const [path = "", anchor] = target.split("#");
      const file = path === "" ? page : relative(root, join(root, dirname(page), path));
      if (!existsSync(join(root, file))) return true;
      return anchor !== undefined && !headingsOf(read(file)).includes(anchor);
    });
    expect(broken).toEqual([]);
  });

  test("names only files and scripts that exist", () => {
    const { scripts } = JSON.parse(read("package.json"));
    for (const [, script = ""] of text.matchAll(/npm run ([a-z:]+)/g)) expect(scripts).toHaveProperty([script]);
    const files = [
      ...prose.matchAll(/`((?:contract|domain|server|tests|scripts|docs|tour|bench|examples)\/[^`\s]*)`/g),
    ];
    expect(files.map(([, path = ""]) => path).filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  test("names only endpoints that exist", () => {
    const said = [...text.matchAll(/\b(GET|POST|PUT|PATCH|DELETE) `?(\/api\/[\w:/-]+)/g)];
    const known = endpointEntries.map(([, endpoint]) => formOf(endpoint));
    const planned = page === "CONTRIBUTING.md" ? ["GET /api/estimations/:/tasks/:"] : [];
    const forms = said.map(([, method, path = ""]) => `${method} ${path.replace(/:[A-Za-z]+/g, ":")}`);
    expect(forms.filter((form) => ![...known, ...planned].includes(form))).toEqual([]);
  });
});

const formOf = ({ method, path }: Endpoint) =>
  `${method} ${paramsOf(path).reduce((form, name) => form.replace(`:${name}`, ":"), path)}`;

const headingsOf = (text: string) =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\w\s-]/g, "")
      .replaceAll(" ", "-"),
  );
