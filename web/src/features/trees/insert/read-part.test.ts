import { describe, expect, it } from "vitest";
import { readPart } from "./read-part.ts";

describe("a part that is written as an outline", () => {
  const titles = (content: string) => {
    const part = readPart(content);
    return part.ok ? part.nodes.map(({ title }) => title) : part.faults;
  };

  it("needs no title, and may have one", () => {
    expect(titles("- Payment\n  - Card: 4\n- Screens\n")).toEqual(["Payment", "Screens"]);
    expect(titles("# Shop\n\n- Payment\n")).toEqual(["Payment"]);
    expect(titles("\uFEFF- Payment\n")).toEqual(["Payment"]);
  });

  it("is refused with the line that it was written in, with a title or without", () => {
    const wrong = "- Payment\n  - Card: 9-4-1\n";
    expect(titles(wrong)).toMatchObject([{ line: 2 }, { line: 2 }]);
    expect(titles(`# Shop\n${wrong}`)).toMatchObject([{ line: 3 }, { line: 3 }]);
  });
});

it("a part may be an exported file", () => {
  const file = { estimation: { title: "Shop" }, tree: { nodes: [{ title: "Payment", kind: "group" }] } };
  expect(readPart(JSON.stringify(file))).toMatchObject({ ok: true, nodes: [{ title: "Payment" }] });
});
