import { expect, test } from "vitest";
import { formatOf, readImport } from "../../web/src/features/estimations/read-import.ts";
import { start } from "../harness.ts";

const app = await start();

const long = "x".repeat(600);
const outline = (head: string, line = "- A\n  - b: 1") => `# T\n\n${head}${head && "\n\n"}${line}\n`;
const json = (option: object, node: object = {}, estimation: object = {}) =>
  JSON.stringify({
    estimation: { title: "T", ...estimation },
    tree: { nodes: [{ title: "A", kind: "single", options: [{ title: "b", ...option }], ...node }] },
  });

test("the preview refuses what the service refuses, and takes what it takes", async () => {
  const { token } = await app.signUp();
  const contents = [
    ...["", "Hourly rate: 5", "Hourly rate: 5\nCurrency: EUR", "Hourly rate: 5\nCurrency: XYZ"].map((head) =>
      outline(head),
    ),
    ...[
      "Hourly rate: 5.123\nCurrency: EUR",
      "Correlation: 2",
      "Rounding: 3",
      `Client: ${long}`,
      `Tags: ${long}`,
      "Tags: a, a",
    ].map((head) => outline(head)),
    ...[
      `- ${long}`,
      `- A\n  - ${long}: 1`,
      `- A\n  - b: 1 @${long}`,
      `- A\n  - b: 1 x1(${long})`,
      "- A\n  - b: 9-3-1",
    ].map((line) => outline("", line)),
    ...[
      { role: 3 },
      { selected: "x" },
      { hours: "4" },
      { quantity: -3 },
      { requires: ["nope"] },
      { unit: "screen" },
    ].map((option) => json(option)),
    ...[
      { kind: "no" },
      { kind: undefined },
      { required: "x" },
      { description: 4 },
      { min: 5, max: 1, kind: "multi" },
    ].map((node) => json({}, node)),
    ...[{ hourlyRate: 5 }, { correlation: 4 }, { tags: "a" }, { rounding: 3 }, { clientName: null }].map((own) =>
      json({}, {}, own),
    ),
  ];
  for (const content of contents) {
    const { status } = await app.request("POST", "/api/estimations/import", {
      token,
      body: { format: formatOf(content), content },
    });
    expect([content.slice(0, 200), readImport(content).ok]).toEqual([content.slice(0, 200), status === 201]);
  }
});
