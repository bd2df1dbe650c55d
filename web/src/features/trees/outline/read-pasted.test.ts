import { expect, test } from "vitest";
import { readPasted } from "./read-pasted.ts";

const short = (text: string, hasQuestion = true): unknown => {
  const read = readPasted(text, null, hasQuestion);
  if (read.kind === "faults") return read.faults.map(({ line }) => `refused: ${line}`);
  const points = (hours: object | null | undefined) => (hours ? ` ${Object.values(hours).join("-")}` : "");
  if (read.kind === "lines") return read.rows.map(({ title, points: hours }) => `${title}${points(hours)}`);
  type Nodes = typeof read.nodes;
  const nodes = (list: Nodes): unknown =>
    Object.fromEntries(
      list.map(({ title, options }) => [
        title,
        options.map((option) =>
          option.nodes.length > 0 ? nodes(option.nodes) : `${option.title}${points(option.hours)}`,
        ),
      ]),
    );
  return nodes(read.nodes);
};

test("lines of one level become options, with their hours", () => {
  expect(short("Card: 4-16-34\nInvoice: 6\nRefunds")).toEqual(["Card 4-16-34", "Invoice 6-6-6", "Refunds"]);
  expect(short("- Card: 4\n- Invoice (2d)")).toEqual(["Card 4-4-4", "Invoice 16-16-16"]);
  expect(short("Card: 4")).toEqual(["Card 4-4-4"]);
});

test("lines of several levels keep these", () => {
  expect(short("Payment\n  Card: 4\n  Invoice: 6\nScreens\n  Cart: 3-5d")).toEqual({
    Payment: ["Card 4-4-4", "Invoice 6-6-6"],
    Screens: ["Cart 24-32-40"],
  });
});

test("where there is no question yet, lines of one level get one", () => {
  expect(short("Card: 4\nInvoice: 6", false)).toEqual({ "New question": ["Card 4-4-4", "Invoice 6-6-6"] });
});

test("cells of a spreadsheet are read by the names of their columns, or in their usual order", () => {
  expect(short("Aufgabe\tRolle\tAufwand (PT)\nCard\tux\t2\nInvoice\tux\t0,5")).toEqual([
    "Card 16-16-16",
    "Invoice 4-4-4",
  ]);
  expect(short("WBS\tTask\tHours\n1\tPayment\t\n1.1\tCard\t4\n1.2\tInvoice\t6")).toEqual({
    Payment: ["Card 4-4-4", "Invoice 6-6-6"],
  });
  expect(short("Card\t4\t16\t34\nInvoice\t6")).toEqual(["Card 4-16-34", "Invoice 6-6-6"]);
});

test("a number with two readings is asked about, also below a row of heads", () => {
  const text = "Rolle\tAufgabe\tMin\tMax\nux\tCart\t1,250\t2,500";
  const read = readPasted(text, null, true);
  expect(read.kind === "lines" && read.question?.readings).toEqual({ ".": "1250", ",": "1.25" });
  const known = readPasted(text, ",", true);
  expect(known.kind === "lines" && known.rows[0]).toMatchObject({
    title: "Cart",
    role: "ux",
    points: { optimistic: 1.25 },
  });
});

test("what cannot be read is named by its line, and nothing is added", () => {
  expect(short("Card: 30m\nInvoice: 6")).toEqual(["refused: 1"]);
});
