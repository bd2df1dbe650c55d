import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { TSchema } from "typebox";
import { describe, expect, test } from "vitest";
import { type Endpoint, paramsOf } from "../../contract/endpoint.ts";
import { contract, endpointRows } from "../../contract/index.ts";
import { components } from "../../contract/shapes.ts";
import type { NodeInput } from "../../contract/tree-input.ts";
import { ESTIMATES_PICTURE_FILE, estimatesPicture } from "../../scripts/estimates-picture.ts";
import { referencePages } from "../../scripts/reference.ts";
import { exampleOf } from "../../server/http/example.ts";
import { createAjv } from "../../server/http/schema-checks.ts";
import { start } from "../harness.ts";

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
  test.each(Object.entries(referencePages()))("%s is what would be generated", (path, text) => {
    expect(read(path)).toBe(text);
  });

  test("has no page that is not generated", () => {
    const there = readdirSync(join(root, "docs/reference")).map((name) => `docs/reference/${name}`);
    expect(there.sort()).toEqual(Object.keys(referencePages()).sort());
  });
});

test("the picture of the estimates' page is what would be drawn", () => {
  expect(read(ESTIMATES_PICTURE_FILE)).toBe(estimatesPicture());
});

test("every decision is listed", () => {
  const listed = read("docs/README.md");
  for (const name of readdirSync(join(root, "docs/decisions"))) expect(listed).toContain(`(decisions/${name})`);
});

describe("examples of the docs page", () => {
  const ajv = createAjv();
  const withBody = endpointRows.flatMap(([id, { body }]) => (body ? [[id, body] as const] : []));

  const faultsOf = (body: TSchema, example: unknown) => {
    const check = ajv.compile(body);
    check(example);
    return check.errors ?? [];
  };

  test.each(withBody)("the request of %s is one that it takes", (_, body: TSchema) => {
    expect(faultsOf(body, exampleOf(body, components))).toEqual([]);
    expect(faultsOf(body, { surprise: 1 })).not.toEqual([]);
  });

  const withData = endpointRows.flatMap(([id, { reply }]) => ("data" in reply ? [[id, reply.data] as const] : []));

  const missingFrom = (data: TSchema, example: unknown) => {
    const given = JSON.stringify(example);
    return requiredOf(data).filter((name) => !given.includes(`"${name}":`));
  };

  test.each(withData)("the answer of %s has every field", (_, data: TSchema) => {
    expect(missingFrom(data, exampleOf(data, components))).toEqual([]);
    expect(missingFrom(data, {})).toEqual(requiredOf(data));
  });

  test("the tree can be imported as it is shown", async () => {
    const app = await start();
    const { token } = await app.signUp();
    const { data } = await app.request("POST", "/api/estimations", { token, body: { title: "Shop" } });
    const body = exampleOf(contract.replaceTree.body, components) as { nodes: NodeInput[] };
    expect(body.nodes).toHaveLength(1);
    const path = `/api/estimations/${data.estimation?.id}/tree`;
    expect((await app.request("PUT", path, { token, body })).status).toBe(200);
  });
});

describe.each(pages)("%s", (page) => {
  const text = read(page);
  const prose = text.replace(/^```[\s\S]*?^```/gm, "");

  test("links to what is there", () => {
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

  test("names files and scripts that there are", () => {
    const { scripts } = JSON.parse(read("package.json"));
    for (const [, script = ""] of text.matchAll(/npm run ([a-z:]+)/g)) expect(scripts).toHaveProperty([script]);
    const files = [
      ...prose.matchAll(/`((?:contract|domain|server|tests|scripts|docs|tour|bench|examples)\/[^`\s]*)`/g),
    ];
    expect(files.map(([, path = ""]) => path).filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  test("names endpoints that there are", () => {
    const said = [...text.matchAll(/\b(GET|POST|PUT|PATCH|DELETE) `?(\/api\/[\w:/-]+)/g)];
    const known = endpointRows.map(([, endpoint]) => formOf(endpoint));
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

/** Names of the fields that an answer must have, on its first two levels. */
function requiredOf(schema: TSchema): string[] {
  const { required = [], properties = {} } = schema as { required?: string[]; properties?: Record<string, TSchema> };
  return [
    ...required,
    ...Object.values(properties).flatMap((field) => {
      const name = (field as { $ref?: string }).$ref?.slice(0, -1);
      const target = components.find((component) => (component as { $id?: string }).$id === name);
      return name && target ? ((target as { required?: string[] }).required ?? []) : [];
    }),
  ];
}
