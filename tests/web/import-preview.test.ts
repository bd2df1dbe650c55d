import { expect, test } from "vitest";
import { start, until } from "../harness.ts";
import { openBrowser, openSignedIn } from "./browser.ts";

const app = await start({ pages: true });

const long = "x".repeat(600);
const outline = (head: string, line = "- A\n  - b: 1") => `# T\n\n${head}${head && "\n\n"}${line}\n`;
const json = (option: object, node: object = {}, estimation: object = {}) =>
  JSON.stringify({
    estimation: { title: "T", ...estimation },
    tree: { nodes: [{ title: "A", kind: "single", options: [{ title: "b", ...option }], ...node }] },
  });

test("the preview refuses what the service refuses, and takes what it takes", async () => {
  const user = await app.signUp();
  const page = await openSignedIn(await openBrowser(app), user, "/estimations/new");
  await page.getByText("From a file or outline").click();
  const field = page.getByRole("textbox");
  const action = page.getByRole("button", { name: "Import" });
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
    ...[
      "Shop\n  A\n    b: 4",
      "• A\n  ◦ b: 4\n",
      "Task\tHours\nA\t4",
      "| Task | Hours |\n|---|---|\n| A | much |",
      "* A\n** b\n:PROPERTIES:\n:Effort: 2:30\n:END:",
      "- A\n  more about it\n- B",
      "> only a description",
    ],
    ...[{ hourlyRate: 5 }, { correlation: 4 }, { tags: "a" }, { rounding: 3 }, { clientName: null }].map((own) =>
      json({}, {}, own),
    ),
  ];
  for (const content of contents) {
    const format = content.startsWith("{") ? "json" : "outline";
    const { token } = user;
    const { status } = await app.request("POST", "/api/estimations/import", { token, body: { format, content } });
    await field.fill("");
    await until(async () => (await action.isDisabled()) && (await page.getByRole("alert").count()) === 0);
    await field.fill(content);
    await until(async () => (await action.isEnabled()) || (await page.getByRole("alert").count()) > 0);
    expect([content.slice(0, 200), await action.isEnabled()]).toEqual([content.slice(0, 200), status === 201]);
  }
});

test("the preview names the lines that are left out, and those that should be looked at", async () => {
  const user = await app.signUp();
  const page = await openSignedIn(await openBrowser(app, { locale: "de-DE" }), user, "/estimations/new");
  await page.getByText("From a file or outline").click();
  await page.getByRole("textbox").fill("# Shop\n<!-- draft -->\n- A\n  - b: 7\n    - C\n      - d: 7\n");
  const preview = page.getByRole("region", { name: "Preview of the import" });
  await preview.getByText("Line 2", { exact: true }).waitFor();
  const said = await preview.getByRole("status").allTextContents();
  expect(said).toEqual([
    expect.stringMatching(/^Look at these lines:Line 4 7 h again in its parts/),
    "Not imported:Line 2 A comment is left out",
  ]);
  const sent = page.waitForRequest((request) => request.url().endsWith("/api/estimations/import"));
  await page.getByRole("button", { name: "Import" }).click();
  expect((await sent).postDataJSON()).toMatchObject({ format: "outline", decimal: "," });
});
