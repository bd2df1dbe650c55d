import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { description } from "../../../tests/support/jira/description.ts";
import { codePoint } from "../../tree/testing/code-points.ts";
import type { TaskToExport } from "../shape.ts";
import { type AdfNode, canonical, contentOf } from "./adf.ts";
import { outcomesOf, reasonIn } from "./bulk.ts";
import { composeIssue, DESCRIPTION_LENGTH, SUMMARY_LENGTH } from "./compose.ts";
import { duration, estimateOf, estimateOfSeconds, hoursOfSeconds } from "./estimate.ts";
import { type IssueType, type ScreenField, topType, typesBelow, unfilled } from "./issue-types.ts";
import { blocksOf } from "./markdown.ts";
import { markdown } from "./testing/markdown.ts";

const estimation = { id: "est_01k0000000abcdefghjkmnpqrs", title: "Shop", url: "https://estimates.example/1" };
const fields = ["summary", "description", "labels", "timetracking"];
const layout = (type = fields) => ({
  projectId: "10001",
  site: "https://acme.atlassian.net",
  types: [{ id: "1", name: "Task", fields: type }],
});
const task = (more: Partial<TaskToExport> = {}): TaskToExport => ({
  ...{ title: "Sign-in", description: "", hours: 12.5, role: "backend", marker: "m", milestone: null },
  ...{ depth: 0, parentLink: null },
  ...more,
});

const judge = (json: string) => description.document(JSON.parse(json));
const textsOf = (nodes: readonly AdfNode[]): string =>
  nodes.map((node) => `${node.text ?? ""}${textsOf(node.content ?? [])}`).join(node(nodes));
const node = (nodes: readonly AdfNode[]) => (nodes.some(({ type }) => type === "text") ? "" : "\n");

describe("a description", () => {
  it("is a document by Atlassian's own schema, whatever the Markdown", () => {
    fc.assert(
      fc.property(markdown, (text) => {
        const blocks = blocksOf(text);
        if (blocks.length > 0) expect(judge(canonical(blocks))).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it("contains what was written, and no mention, no picture and no address that does not lead to a page", () => {
    const text =
      "# Plan\n\nAsk @anna **now** about [it](https://acme.example/x), not [that](javascript:alert(1)).\n\n- [x] done\n- `code`\n  1. deep";
    const blocks = blocksOf(text);
    expect(blocks.map(({ type }) => type)).toEqual(["heading", "paragraph", "bulletList"]);
    expect(textsOf(blocks)).toContain("Ask @anna now about it, not that.");
    const json = canonical(blocks);
    expect(json).toContain('"href":"https://acme.example/x"');
    expect(json).not.toContain("javascript:alert");
    expect(json).not.toContain('"mention"');
    expect(textsOf(blocks)).toContain("☑ done");
  });

  const link = (value: string, href: string) => ({
    ...{ type: "text", text: value },
    marks: [{ type: "link", attrs: { href } }],
  });
  const inline = (markdown: string) => blocksOf(markdown)[0]?.content;
  const words = (value: string) => ({ type: "text", text: value });
  const BREAK = { type: "hardBreak" };

  it("shows the box of a task list once, with blank lines between its items or without", () => {
    for (const between of ["\n", "\n\n"]) {
      const text = ["- [ ] todo", "- [x] done", "- [ ] [ ] odd", "- plain"].join(between);
      expect(textsOf(blocksOf(text)).split(/\n+/).filter(Boolean)).toEqual(["☐ todo", "☑ done", "☐ [ ] odd", "plain"]);
    }
    expect(textsOf(blocksOf("1. [ ] one\n\n   more\n\n   - [x] two")).split(/\n+/).filter(Boolean)).toEqual([
      ...["☐ one", "more", "☑ two"],
    ]);
  });

  it("says where a link leads that cannot be one, and leads to addresses with spaces", () => {
    expect(inline("[Plan](<https://acme.example/my plan>)")).toEqual([link("Plan", "https://acme.example/my%20plan")]);
    expect(inline("[Plan](https://acme.example/?a=1&amp;b=&eacute;)")).toEqual([
      link("Plan", "https://acme.example/?a=1&b=é"),
    ]);
    for (const [markdown, shown] of [
      ["[Plan](docs/plan.md)", "Plan (docs/plan.md)"],
      ["[Plan](<docs/my plan.md>), later", "Plan (docs/my plan.md), later"],
      ["[**Plan**](#goals)", "Plan (#goals)"],
      ["![Plan](img/plan.png)", "Plan (img/plan.png)"],
      ["![](img/plan.png)", "img/plan.png"],
      ["[docs/plan.md](docs/plan.md)", "docs/plan.md"],
      ["[Plan]()", "Plan"],
      ["[Plan](JavaScript:alert)", "Plan"],
    ])
      expect(textsOf(inline(markdown ?? "") ?? [])).toBe(shown);
  });

  it("has the characters that references of HTML stand for", () => {
    expect(inline("&copy; &hellip; &NotEqualTilde; &#8364; &#x20AC; &amp;copy; &#38;copy; &nope; &nbsp;x")).toEqual([
      words("© … ≂̸ € € &copy; &copy; &nope; \u00a0x"),
    ]);
    expect(inline("[&rarr;](https://acme.example) ![&larr;](https://acme.example)")).toEqual([
      ...[link("→", "https://acme.example"), words(" "), link("←", "https://acme.example")],
    ]);
    expect(inline("`&copy;`")).toEqual([{ ...words("&copy;"), marks: [{ type: "code" }] }]);
  });

  it("breaks lines at `<br>`, in cells as well", () => {
    expect(inline("a<br>b<BR/>c<br />d <b>e</b>")).toEqual([
      ...[words("a"), BREAK, words("b"), BREAK, words("c"), BREAK],
      ...[words("d "), words("<b>"), words("e"), words("</b>")],
    ]);
    const [table] = blocksOf("| a<br>b |\n|---|\n| 1<br/>2 |");
    const cells = (table?.content ?? []).map((row) => row.content?.[0]?.content?.[0]?.content);
    expect(cells).toEqual([
      [words("a"), BREAK, words("b")],
      [words("1"), BREAK, words("2")],
    ]);
    expect(textsOf(blocksOf("<br>\n\n<p>one<br>two</p>"))).toContain("<p>one");
  });

  it("has no code in a link: Jira's editor removes that, and it would count as a change of people", () => {
    expect(inline("[**Run** `npm test`](https://acme.example) or `npm start`")).toEqual([
      { ...link("Run", ""), marks: [{ type: "link", attrs: { href: "https://acme.example" } }, { type: "strong" }] },
      ...[link(" ", "https://acme.example"), link("npm test", "https://acme.example"), words(" or ")],
      { ...words("npm start"), marks: [{ type: "code" }] },
    ]);
  });

  it("that is nested without end becomes plain text, quickly", () => {
    for (const text of ["> ".repeat(5_000), "- ".repeat(5_000), `${"[".repeat(5_000)}a`, "*a ".repeat(3_000)])
      if (blocksOf(text).length > 0) expect(judge(canonical(blocksOf(text)))).toEqual([]);
  });

  it("is the same after Jira has added its own attributes and another order of names", () => {
    const worn = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(worn);
      if (typeof value !== "object" || value === null) return value;
      const turned = Object.fromEntries(
        Object.entries(value)
          .toReversed()
          .map(([key, inner]) => [key, worn(inner)]),
      );
      return turned.type === "paragraph" ? { ...turned, attrs: { localId: "1" } } : turned;
    };
    fc.assert(
      fc.property(markdown, (text) => {
        const ours = canonical(blocksOf(text));
        expect(canonical(contentOf(worn(JSON.parse(ours))) ?? [])).toBe(ours);
        const more = [...blocksOf(text), { type: "paragraph", content: [{ type: "text", text: "more" }] }];
        expect(canonical(more)).not.toBe(ours);
      }),
    );
  });

  it("has no marks if too many begin and never end: searching for each end would delay all users", () => {
    const marksOf = (text: string) => JSON.stringify(blocksOf(text)).match(/"type":"(strong|em|strike)"/g) ?? [];
    for (const open of ["*a_", "_a*", '*a:"', "~a"]) {
      const many = open.repeat(10_000 / open.length);
      expect(marksOf(`**bold**\n\n${many.slice(0, 1_000)}`)).not.toEqual([]);
      expect(marksOf(`**bold**\n\n${many}`)).toEqual([]);
      expect(textsOf(blocksOf(`a\n\n${many}`))).toContain(many.trim());
    }
    // Marks that end are no problem, however many there are.
    expect(marksOf("**b** and *c* ".repeat(700))).toHaveLength(1_400);
  });

  it("is cut if it is too long, with a warning", () => {
    for (const text of ["word ".repeat(20_000), "a\n\n".repeat(5_000), `"\\`.repeat(25_000), "😀".repeat(17_000)]) {
      const { fields: made, warnings } = composeIssue(task({ description: text }), estimation, layout());
      expect(made.description?.length).toBeLessThanOrEqual(DESCRIPTION_LENGTH);
      expect(made.description?.length).toBeGreaterThan(DESCRIPTION_LENGTH / 3);
      expect(warnings.map(({ code }) => code)).toEqual(["description_cut"]);
      expect(judge(made.description ?? "")).toEqual([]);
    }
  });
});

describe("an issue", () => {
  it("fits Jira's limits, and loses nothing without a warning", () => {
    const title = fc.string({ unit: codePoint, minLength: 1, maxLength: 400 });
    fc.assert(
      fc.property(title, markdown, fc.option(fc.nat(100_000)), (text, words, hundredths) => {
        const made = composeIssue(
          task({ title: `T${text}`, description: words, hours: hundredths === null ? null : hundredths / 100 }),
          estimation,
          layout(),
        );
        expect(made.fields.summary?.length).toBeLessThanOrEqual(SUMMARY_LENGTH);
        expect(made.fields.summary).not.toMatch(/[\r\n]/);
        expect(judge(made.fields.description ?? "")).toEqual([]);
        const cut = made.warnings.some(({ code }) => code === "title_cut");
        expect(made.fields.summary?.endsWith("…") || !cut).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  it("has the estimate in its field if the screen has that, else in the text with a warning", () => {
    const inField = composeIssue(task(), estimation, layout());
    expect(inField).toMatchObject({ fields: { estimate: "750" }, warnings: [] });
    expect(inField.fields.description).not.toContain("Estimate");
    const inText = composeIssue(task(), estimation, layout(["summary", "description"]));
    expect(inText.fields).not.toHaveProperty("estimate");
    expect(inText.fields.description).toContain("12.5 h");
    expect(inText.warnings.map(({ code }) => code)).toEqual(["estimate_in_text"]);
    // 0.01 h are 36 seconds, and Jira counts minutes.
    expect(composeIssue(task({ hours: 0.01 }), estimation, layout()).fields.description).toContain("0.01 h");
    const none = composeIssue(task(), estimation, layout(["summary", "timetracking"]));
    expect([Object.keys(none.fields), none.warnings.map(({ code }) => code)]).toEqual([
      ["summary", "estimate"],
      ["description_dropped"],
    ]);
  });

  it("links to a parent that it cannot be below, and names role and milestone", () => {
    const parentLink = { key: "SHOP-1", url: "https://acme.atlassian.net/browse/SHOP-1" };
    const made = composeIssue(task({ parentLink, milestone: "Beta" }), estimation, layout());
    const text = textsOf(contentOf(JSON.parse(made.fields.description ?? "")) ?? []);
    for (const part of ["Part of: SHOP-1", "Role: backend", "Milestone: Beta", "Estimation: Shop"])
      expect(text).toContain(part);
    expect(made.fields.description).toContain(`"href":"${parentLink.url}"`);
  });
});

describe("an estimate", () => {
  it("is in whole minutes, and is read back from Jira's seconds", () => {
    fc.assert(
      fc.property(fc.nat(10_000_000), (hundredths) => {
        const estimate = estimateOf(hundredths / 100);
        const match = /^(?:(\d+)h)?(?: ?(\d+)m)?$/.exec(duration(estimate));
        const seconds = Number(match?.[1] ?? 0) * 3_600 + Number(match?.[2] ?? 0) * 60;
        expect(estimateOfSeconds(seconds)).toBe(estimate);
      }),
    );
    expect([duration("0"), duration("30"), duration("60"), duration("750")]).toEqual(["0m", "30m", "1h", "12h 30m"]);
    expect([estimateOf(null), estimateOfSeconds(null)]).toEqual(["0", "0"]);
    expect([hoursOfSeconds([]), hoursOfSeconds([3_600, 900]), hoursOfSeconds([36])]).toEqual([null, 1.25, 0.01]);
  });
});

describe("the errors of a bulk request", () => {
  it("are assigned to the issues that they belong to; a response that does not allow that for each is not used", () => {
    const drawn = fc.array(fc.boolean(), { minLength: 1, maxLength: 50 });
    fc.assert(
      fc.property(drawn, fc.integer({ min: -1, max: 1 }), (refused, off) => {
        const errors = refused.flatMap((is, at) =>
          is
            ? [{ failedElementNumber: at, elementErrors: { errorMessages: [], errors: { summary: `bad ${at}` } } }]
            : [],
        );
        const made = refused.filter((is) => !is).length + off;
        const outcomes = outcomesOf(refused.length, made, errors.toReversed());
        if (off !== 0) {
          expect(outcomes).toBeNull();
          return;
        }
        expect(outcomes?.map((one) => (one.outcome === "refused" ? one.reason : null))).toEqual(
          refused.map((is, at) => (is ? `“summary: bad ${at}”` : null)),
        );
      }),
    );
    const twice = [{ failedElementNumber: 0 }, { failedElementNumber: 0 }];
    for (const errors of [twice, [{ failedElementNumber: 2 }], [{ failedElementNumber: "0" }], [null], [{}]])
      expect(outcomesOf(2, 2 - errors.length, errors)).toBeNull();
  });

  it("are Jira's messages, on one line of limited length", () => {
    expect(reasonIn({ errorMessages: ["No\n way"], errors: { labels: "x", parent: { a: 1 } } })).toBe(
      '“No way; labels: x; parent: {"a":1}”',
    );
    for (const strange of [null, "x", { errors: ["x"] }, { errorMessages: "x" }])
      expect(reasonIn(strange)).toBe("Jira gave no reason.");
    expect(reasonIn({ errorMessages: ["x".repeat(2_000)] })).toBe(`“${"x".repeat(500)}”`);
  });
});

describe("types of issues", () => {
  const type = (name: string, level: number, untranslatedName: string | null = null): IssueType => ({
    id: `1${level}${name}`,
    ...{ name, untranslatedName },
    level,
    isSubtask: level < 0,
  });
  const types = [type("Epic", 1), type("Bug", 0), type("Task", 0), type("Sub-task", -1), type("Theme", 2)];

  it("are chosen by name or id; without a choice a usual one of the level of tasks", () => {
    expect(topType(types, null)?.name).toBe("Task");
    expect(topType(types, " epic ")?.name).toBe("Epic");
    expect(topType(types, "10Bug")?.name).toBe("Bug");
    expect(topType(types, "Sub-task")).toBeUndefined();
    expect(topType(types, "Story")).toBeUndefined();
    expect(topType([type("Idea", 1)], null)?.name).toBe("Idea");
    expect(topType([type("Sub-task", -1)], null)).toBeUndefined();
  });

  it("are found in every language, and a bug only where there is nothing else", () => {
    const german = [
      ...[type("Fehler", 0, "Bug"), type("Aufgabe", 0, "Task"), type("Unteraufgabe", -1, "Subtask")],
      ...[type("Anforderung", 0), type("Epos", 1, "Epic")],
    ];
    expect(topType(german, null)?.name).toBe("Aufgabe");
    expect([topType(german, "task"), topType(german, "AUFGABE")].map((one) => one?.name)).toEqual([
      "Aufgabe",
      "Aufgabe",
    ]);
    expect(typesBelow(german, 1).map(({ name }) => name)).toEqual(["Aufgabe", "Anforderung", "Fehler"]);
    expect(topType([type("Fehler", 0, "Bug"), type("Anforderung", 0)], null)?.name).toBe("Anforderung");
    expect(topType([type("Bug", 0), type("Idea", 0)], null)?.name).toBe("Idea");
    expect(topType([type("Bug", 0)], null)?.name).toBe("Bug");
  });

  it("stay what a run has begun with, whatever they are called", () => {
    const known = ["10Story", "1-1Sub-task"];
    const more = [...types, type("Story", 0), type("Chore", -1)];
    expect(topType(more, "Aufgabe", known)?.name).toBe("Story");
    expect(topType(types, "Task", ["gone"])?.name).toBe("Task");
    expect(typesBelow([type("Subtask", -1), ...more], 0, known).map(({ name }) => name)[0]).toBe("Sub-task");
  });

  it("can only be below those of the next level", () => {
    expect(typesBelow(types, 1).map(({ name }) => name)).toEqual(["Task", "Bug"]);
    expect(typesBelow(types, 0).map(({ name }) => name)).toEqual(["Sub-task"]);
    expect(typesBelow(types, -1)).toEqual([]);
    expect(typesBelow(types, 2).map(({ name }) => name)).toEqual(["Epic"]);
  });

  it("report the fields that Jira requires without a default", () => {
    const one = (id: string, required: boolean, hasDefault = false): ScreenField => ({
      id,
      name: id,
      required,
      hasDefault,
    });
    const screen = [
      one("summary", true),
      one("reporter", true),
      one("priority", true, true),
      one("team", true),
      one("parent", true),
      one("x", false),
    ];
    const lacking = (isTop: boolean) => unfilled(screen, { isTop }).map(({ id }) => id);
    expect([lacking(false), lacking(true)]).toEqual([["team"], ["team", "parent"]]);
  });
});
