import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { limits } from "../../../contract/limits.ts";
import { exportJson } from "../../../domain/transfer/export-json.ts";
import { contents } from "../../../domain/transfer/testing/contents.ts";
import { writtenRole } from "../../../domain/tree/roles.ts";
import { examples } from "../../../domain/tree/testing/examples.ts";
import { type Json, start, type TestUser } from "../../../tests/harness.ts";
import { LINES } from "./read-file.ts";
import { fileNameFor } from "./routes.ts";

const app = await start();
const user = await app.signUp();

const send = (format: string, content: string, { token } = user, more: object = {}) =>
  app.request("POST", "/api/estimations/import", { token, body: { format, content, ...more } });
const read = (path: string, id: Json | undefined, { token } = user) =>
  app.request("GET", `/api/estimations/${id}${path}`, { token });

/** Imports a file and returns the id of the estimation. */
async function imported(format: string, content: string, by: TestUser = user): Promise<Json> {
  const { status, data, text } = await send(format, content, by);
  if (status !== 201) throw new Error(`the import returned ${status}: ${text}`);
  return data.estimation?.id as Json;
}

const hoursOf = async (id: Json) => {
  const {
    byNode: _,
    uncertainty: __,
    withoutRange: ___,
    ...hours
  } = (await read("/tree/hours", id)).data.hours as Json;
  return hours;
};

describe("an export that is imported again", () => {
  test.each(examples)("gives the same hours to the hundredth in both formats: $file", async ({ tree }) => {
    const { data } = await app.request("POST", "/api/estimations", { token: user.token, body: { title: "Shop" } });
    const path = `/api/estimations/${data.estimation?.id}`;
    await app.request("PUT", `${path}/tree`, { token: user.token, body: { nodes: renamed(tree.nodes) } });
    const hours = await hoursOf(data.estimation?.id as Json);
    expect(hours.expected).toBeGreaterThan(0);
    for (const [format, as] of [
      ["json", "json"],
      ["markdown", "outline"],
    ] as const) {
      const file = await read(`/export?format=${format}`, data.estimation?.id);
      const back = await imported(as, file.text);
      expect(await hoursOf(back)).toEqual(hours);
      expect((await read("", back)).data.estimation?.hours).toEqual(
        (await read("", data.estimation?.id)).data.estimation?.hours,
      );
    }
  });

  test("gives the same file again, except for the spelling of roles, whatever its texts, settings, links and selections are", async () => {
    await fc.assert(
      fc.asyncProperty(contents, async (content) => {
        const { text } = await read("/export", await imported("json", exportJson(content)));
        const spelled = (name: string, value: unknown) =>
          name === "role" ? writtenRole(value as string | null) : value;
        expect(JSON.parse(text)).toEqual(JSON.parse(exportJson(content), spelled));
        const again = await read("/export?format=json", await imported("json", text));
        expect(again.text).toBe(text);
      }),
      { numRuns: 40 },
    );
  });

  test("keeps assumptions in JSON and Markdown; the file of a version that had none is read, that of a newer one refused", async () => {
    const assumptions = "Texts come from you.\n\n- Two rounds of feedback";
    const { data } = await app.request("POST", "/api/estimations", {
      ...{ token: user.token, body: { title: "Shop", assumptions } },
    });
    const file = (await read("/export", data.estimation?.id)).text;
    expect(JSON.parse(file)).toMatchObject({ format: "estimation/2", estimation: { assumptions } });
    const markdown = (await read("/export?format=markdown", data.estimation?.id)).text;
    expect(markdown).toContain("\n## Assumptions\n\n> Texts come from you.\n>\n> - Two rounds of feedback\n");
    for (const [format, content] of [
      ["json", file],
      ["outline", markdown],
    ] as const)
      expect((await read("", await imported(format, content))).data.estimation).toMatchObject({ assumptions });
    const { estimation, ...rest } = JSON.parse(file);
    delete estimation.assumptions;
    const older = JSON.stringify({ ...rest, estimation, format: "estimation/1" });
    expect((await read("", await imported("json", older))).data.estimation).toMatchObject({ assumptions: "" });
    const newer = await send("json", file.replace("estimation/2", "estimation/3"));
    expect([newer.status, newer.body.errors?.[0]]).toMatchObject([400, { code: "not_one_of", line: 2 }]);
  });

  test("leaves out an old rate without a currency, which could not be imported", async () => {
    const id = await imported("outline", "# Old\n\nHourly rate: 80\nCurrency: EUR\n");
    await app.pool.query("update estimations set currency = null where id = $1", [id]);
    for (const [format, as] of [
      ["json", "json"],
      ["markdown", "outline"],
    ] as const) {
      const copy = await imported(as, (await read(`/export?format=${format}`, id)).text);
      expect((await read("", copy)).data.estimation).toMatchObject({ title: "Old", hourlyRate: null, currency: null });
    }
  });

  test("has new ids, even if the file has ids, and keeps what they link", async () => {
    const nodes = [
      {
        id: "nod_x",
        title: "n",
        kind: "multi",
        options: [
          { id: "opt_a", title: "a" },
          { id: "opt_b", title: "b", requires: ["opt_a"] },
        ],
      },
    ];
    const id = await imported("json", JSON.stringify({ estimation: { title: "x" }, tree: { nodes } }));
    const options = (await read("/tree", id)).data.tree?.nodes?.[0]?.options;
    expect(options?.[0]?.id).toMatch(/^opt_[0-9a-z]{26}$/);
    expect(options?.[1]?.requires).toEqual([options?.[0]?.id]);
  });

  test("fits into a request, even with the largest tree", async () => {
    const option = (n: number) => ({ title: `o${n}`, hours: { optimistic: 1, likely: 2, pessimistic: 4 } });
    const node = (n: number) => ({
      title: `n${n}`,
      kind: "group",
      options: Array.from({ length: limits.nodeOptions }, (_, o) => option(o)),
    });
    const nodes = Array.from({ length: limits.treeOptions / limits.nodeOptions }, (_, n) => node(n));
    const id = await imported("json", JSON.stringify({ estimation: { title: "Large" }, tree: { nodes } }));
    for (const [format, as] of [
      ["json", "json"],
      ["markdown", "outline"],
    ] as const) {
      const { text } = await read(`/export?format=${format}`, id);
      expect(await hoursOf(await imported(as, text))).toEqual(await hoursOf(id));
    }
  });
});

/** A tree without ids; links are named by them still. */
function renamed(nodes: readonly object[]): Json {
  return JSON.parse(
    JSON.stringify(nodes, (_, value) => {
      if (typeof value?.id !== "string") return value;
      const { id, ...rest } = value;
      return "options" in rest ? rest : { ...rest, ref: id };
    }),
  );
}

describe("a file", () => {
  test("has a name made of the title, the type and the revision", async () => {
    const id = await imported("outline", "# Größe: Shop / 2\n");
    for (const [format, type, extension] of [
      ["json", "application/json", "json"],
      ["csv", "text/csv", "csv"],
      ["markdown", "text/markdown", "md"],
    ]) {
      const { headers } = await read(`/export?format=${format}`, id);
      expect(headers.get("content-type")).toBe(`${type}; charset=utf-8`);
      expect(headers.get("content-disposition")).toBe(
        `attachment; filename="Gr??e Shop 2.${extension}"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20Shop%202.${extension}`,
      );
      expect(headers.get("etag")).toBe('"1"');
    }
    const refused = await read("/export?format=pdf", id);
    expect([refused.status, refused.body.errors?.[0]?.path]).toEqual([400, "/format"]);
  });

  test("as a workbook is a ZIP archive of its own type, also of a tree that is written in a worker thread", async () => {
    const option = (n: number) => `  - o${n}: 1-2-4\n    > ${"as the client described it ".repeat(20)}\n`;
    const options = Array.from({ length: 190 }, (_, n) => option(n)).join("");
    for (const content of ["# Größe\n", `# Größe\n\n- n\n${options}`]) {
      const id = await imported("outline", content);
      const { status, headers, text } = await read("/export?format=xlsx", id);
      expect([status, text.slice(0, 4)]).toEqual([200, "PK\u0003\u0004"]);
      expect(headers.get("content-type")).toBe("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet");
      expect(headers.get("content-disposition")).toContain("filename*=UTF-8''Gr%C3%B6%C3%9Fe.xlsx");
      expect(headers.get("etag")).toBe('"1"');
    }
  });

  test.each([
    ["../../etc/passwd", "etc passwd.csv"],
    ["a\u202Egpj.exe", "a gpj.exe.csv"],
    ["...", "estimation.csv"],
    ["CON", "estimation CON.csv"],
    ["😀".repeat(100), `${"😀".repeat(60)}.csv`],
    ['a"b\r\nc', "a b c.csv"],
  ])("of %s is called %s", (title, name) => expect(fileNameFor(title, "csv")).toBe(name));

  test("in CSV has no cell that a spreadsheet interprets as a formula", async () => {
    const items = ["=1+1", "+1", "-1", "@x"].map((text) => `  - [x] ${text}\\: 1: 8`);
    const id = await imported("outline", `# x\n\n- n (choose any)\n${items.join("\n")}\n`);
    const { text } = await read("/export?format=csv", id);
    const [, ...rows] = text.trim().split("\r\n");
    expect(rows.map((row) => row.split(",")[2])).toEqual(["'=1+1: 1", "'+1: 1", "'-1: 1", "'@x: 1"]);
  });
});

describe("an import", () => {
  test("returns the new estimation, at its Location, with the hours of its tree", async () => {
    const made = await send("outline", "# Shop\n\nClient: ACME\nTags: web\n\n- Payment\n  - Card: 4-16-34\n");
    const { estimation } = made.data;
    expect(made.headers.get("location")).toBe(`/api/estimations/${estimation?.id}`);
    expect(estimation).toMatchObject({
      title: "Shop",
      clientName: "ACME",
      tags: ["web"],
      access: "owner",
      revision: 1,
    });
    expect((await read("", estimation?.id)).data.estimation).toEqual(estimation);
    expect(estimation?.hours?.expected).toBe((await hoursOf(estimation?.id as Json)).expected);
    const listed = await app.request("GET", "/api/estimations?tag=web", { token: user.token });
    expect(listed.data.estimations).toEqual([estimation]);
  });

  test("says how many lines it took, which it left out, and which should be looked at", async () => {
    const text = "---\nlayout: page\n---\n# Shop\n\n- Payment\n  - Card: 7\n    - Parts\n      - Form: 7\n\n---\n";
    const outline = (await send("outline", text)).data;
    expect([outline.estimation?.title, outline.import]).toEqual([
      "Shop",
      {
        lines: 5,
        skipped: [
          { line: 1, message: "front matter, up to line 3, is left out" },
          { line: 11, message: "a line between parts is left out" },
        ],
        noted: [{ line: 7, message: "7 h again in its parts: keep, or leave them out?" }],
      },
    ]);
    const rows = "No.,Task,Hours\n1,Payment,10\n1.1,Card,4\n1.2,Invoice,6\n,Total,10\n";
    expect((await send("csv", rows)).data.import).toEqual({
      lines: 3,
      skipped: [{ line: 5, message: "is a total, and left out" }],
      noted: [{ line: 2, message: "has the hours of the rows below it: they count there" }],
    });
    expect((await send("json", json([]))).data.import).toMatchObject({ skipped: [], noted: [] });
    const many = await send("outline", `- A\n${"---\n\n".repeat(limits.reportedFaults + 1)}`);
    expect(many.data.import?.skipped).toHaveLength(limits.reportedFaults);
  });

  test("of an outline without a title has that of the request, or none", async () => {
    expect((await send("outline", "- a: 1")).data.estimation?.title).toBe("Untitled");
    expect((await send("outline", "- a: 1", user, { title: "Shop" })).data.estimation?.title).toBe("Shop");
  });

  test("may name the decimal sign of an outline, of which there are two", async () => {
    expect((await send("outline", "# x\n- a: 1.5", user, { decimal: "." })).status).toBe(201);
    const refused = await send("outline", "# x", user, { decimal: ";" });
    expect([refused.status, refused.body.errors?.[0]?.path]).toEqual([400, "/decimal"]);
  });

  const json = (nodes: unknown, estimation: object = { title: "x" }) =>
    JSON.stringify({ estimation, tree: { nodes } }, null, 1);
  const nested = (levels: number): string =>
    `# x\n\n${Array.from({ length: levels }, (_, at) => `${" ".repeat(at)}- a`).join("\n")}`;
  const deep = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);

  test.each<[string, string, string, number | undefined, string]>([
    ["an outline of nothing", "outline", "\n\n", 1, "wrong_format"],
    ["running text below an item", "outline", "- a\n  more about it\n- b", 2, "wrong_format"],
    ["hours in descending order", "outline", "# x\n\n- n\n  - o: 9-4-1", 4, "out_of_order"],
    ["a rate without its currency", "outline", "# x\nHourly rate: 80", 1, "required"],
    ["an unknown currency", "outline", "# x\n\nCurrency: XXQ", 3, "not_one_of"],
    ["invalid JSON", "json", '{\n "estimation": {,', 2, "wrong_format"],
    ["an unknown field", "json", json([], { title: "x", owner: 1 }), 4, "unknown_field"],
    ["a field of the wrong type", "json", json([], { title: 1 }), 3, "wrong_type"],
    ["a rate without its currency", "json", json([], { title: "x", hourlyRate: 1 }), 2, "required"],
    ["two selected options of a single choice", "json", json([twoChoices()]), 17, "several_selected"],
    ["a NUL character", "json", '{\n"estimation":\n{"title": "a\\u0000"}}', 3, "unstorable"],
    ["more values than a tree has", "json", `[${"{},".repeat(limits.treeBodyValues)}1]`, undefined, "too_many"],
    ["items nested too deep", "outline", nested(limits.bodyDepth + 1), limits.bodyDepth + 3, "wrong_format"],
    ["items nested far too deep", "outline", nested(5_000), limits.bodyDepth + 3, "wrong_format"],
    ["values nested too deep", "json", deep(limits.bodyDepth + 1), undefined, "too_deep"],
    ["more lines than are read", "outline", `# x${"\n".repeat(LINES)}`, undefined, "too_many"],
  ])("of %s as %s is refused with the line, and creates nothing", async (_, format, content, line, code) => {
    const refused = await send(format, content);
    expect([refused.status, refused.body.message]).toEqual([400, "validation_failed"]);
    expect(refused.body.errors?.[0]).toMatchObject({ path: "/content", in: "body", code, ...(line ? { line } : {}) });
  });

  test("reads lines and nesting up to the limits", async () => {
    expect((await send("outline", `# x${"\n".repeat(LINES - 1)}`)).status).toBe(201);
    expect((await send("outline", nested(limits.bodyDepth))).body.errors?.[0]?.message).not.toContain("items");
    const { body } = await send("json", deep(limits.bodyDepth));
    expect(body.errors?.[0]).toMatchObject({ line: 1, code: "wrong_type" });
  });

  test("of another format, or empty, is refused", async () => {
    for (const body of [{ format: "csv", content: "x" }, { format: "json", content: "" }, { format: "json" }]) {
      const { token } = user;
      const refused = await app.request("POST", "/api/estimations/import", { token, body });
      expect(refused.status).toBe(400);
    }
  });
});

function twoChoices() {
  const option = (title: string) => ({ title, selected: true });
  return { title: "n", kind: "single", options: [option("a"), option("b")] };
}

describe("imports are limited by the quotas", () => {
  test("of the number of estimations", async () => {
    const small = await start({ config: { quotas: { ...app.services.config.quotas, estimations: 2 } } });
    const { token } = await small.signUp();
    const one = () =>
      small.request("POST", "/api/estimations/import", { token, body: { format: "outline", content: "# x" } });
    expect([(await one()).status, (await one()).status]).toEqual([201, 201]);
    const refused = await one();
    expect([refused.status, refused.body.details?.quota]).toEqual([409, "estimations"]);
  });

  test("of the bytes of trees", async () => {
    const treeBytes = 128 * 1024;
    const small = await start({ config: { quotas: { ...app.services.config.quotas, treeBytes } } });
    const { token } = await small.signUp();
    // Each takes nearly the 64 KiB that are accounted.
    const content = `# x\n${`- n\n  > ${"x".repeat(9_990)}\n`.repeat(6)}`;
    const one = () => small.request("POST", "/api/estimations/import", { token, body: { format: "outline", content } });
    expect([(await one()).status, (await one()).status]).toEqual([201, 201]);
    const refused = await one();
    expect([refused.status, refused.body.details?.quota]).toEqual([409, "treeBytes"]);
  });

  test("and the limit of a tree", async () => {
    const node = `- n\n  > ${"x".repeat(9_990)}\n`;
    const file = (count: number) => `# x\n${node.repeat(count)}`;
    const most = Math.floor(limits.treeBytes / 10_130);
    expect((await send("outline", file(most))).status).toBe(201);
    const refused = await send("outline", file(Math.ceil(limits.treeBytes / 9_990)));
    expect([refused.status, refused.body.errors?.[0]?.code]).toEqual([400, "too_large"]);
  });
});
