import { createRequire } from "node:module";
import fc from "fast-check";
import { expect, it } from "vitest";
import { canonical, contentOf } from "./adf.ts";
import { composeIssue } from "./compose.ts";
import { blocksOf } from "./markdown.ts";
import { markdown } from "./testing/markdown.ts";

/** A schema of ProseMirror. The package has no modules that Node.js can import, and no types for those that it can require. */
const { defaultSchema } = createRequire(import.meta.url)("@atlaskit/adf-schema/schema-default") as {
  defaultSchema: { nodeFromJSON(json: unknown): { check(): void; toJSON(): unknown } };
};

/** What is stored once somebody has saved a document in Jira's editor without changing it; throws if it does not take it. */
function saved(json: string): unknown {
  const node = defaultSchema.nodeFromJSON(JSON.parse(json));
  node.check();
  return node.toJSON();
}

it("a description is one by the schema of Jira's editor, and is the same after it was saved there", () => {
  fc.assert(
    fc.property(markdown, (text) => {
      const blocks = blocksOf(text);
      if (blocks.length === 0) return;
      const ours = canonical(blocks);
      expect(canonical(contentOf(saved(ours)) ?? [])).toBe(ours);
    }),
    { numRuns: 1_000 },
  );
});

it("so is that of a whole issue", () => {
  const estimation = { id: "est_1", title: "Shop", url: "https://estimates.example/1" };
  const layout = { projectId: "1", site: "https://acme.atlassian.net", types: [] };
  const parentLink = { key: "SHOP-1", url: "https://acme.atlassian.net/browse/SHOP-1" };
  const description = [
    "# Plan\n\nRun [`npm test`](https://acme.example), **`now`** or ~~*later*~~<br>soon.",
    "- [ ] one\n\n- [x] two\n  1. deep\n\n     ```ts\n     code\n     ```",
    "| a | b |\n|---|---|\n| 1<br>2 | [x](docs/plan.md) |",
    "> quoted\n> - item\n\n---\n\n![picture](https://acme.example/a%20b.png)",
  ].join("\n\n");
  const task = { title: "T".repeat(300), description, hours: 0.01, role: "backend", milestone: "Beta" };
  const { fields } = composeIssue({ ...task, marker: "m", depth: 0, parentLink }, estimation, layout);
  const ours = String(fields.description);
  expect(canonical(contentOf(saved(ours)) ?? [])).toBe(ours);
});
