import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Estimation } from "../../../contract/endpoints/estimations.ts";
import type { NodeInput } from "../../../contract/values/tree-input.ts";
import { contents } from "../../../domain/transfer/testing/contents.ts";
import { idsOf, type Tree } from "../../../domain/tree/shape.ts";
import { optionTitled, plant } from "../../../domain/tree/testing/trees.ts";
import type { Base } from "./draft.ts";
import { outlineOf, readOutline } from "./outline.ts";

const fields = {
  ...{ title: "Shop", description: "", assumptions: "", clientName: "Nordlicht", hourlyRate: 100, currency: "EUR" },
  ...{ tags: ["web"], correlation: 0.2, rounding: 0.01 },
};

const baseOf = (tree: Tree, estimation: object = fields): Base => ({ tree, estimation: estimation as Estimation });

const tree = plant([
  {
    title: "Payment",
    kind: "single",
    options: [
      { title: "Card", selected: true, hours: { optimistic: 4, likely: 16, pessimistic: 34 }, ref: "card" },
      { title: "Invoice", hours: 6 },
    ],
  },
  { title: "Screens", kind: "group", options: [{ title: "Form", hours: 3, quantity: 9, requires: ["card"] }] },
]);
const base = baseOf(tree);
const idOf = (title: string) => optionTitled(tree, title).id;

/** Reads the outline after `edit` has changed its text. */
function edited(edit: (text: string) => string, from = base) {
  const read = readOutline(edit(outlineOf(from)), from);
  if (!read.ok) throw new Error(JSON.stringify(read.faults));
  return read.edited;
}

const options = (nodes: readonly NodeInput[]) => nodes.flatMap(({ options = [] }) => options);

describe("an outline that is edited", () => {
  test("changes nothing if nobody has changed it, whatever is in it", () => {
    fc.assert(
      fc.property(contents, ({ tree, ...estimation }) => {
        const { settings, tree: read } = edited((text) => text, baseOf(tree, estimation));
        expect([settings, read.differs, read.added, read.removed, read.changed]).toEqual([{}, false, [], [], []]);
        const ids = idsOf(tree.nodes);
        const sent = JSON.stringify(read.nodes);
        for (const id of [...ids.nodes, ...ids.options]) expect(sent).toContain(`"id":"${id}"`);
      }),
    );
  });

  test("keeps the ids of everything whose hours change, and the links", () => {
    const { tree: read } = edited((text) => text.replace("4-16-34", "4-20-40").replace("Form: 3", "Form: 5"));
    expect(read).toMatchObject({ differs: true, added: [], removed: [], changed: ["Card", "Form"] });
    const [card, , form] = options(read.nodes);
    expect(card).toMatchObject({ id: idOf("Card"), hours: { optimistic: 4, likely: 20, pessimistic: 40 } });
    expect(form).toMatchObject({ id: idOf("Form"), requires: [idOf("Card")] });
  });

  test.each([
    ["Card", "Credit card"],
    ["Card", "Kreditkarte"],
    ["Invoice", "Bill"],
    ["Invoice", "Invoices"],
  ])("keeps the id of %s when it becomes %s, with the same hours", (title, name) => {
    const { tree: read } = edited((text) => text.replace(`] ${title}`, `] ${name}`));
    expect(read).toMatchObject({ added: [], removed: [], changed: [name] });
    expect(options(read.nodes).find(({ title }) => title === name)).toMatchObject({ id: idOf(title) });
  });

  test("keeps the ids below a question that is renamed", () => {
    const { tree: read } = edited((text) => text.replace("- Payment", "- How do customers pay?"));
    expect(read.nodes[0]).toMatchObject({ id: tree.nodes[0]?.id, title: "How do customers pay?" });
    expect(read).toMatchObject({ added: [], removed: [], changed: ["How do customers pay?"] });
  });

  test("gives no id to what is new, also where something else was taken out", () => {
    const { tree: read } = edited((text) => text.replace("[ ] Invoice: 6", "[ ] PayPal: 10-20-30"));
    expect(read).toMatchObject({ added: ["PayPal"], removed: ["Invoice"], changed: [] });
    expect(options(read.nodes)[1]).not.toHaveProperty("id");
  });

  test("gives no id to what has only the same hours", () => {
    const shop = plant([
      { title: "Parts", kind: "group", options: ["PayPal", "Form", "Voucher"].map((title) => ({ title, hours: 8 })) },
    ]);
    const from = baseOf(shop);
    const elsewhere = edited((text) => `${text.replace(/^.*PayPal.*\n/m, "").trimEnd()}\n  - Search: 8\n`, from);
    expect(elsewhere.tree).toMatchObject({ added: ["Search"], removed: ["PayPal"], changed: [] });
    const two = edited((text) => text.replace("PayPal", "Search").replace("Voucher", "Gift cards"), from);
    expect(two.tree).toMatchObject({ added: ["Search", "Gift cards"], removed: ["PayPal", "Voucher"], changed: [] });
    // Beside a similar title, the other one is the only one left in its place.
    const alike = edited((text) => text.replace("PayPal", "PayPal and others").replace("Voucher", "Gift cards"), from);
    expect(alike.tree).toMatchObject({ added: [], removed: [], changed: ["PayPal and others", "Gift cards"] });
  });

  test("takes a link away with the option that it leads to", () => {
    const { tree: read } = edited((text) => text.replace(/^.*Card.*\n/m, ""));
    expect(options(read.nodes).find(({ title }) => title === "Form")).toMatchObject({ requires: [] });
  });

  test("keeps the id of what moves below something else, and says that it changed", () => {
    const { tree: read } = edited((text) => {
      const line = /^ {2}- \[ \] Invoice.*\n/m.exec(text)?.[0] ?? "";
      return text.replace(line, "") + line.replace("[ ] ", "");
    });
    expect(options(read.nodes)[2]).toMatchObject({ id: idOf("Invoice") });
    expect(read).toMatchObject({ added: [], removed: [], changed: ["Invoice"] });
  });

  test("sends only the settings that differ; a line that is taken out clears its setting", () => {
    const { settings, tree: read } = edited((text) =>
      text
        .replace("# Shop", "# Web shop")
        .replace(/^Client.*\n/m, "")
        .replace(/^Correlation.*\n/m, ""),
    );
    expect(settings).toEqual({ title: "Web shop", clientName: null });
    expect(read.differs).toBe(false);
  });
});

test.each([
  ["the first mark of a conflict", (text: string) => text.replace("- Screens", "<<<<<<< yours\n- Screens")],
  ["the mark in the middle", (text: string) => text.replace("- Screens", "=======\n- Screens")],
  ["the last mark only", (text: string) => text.replace("- Screens", "- Screens\n>>>>>>> theirs")],
  ["hours that cannot be read", (text: string) => text.replace("Card: 4-16-34", "Card: 4-16,5-34")],
])("an outline with %s is refused with the line", (_, edit) => {
  const text = edit(outlineOf(base));
  const read = readOutline(text, base);
  const line = text.split("\n").findIndex((line) => /<<<<|====|>>>>|16,5/.test(line)) + 1;
  expect(read).toMatchObject({ ok: false, faults: [{ line }] });
});
