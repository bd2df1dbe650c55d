import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { shownFigures, shownPercentiles, showsPrice } from "../../contract/values/client-links.ts";
import { figuresOf } from "../tree/hours/distribution.ts";
import { evaluate } from "../tree/hours/evaluate.ts";
import { totalOf as sumsOfTree } from "../tree/hours/roll-up.ts";
import { tryOut } from "../tree/hours/try-out.ts";
import { idsOf, type Tree } from "../tree/shape.ts";
import { plant, trees } from "../tree/testing/trees.ts";
import type { Snapshot } from "../versions/shape.ts";
import { defaultStep, publish } from "./publish.ts";
import type { LinkSettings, Published, PublishedNode, PublishedOption, Units } from "./shape.ts";
import { amountOf, totalOf, treeOf } from "./total.ts";

const snapshotOf = (tree: Tree, more: Partial<Snapshot> = {}): Snapshot => ({
  title: "Shop",
  description: "For colleagues",
  assumptions: "",
  clientName: "Acme",
  hourlyRate: 117,
  currency: "EUR",
  correlation: 0.3,
  rounding: 0.5,
  timeline: null,
  tree,
  milestones: [],
  ...more,
});

const settings: fc.Arbitrary<LinkSettings> = fc.record({
  shows: fc.constantFrom(...shownFigures),
  percentile: fc.constantFrom(...shownPercentiles),
  choices: fc.boolean(),
  descriptions: fc.boolean(),
  step: fc.constantFrom(0.01, 0.5, 1, 100),
});

const optionsOf = (nodes: readonly PublishedNode[]): PublishedOption[] =>
  nodes.flatMap(({ options }) => options.flatMap((option) => [option, ...optionsOf(option.nodes)]));

/** All figures of a publication: those of its parts, in steps. */
const partsOf = (published: Published): Units[] => [
  published.fixed,
  ...optionsOf(published.nodes).flatMap(({ units }) => units ?? []),
];

describe("what is published of any content", () => {
  test("has whole steps, in order, and adds up to the total of what counts, rounded once", () => {
    fc.assert(
      fc.property(trees, settings, (tree, given) => {
        const published = publish(snapshotOf(tree), given);
        for (const { figure, low, high } of partsOf(published)) {
          expect([figure, low, high].every(Number.isSafeInteger)).toBe(true);
          expect(0 <= low && low <= figure && figure <= high).toBe(true);
        }
        const { expected, p80 } = figuresOf(sumsOfTree(tree), 0.3);
        const hours = given.percentile === "p80" ? p80 : expected;
        const exact = (hours * (showsPrice(given.shows) ? 117 : 1)) / given.step;
        expect(Math.abs(totalOf(published).figure - exact)).toBeLessThanOrEqual(0.5 + 1e-6 * exact);
      }),
    );
  });

  test("has, with any other selection, the sum of the same figures", () => {
    fc.assert(
      fc.property(trees, settings, fc.infiniteStream(fc.boolean()), (tree, given, coin) => {
        const published = publish(snapshotOf(tree), { ...given, choices: true });
        const options = optionsOf(published.nodes);
        const select = options.filter(() => coin.next().value).map(({ id }) => id);
        const tried = tryOut(treeOf(published), { select: select.slice(0, 50), deselect: [] });
        if (!tried.ok) throw new Error("it was refused");
        const counted = evaluate(tried.tree).weights;
        const figures = options
          .filter(({ id, units }) => units && counted.has(id))
          .map(({ units }) => units?.figure ?? 0);
        const sum = figures.reduce((left, right) => left + right, published.fixed.figure);
        expect(totalOf(published, tried.tree).figure).toBe(sum);
      }),
    );
  });

  test("says of a range only what its figure says: equal figures among what counts differ by a step at most", () => {
    fc.assert(
      fc.property(trees, settings, (tree, given) => {
        const published = publish(snapshotOf(tree), { ...given, shows: "priceRange", choices: true });
        const counted = evaluate(tree).weights;
        const parts = optionsOf(published.nodes).filter(({ id, units }) => units && counted.has(id));
        for (const one of parts) {
          for (const other of parts) {
            if (one.units?.figure !== other.units?.figure) continue;
            expect(Math.abs((one.units?.low ?? 0) - (other.units?.low ?? 0))).toBeLessThanOrEqual(1);
            expect(Math.abs((one.units?.high ?? 0) - (other.units?.high ?? 0))).toBeLessThanOrEqual(1);
          }
        }
      }),
    );
  });

  test("names no rate, role or client, no quantity, and no text that is for colleagues unless it is asked for", () => {
    fc.assert(
      fc.property(trees, settings, (tree, given) => {
        const published = publish(snapshotOf(tree), given);
        const words = new Set([...JSON.stringify(published).matchAll(/"(\w+)":/g)].map(([, word]) => word));
        for (const secret of [
          "role",
          "hourlyRate",
          "clientName",
          "hours",
          "override",
          "quantity",
          "unit",
          "correlation",
        ])
          expect(words.has(secret), secret).toBe(false);
        expect(JSON.stringify(published).includes("For colleagues")).toBe(given.descriptions);
        expect(published.assumptions).toBe(null);
        expect(publish(snapshotOf(tree, { assumptions: "For you" }), given).assumptions).toBe("For you");
        for (const { points } of optionsOf(published.nodes))
          if (given.shows !== "hoursRange") expect(points).toBe(null);
      }),
    );
  });

  test("has only what counts without choices, and everything with them", () => {
    fc.assert(
      fc.property(trees, settings, (tree, given) => {
        const { nodes } = publish(snapshotOf(tree), given);
        const ids = optionsOf(nodes).map(({ id }) => id);
        const all = given.choices ? idsOf(tree.nodes).options : new Set(evaluate(tree).weights.keys());
        expect(new Set(ids)).toEqual(all);
        // How many had to be chosen would tell that there were others.
        const every = [...nodes, ...optionsOf(nodes).flatMap((option) => option.nodes)];
        if (!given.choices)
          for (const { required, min, max } of every) expect([required, min, max]).toEqual([false, null, null]);
      }),
    );
  });
});

describe("an example", () => {
  const tree = plant([
    { title: "Base", kind: "group", options: [{ title: "Set-up", hours: 10 }] },
    {
      title: "Payment",
      kind: "single",
      options: [
        { title: "Card", hours: { optimistic: 10, likely: 20, pessimistic: 60 }, selected: true },
        {
          title: "Invoice",
          hours: 5,
          nodes: [{ title: "With", kind: "group", options: [{ title: "Reminders", hours: 7, quantity: 2 }] }],
        },
      ],
    },
  ]);
  const given = { shows: "hours", percentile: "expected", choices: true, descriptions: false, step: 1 } as const;

  test("shows for each choice what comes with it", () => {
    const published = publish(snapshotOf(tree), given);
    const [card, invoice] = optionsOf(published.nodes.slice(1));
    expect([published.fixed.figure, card?.units?.figure, invoice?.units?.figure]).toEqual([10, 25, 19]);
    expect(amountOf(totalOf(published), given)).toEqual({ figure: 35, low: null, high: null });
  });

  test("shows three points of each option only beside a range of hours", () => {
    const [, card] = optionsOf(publish(snapshotOf(tree), { ...given, shows: "hoursRange" }).nodes);
    expect(card?.points).toEqual({ optimistic: 10, likely: 20, pessimistic: 60 });
    const [, priced] = optionsOf(publish(snapshotOf(tree), { ...given, shows: "priceRange" }).nodes);
    expect(priced?.points).toBe(null);
  });

  test("costs no more than its hours times the rate, rounded to its step", () => {
    const published = publish(snapshotOf(tree, { hourlyRate: 99 }), { ...given, shows: "price", step: 500 });
    expect(amountOf(totalOf(published), { shows: "price", step: 500 }).figure).toBe(3_500);
  });

  test.each([
    [35, "hours", 0.1],
    [350, "hours", 1],
    [0.5, "hours", 0.01],
    [0, "hours", 1],
    [35, "price", 10],
    [1e5, "price", 1e4],
  ] as const)("of %s hours has by default, as %s, a step of %s", (hours, shows, step) => {
    const content = snapshotOf(plant([{ title: "n", kind: "group", options: [{ title: "o", hours }] }]), {
      hourlyRate: 100,
    });
    expect(defaultStep(content, { shows }, 10_000)).toBe(step);
  });
});
