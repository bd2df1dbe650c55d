import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { limits } from "../../contract/limits.ts";
import type { CsvForm } from "../../contract/values/csv-form.ts";
import { resultOf } from "../steps.ts";
import { deriveTasks } from "../tasks/derive.ts";
import { presentHours } from "../tree/hours/present-hours.ts";
import { rollUp } from "../tree/hours/roll-up.ts";
import { checkImport, importTree } from "../tree/import-tree.ts";
import { writtenRole } from "../tree/roles.ts";
import { type NodeInput, type Tree, walk } from "../tree/shape.ts";
import { examples } from "../tree/testing/examples.ts";
import { countedIds, plant } from "../tree/testing/trees.ts";
import type { Content, Import, Incoming } from "./content.ts";
import { exportCsv } from "./export-csv.ts";
import { exportJson } from "./export-json.ts";
import { exportMarkdown } from "./export-markdown.ts";
import { type CheckShape, importJson as importJsonInSteps } from "./import-json.ts";
import { importOutline as importOutlineAs } from "./import-outline.ts";
import { checkShape } from "./testing/check-shape.ts";
import { contents } from "./testing/contents.ts";

const importOutline = (text: string, check: CheckShape) =>
  importOutlineAs(text, check, { decimal: ".", untitled: "Untitled" });
const importJson = (...given: Parameters<typeof importJsonInSteps>) => resultOf(importJsonInSteps(...given));

/** What an import brought, its tree planted with the ids in the order of those that are given. */
function taken(outcome: Import, like: Tree): Incoming & { tree: Tree } {
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.faults));
  const check = checkImport(outcome.incoming.nodes);
  if (!check.ok) throw new Error(JSON.stringify(check.faults));
  const planted = importTree(check.checked, { nodes: new Set(), options: new Set() }, countedIds());
  if (!planted.ok) throw new Error("refused");
  const ids = (tree: Tree): string[] => {
    const all: string[] = [];
    walk(tree.nodes, { node: ({ id }) => all.push(id), option: ({ id }) => all.push(id) });
    return all;
  };
  const names = new Map(ids(planted.tree).map((id, index) => [id, ids(like)[index] ?? "?"]));
  const text = JSON.stringify(planted.tree).replace(/"([no]\d+)"/g, (word, id) =>
    names.has(id) ? `"${names.get(id)}"` : word,
  );
  return { ...outcome.incoming, tree: JSON.parse(text) as Tree };
}

const hoursOf = (tree: Tree) => {
  const {
    byNode: _,
    uncertainty: __,
    withoutRange: ___,
    ...hours
  } = presentHours(rollUp(tree, { correlation: 0.2, hourlyRate: 80, currency: "EUR" }));
  return hours;
};

/** The tree with its roles spelled as they are stored. */
const written = (tree: Tree): Tree =>
  JSON.parse(JSON.stringify(tree, (name, value) => (name === "role" ? writtenRole(value) : value))) as Tree;

/** The same without links, and with line feeds alone: what an outline holds. */
const outlined = (tree: Tree): Tree =>
  JSON.parse(
    JSON.stringify(written(tree), (name, value) => {
      if (name === "requires" || name === "excludes") return [];
      return name === "description" ? String(value).replace(/\r\n|\r/g, "\n") : value;
    }),
  ) as Tree;

const content = (tree: Tree, fields: Partial<Content> = {}): Content => ({
  ...{ title: "Shop", description: "", assumptions: "", clientName: null, tags: [] },
  ...{ hourlyRate: null, currency: null },
  ...{ correlation: 0.2, rounding: 0.01, tree },
  ...fields,
});

describe("what is exported and imported again", () => {
  it("as JSON is the same except for ids and the spelling of roles, whatever its texts are", () => {
    fc.assert(
      fc.property(contents, ({ tree, ...estimation }) => {
        const back = taken(importJson(exportJson({ ...estimation, tree }), checkShape), tree);
        expect(back.estimation).toEqual(estimation);
        expect(JSON.stringify(back.tree)).toBe(JSON.stringify(written(tree)));
        expect(hoursOf(back.tree)).toEqual(hoursOf(tree));
      }),
    );
  });

  it("as an outline is the same except for ids, links and the spelling of roles, whatever its texts are", () => {
    fc.assert(
      fc.property(contents, ({ tree, ...estimation }) => {
        const back = taken(importOutline(exportMarkdown({ ...estimation, tree }), checkShape), tree);
        const { description, assumptions, clientName, hourlyRate, currency, tags, ...others } = estimation;
        expect(back.estimation).toMatchObject(others);
        expect(back.estimation.description ?? "").toBe(description.replace(/\r\n|\r/g, "\n"));
        expect(back.estimation.assumptions ?? "").toBe(assumptions.replace(/\r\n|\r/g, "\n"));
        expect(back.estimation.clientName ?? null).toBe(clientName);
        expect(back.estimation.hourlyRate ?? null).toBe(hourlyRate);
        expect(back.estimation.currency ?? null).toBe(currency);
        expect(back.estimation.tags ?? []).toEqual(tags);
        expect(back.tree).toEqual(outlined(tree));
        expect(hoursOf(back.tree)).toEqual(hoursOf(tree));
      }),
      { numRuns: 300 },
    );
  });

  it.each(examples)("keeps the hours and the tasks of $file to the hundredth", ({ tree }) => {
    const json = taken(importJson(exportJson(content(tree)), checkShape), tree).tree;
    const outline = taken(importOutline(exportMarkdown(content(tree)), checkShape), tree).tree;
    for (const back of [json, outline]) {
      expect(hoursOf(back)).toEqual(hoursOf(tree));
      expect(deriveTasks(back)).toEqual(deriveTasks(tree));
    }
  });
});

describe("an outline as people write it", () => {
  const read = (text: string) => importOutline(text, checkShape);
  const nodes = (text: string) => {
    const outcome = read(text);
    if (!outcome.ok) throw new Error(JSON.stringify(outcome.faults));
    return outcome.incoming.nodes;
  };
  const points = (optimistic: number, likely: number, pessimistic: number) => ({ optimistic, likely, pessimistic });

  it("has questions, options, hours, quantities and roles", () => {
    const text = `# Shop

> For the client.
> In two lines.

Client: ACME
Tags: web, "a, b"

- Payment (choose one, required)
  > How do customers pay?
  - [x] Card: 4-16-34 @backend
    - Extras (choose any, max 2)
      - [ ] 3-D Secure: 4
  - [ ] Invoice: 2d-1w x2(system) @"lead developer"
* Screens
\t* Form: 3 x9(screen) =2-3-4
\t* Support for iOS 17
`;
    const outcome = read(text);
    expect(outcome).toMatchObject({
      ok: true,
      incoming: {
        estimation: {
          title: "Shop",
          description: "For the client.\nIn two lines.",
          clientName: "ACME",
          tags: ["web", "a, b"],
        },
        nodes: [
          {
            ...{ title: "Payment", kind: "single", required: true, description: "How do customers pay?" },
            options: [
              {
                ...{ title: "Card", selected: true, hours: points(4, 16, 34), role: "backend" },
                nodes: [
                  {
                    title: "Extras",
                    kind: "multi",
                    max: 2,
                    options: [{ title: "3-D Secure", selected: false, hours: points(4, 4, 4) }],
                  },
                ],
              },
              { title: "Invoice", hours: points(16, 28, 40), quantity: 2, unit: "system", role: "lead developer" },
            ],
          },
          {
            ...{ title: "Screens", kind: "group" },
            options: [
              { title: "Form", hours: points(3, 3, 3), override: points(2, 3, 4), quantity: 9, unit: "screen" },
              { title: "Support for iOS 17" },
            ],
          },
        ],
      },
    });
  });

  it("is what the documentation shows", () => {
    const page = readFileSync(new URL("../../docs/import-export.md", import.meta.url), "utf8");
    const shown = /```markdown\n(.*?)```/s.exec(page)?.[1] ?? "";
    const [payment, screens] = nodes(shown);
    expect(payment?.options?.[0]?.nodes?.[0]?.options?.[1]).toMatchObject({
      title: "Refunds",
      hours: points(16, 28, 40),
    });
    expect(payment?.options?.[1]).toMatchObject({ hours: points(6, 6, 6), role: "lead developer" });
    expect(screens?.options?.[0]).toMatchObject({ quantity: 9, unit: "screen", role: "ux" });
    expect(nodes(`${shown}- Release\\: 2\n`)[2]).toMatchObject({ title: "Release: 2", kind: "group" });
  });

  it("has assumptions below their heading, beside a description", () => {
    const head =
      "# Shop\n\n> For the client.\n\nClient: ACME\n\n## Assumptions\n\n> Texts come from you.\n>\n> - # of rounds: 2\n";
    const items = "\n- Payment\n  > How?\n  - Card: 4\n";
    const of = (text: string) => {
      const outcome = read(text);
      if (!outcome.ok) throw new Error(JSON.stringify(outcome.faults));
      return outcome.incoming;
    };
    const estimation = {
      ...{ title: "Shop", description: "For the client.", clientName: "ACME" },
      assumptions: "Texts come from you.\n\n- # of rounds: 2",
    };
    expect(of(head)).toMatchObject({ estimation, nodes: [] });
    expect(of(head + items)).toMatchObject({ estimation, nodes: [{ title: "Payment", description: "How?" }] });
    expect(of("# Shop\n## Assumptions\n- Payment").estimation.assumptions).toBe(undefined);
    const most = "x".repeat(limits.descriptionLength);
    expect(of(`# A\n## Assumptions\n> ${most}`).estimation.assumptions).toBe(most);
  });

  it("puts an option without a question into an implied group", () => {
    expect(nodes("# Shop\n- Login: 4\n- Search: 8\n  - Index: 3\n  - Form: 1\n- Later\n  - Export: 2")).toMatchObject([
      {
        ...{ title: "Shop", kind: "group" },
        options: [
          { title: "Login" },
          {
            title: "Search",
            nodes: [{ title: "Search", kind: "group", options: [{ title: "Index" }, { title: "Form" }] }],
          },
        ],
      },
      { title: "Later", kind: "group", options: [{ title: "Export" }] },
    ]);
  });

  it("has tags separated by commas, in quotation marks if they contain commas; an unclosed quotation mark extends to the end", () => {
    const tagsOf = (written: string) => {
      const outcome = read(`# A\nTags: ${written}`);
      return outcome.ok ? outcome.incoming.estimation.tags : outcome.faults;
    };
    expect(tagsOf('web, "a, b",c')).toEqual(["web", "a, b", "c"]);
    expect(tagsOf('web, "a\\", b')).toEqual(["web", 'a", b']);
    expect(tagsOf('"a, b\\')).toEqual(["a, b"]);
  });

  it.each([
    ["neither a title nor an item", "\n\n", 1, /neither/],
    ["a second heading of assumptions", "# A\n## Assumptions\n> B\n## assumptions", 4, /already/],
    ["assumptions after an item", "# A\n- B\n## Assumptions\n> C", 3, /must begin with/],
    ["too long assumptions", `# A\n\n## Assumptions\n> ${"x".repeat(limits.descriptionLength + 1)}`, 3, /assumptions/],
    ["an unknown setting", "# A\n\nOwner: me", 3, /Owner|must begin/],
    ["a setting that is given twice", "# A\nCurrency: EUR\nCurrency: EUR", 3, /already/],
    ["a setting that is no number", "# A\nHourly rate: much", 2, /number/],
    ["a currency that is none", "# A\nCurrency: euro", 2, /currency/],
    ["a line that is nothing", "# A\n- B\n  C", 3, /must begin with/],
    ["an item without a title", "# A\n-", 2, /no title/],
    ["a question below a question", "# A\n- B (choose one)\n  - C (choose any)", 3, /question/],
    ["hours that fall", "# A\n- B\n  - C: 9-4-12", 3, /likely/],
    ["too many hours", `# A\n- B\n  - C: ${limits.optionHoursMax + 1}`, 3, /hours|optimistic/],
    ["too large a quantity", `# A\n- B\n  - C: 1 x${limits.quantityMax + 1}`, 3, /quantity/],
    ["min above max", "# A\n- B (choose any, min 3, max 2)\n  - [ ] C", 2, /min|max/],
    ["two choices of one", "# A\n- B (choose one)\n  - [x] C\n  - [x] D", 4, /one selected/],
    ["too long a title", `# A\n- B\n- ${"x".repeat(limits.nodeTitleLength + 1)}`, 3, /title/],
    ["a name that every object has", "# A\nConstructor: x", 2, /must begin/],
    ["hours with a comma", "# A\n- B\n  - C: 1,5", 3, /a point for decimals/],
    ["a price with a comma", "# A\nHourly rate: 1,500", 2, /a point for decimals/],
    ["hours with a word that is no unit", "# A\n- B\n  - C: 4-16-34 points", 3, /after its last colon/],
    ["two numbers", "# A\n- B\n  - C: 4 16", 3, /write 4-16/],
    ["hours with a full stop", "# A\n- B\n  - [x] C: 4.", 3, /after its last colon/],
    ["an override that is none", "# A\n- B\n  - C: =much", 3, /after its last colon/],
    ["a quantity that is none", "# A\n- B\n  - C: x9screens", 3, /after its last colon/],
    ["hours with three decimals", "# A\n- B\n  - C: 0.004-0.126-1.005", 3, /at most two decimals/],
    ["a box that is none", "# A\n- B\n  - [-] C: 4", 3, /box/],
    ["an empty box", "# A\n- B\n  - [] C: 4", 3, /box/],
    ["a line without end", `# A\n- ${"x".repeat(20_000)}`, 2, /longer/],
  ])("refuses %s, with its line", (_, text, line, message) => {
    const outcome = read(text);
    expect(outcome).toMatchObject({ ok: false });
    if (outcome.ok) return;
    expect(outcome.faults[0]?.line).toBe(line);
    expect(outcome.faults[0]?.message).toMatch(message);
  });

  it("reads hours with any separator", () => {
    const [node] = nodes("# A\n- B\n  - C: 4-16-34\n  - D: 4/16/34\n  - E: 4 16 34 x2\n  - F: 8h =2d-1w");
    const points = { optimistic: 4, likely: 16, pessimistic: 34 };
    expect(node?.options?.map(({ hours }) => hours)).toEqual([
      points,
      points,
      points,
      { optimistic: 8, likely: 8, pessimistic: 8 },
    ]);
    expect(node?.options?.[2]?.quantity).toBe(2);
    expect(node?.options?.[3]?.override).toEqual({ optimistic: 16, likely: 28, pessimistic: 40 });
  });

  it("leaves text that is clearly not hours in titles, and rounds only hours that a unit multiplies", () => {
    const [first, second] = nodes("# A\n- Phase: 2 of 3 (choose one)\n  - C\\: 1,5\n- \\[-] D\n  - E: 0.333d");
    expect([first?.title, first?.options?.[0]?.title, second?.title]).toEqual(["Phase: 2 of 3", "C: 1,5", "[-] D"]);
    expect(second?.options?.[0]?.hours).toEqual(points(2.66, 2.66, 2.66));
  });

  it("refuses more items than a tree may have, and reports a limited number of faults", () => {
    const outcome = read(`# A\n${"- B: 1\n".repeat(limits.treeNodes + limits.treeOptions + 2)}`);
    expect(outcome).toMatchObject({ ok: false });
    const many = read(`# A\n${"-\n".repeat(1_000)}`);
    expect(many.ok ? [] : many.faults).toHaveLength(limits.reportedFaults);
  });

  it("reads hostile files in time that grows with their length", () => {
    for (const line of [
      `- ${': @"'.repeat(2_400)}`,
      `- ${"(".repeat(9_900)})`,
      `- a${" ".repeat(9_000)}(b)`,
      `- ${"\\".repeat(9_900)}: 4`,
      `Tags: ${'"a\\'.repeat(3_000)}`,
    ])
      expect(read(`# A\n${`${line}\n`.repeat(200)}`)).toBeDefined();
  });
});

it.each(examples)("reads $file from the repository", ({ file, tree }) => {
  const text = readFileSync(new URL(`../../examples/${file}`, import.meta.url), "utf8");
  expect(hoursOf(taken(importJson(text, checkShape), tree).tree)).toEqual(hoursOf(tree));
});

describe("a JSON file that is refused", () => {
  const lines = (text: string) => {
    const outcome = importJson(text, checkShape);
    return outcome.ok ? [] : outcome.faults.map(({ line }) => line);
  };

  it("is not refused because of a byte order mark", () => {
    const text = exportJson(content({ nodes: [] }));
    expect(importJson(`\uFEFF${text}`, checkShape)).toEqual(importJson(text, checkShape));
  });

  it.each([
    ["a trailing comma", '{\n  "estimation": {\n    "title": "A",\n  }\n}', 4],
    ["an end that is missing", '{\n  "estimation": {\n', 3],
    ["a name without quotes", "{\n  estimation: 1\n}", 2],
    ["a number that is none", "[1,\n 01]", 2],
    ["text after the end", "{}\n\nmore", 3],
    ["nothing", "", 1],
    ["a control character", '["a\n"]', 1],
    ["an unknown escape", '[\n"\\x"]', 2],
    ["many brackets", "[".repeat(200_000), 1],
  ])("names the line of %s", (_, text, line) => expect(lines(text)).toEqual([line]));

  it("names the lines of faults, and the line of the enclosing object if a field is missing", () => {
    const text = `{
  "estimation": { "title": "A" },
  "tree": { "nodes": [
    { "title": "B", "kind": "single",
      "options": [
        { "title": "C", "selected": true },
        { "title": "D", "selected": true,
          "hours": { "optimistic": 9, "likely": 4, "pessimistic": 12 } }
      ] }
  ] }
}`;
    expect(lines(text).sort()).toEqual([7, 8]);
    expect(lines('{\n "estimation":\n {},\n "tree": { "nodes": [] } }')).toEqual([3]);
    expect(lines(`{"a":\n${"[".repeat(200_000)}${"]".repeat(200_000)}}`).length).toBeGreaterThan(0);
  });
});

describe("the path in a message about a JSON file", () => {
  const messageOf = (name: string) => {
    const outcome = importJson("{}", () => [{ path: `/${name}`, message: "is wrong" }]);
    return outcome.ok ? "" : outcome.faults[0]?.message;
  };

  it("is complete up to 400 characters, and cut beyond", () => {
    expect(messageOf("a".repeat(399))).toMatch(/^\/a{399} is wrong$/);
    expect(messageOf("a".repeat(400))).toMatch(/^\/a{398}… is wrong$/);
    expect(messageOf("a".repeat(100_000))).toMatch(/^\/a{398}… is wrong$/);
  });
});

describe("the size of a file", () => {
  /** Few characters at the top of a deep tree, which every line below could repeat or indent. */
  const deep = (name: string, description: string): Tree => {
    const options = Array.from({ length: 200 }, () => ({ title: "o", description }));
    let below: NodeInput = { title: name, kind: "multi", options };
    for (let level = 1; level < limits.treeDepth; level += 1)
      below = { title: name, kind: "multi", options: [{ title: name, nodes: [below] }] };
    return plant([below]);
  };

  it.each<[string, Tree]>([
    ["long titles", deep("😀".repeat(limits.nodeTitleLength), "")],
    ["short descriptions of many lines", deep("n", "\n".repeat(19))],
    ["descriptions of very many lines", deep("n", "\n".repeat(1_000))],
  ])("is bounded by that of its tree with %s", (_, tree) => {
    const bytesOf = (text: string) => Buffer.byteLength(text);
    const stored = bytesOf(JSON.stringify(tree));
    expect(bytesOf(exportCsv(content(tree)))).toBeLessThan(16 * stored);
    expect(bytesOf(exportMarkdown(content(tree)))).toBeLessThan(6 * stored);
    expect(bytesOf(exportJson(content(tree)))).toBeLessThan(8 * stored);
    expect(taken(importOutline(exportMarkdown(content(tree)), checkShape), tree).tree).toEqual(tree);
  });
});

describe("CSV", () => {
  it.each([
    ["a formula", "=1+1", "'=1+1"],
    ["a formula behind a semicolon", "a;=1+1", "a;'=1+1"],
    ["a formula behind a tab", "a\t@x", "a\t'@x"],
    ["a formula in quotation marks behind a semicolon", 'a;"=1"', `"a;'""=1"""`],
    ["a formula behind several", "a;;-1", "a;;'-1"],
    ["no formula", "a - 1 + 1 = @; b", "a - 1 + 1 = @; b"],
  ])("writes %s as text, whatever the separator of a spreadsheet is", (_, title, cell) => {
    const rows = exportCsv(content(plant([{ title: "n", kind: "group", options: [{ title }] }]))).split("\r\n");
    expect(rows[1]).toMatch(new RegExp(`^,n,${RegExp.escape(cell)},`));
  });

  it("has the separator and the decimal sign that a spreadsheet expects, and the same numbers", () => {
    const tree = plant([
      {
        ...{ title: "n; m", kind: "group" },
        options: [
          { title: "a\tb,=1", role: "x,y", hours: { optimistic: 1.25, likely: 2.5, pessimistic: 4 }, selected: true },
        ],
      },
    ]);
    const rowIn = (separator: CsvForm["separator"], decimal: CsvForm["decimal"]) =>
      exportCsv(content(tree), { separator, decimal }).split("\r\n")[1];
    expect(rowIn(",", ".")).toBe(`,n; m,"a\tb,=1",,yes,"x,y",1,,1.25,2.5,4,2.54`);
    expect(rowIn(";", ",")).toBe(`;"n; m";a\tb,'=1;;yes;x,y;1;;1,25;2,5;4;2,54`);
    expect(rowIn("\t", ",")).toBe(`\tn; m\t"a\tb,'=1"\t\tyes\tx,y\t1\t\t1,25\t2,5\t4\t2,54`);
    expect(rowIn(",", ",")).toBe(`,n; m,"a\tb,=1",,yes,"x,y",1,,"1,25","2,5",4,"2,54"`);
  });

  it("has the complete path, or the end of a long one", () => {
    const path = (title: string) =>
      exportCsv(
        content(
          plant([
            {
              title,
              kind: "group",
              options: [{ title: "a", nodes: [{ title: "n", kind: "group", options: [{ title: "b" }] }] }],
            },
          ]),
        ),
      )
        .split("\r\n")[2]
        ?.split(",")[0];
    expect(path("x".repeat(197))).toBe(`${"x".repeat(197)}: a`);
    expect(path("x".repeat(198))).toBe(`…${"x".repeat(196)}: a`);
  });

  const rowsOf = (text: string): string[][] => {
    const rows: string[][] = [[]];
    for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
      rows.at(-1)?.push(quoted === undefined ? (plain ?? "") : quoted.replaceAll('""', '"'));
      if (end !== ",") rows.push([]);
    }
    return rows.slice(0, -1);
  };

  it("has a row for each option, and expected hours that add up to the roll-up", () => {
    for (const { tree } of examples) {
      const [heading = [], ...rows] = rowsOf(exportCsv(content(tree)));
      let options = 0;
      walk(tree.nodes, {
        option: () => {
          options += 1;
        },
      });
      expect(rows.length).toBe(options);
      const at = heading.indexOf("expectedTotal");
      const total = rows.reduce((sum, row) => sum + Math.round(Number(row[at]) * 100), 0);
      expect(total).toBe(Math.round(hoursOf(tree).expected * 100));
    }
  });

  it("quotes text where necessary, and no text becomes a formula", () => {
    fc.assert(
      fc.property(contents, (any) => {
        const [heading = [], ...rows] = rowsOf(exportCsv(any));
        const titles: string[] = [];
        walk(any.tree.nodes, { option: ({ title }) => void titles.push(title) });
        const bare = (text = "") => text.replaceAll("'", "");
        expect(rows.map((row) => bare(row[heading.indexOf("option")]))).toEqual(titles.map(bare));
        for (const row of rows) {
          expect(row.length).toBe(heading.length);
          for (const cell of row) expect(cell).not.toMatch(/^[=+\-@\t\r\n＝＋－＠]|[;\t\r\n]"*[=+\-@＝＋－＠]/);
        }
      }),
    );
  });
});
