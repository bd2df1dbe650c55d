import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { apply } from "../../../domain/versions/apply.ts";
import type { Change, Snapshot } from "../../../domain/versions/shape.ts";
import { type Json, start } from "../../../tests/harness.ts";
import { setScene } from "./testing/scene.ts";

const app = await start();
const VERSIONS = 100;

/** What a client does that knows only the documentation: objects whose members are not numbers keep the order of their names. */
function hashByClient(content: unknown): string {
  const sorted = (_: string, value: unknown) =>
    value?.constructor === Object
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value;
  return createHash("sha256")
    .update(JSON.stringify({ schema: 2, snapshot: content }, sorted))
    .digest("hex");
}

const text = fc
  .oneof(
    fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }),
    fc.constantFrom('"\\/\u2028\u007f', "é𝄞\u0001", "a\tb", "0", "null"),
  )
  .map((words) => `x${words}`);
const hundredths = fc.integer({ min: 1, max: 10_000_000 }).map((value) => value / 100);
const hours = fc.oneof(
  hundredths,
  fc
    .tuple(hundredths, hundredths, hundredths)
    .map((three) => three.sort((a, b) => a - b))
    .map(([optimistic, likely, pessimistic]) => ({ optimistic, likely, pessimistic })),
);
const option = fc.record(
  { title: text, description: text, hours, quantity: fc.integer({ min: 1, max: 99 }), role: text, unit: text },
  { requiredKeys: ["title"] },
);
const node = fc.record({
  title: text,
  kind: fc.constantFrom("group", "single", "multi"),
  options: fc.array(option, { maxLength: 4 }),
});
const edit = fc.record({
  settings: fc.record(
    {
      ...{ title: text, description: text, assumptions: fc.oneof(fc.constant(""), text) },
      ...{ clientName: fc.option(text), correlation: fc.constantFrom(0, 0.1, 0.35, 1) },
    },
    { requiredKeys: ["title"] },
  ),
  nodes: fc.option(fc.array(node, { maxLength: 4 })),
  milestone: fc.option(text),
  timeline: fc.option(fc.constantFrom(1, 7.5, 8)),
});

test("the hash of a version can be computed from what is served, and from a diff", async () => {
  const { id, owner, send, pin, read } = await setScene(app);
  const body = { estimationId: id, name: "Payment" };
  const { data } = await app.request("POST", "/api/templates", { token: owner.token, body });
  const succeed = async (method: string, below: string, body: object) => {
    const { status, text } = await send(method, below, { body });
    expect(status, text).toBeLessThan(300);
  };
  const hashes = new Set<string>();
  let withOrigin = 0;
  let former: { id: string; content: unknown } | undefined;
  for (const [at, { settings, nodes, milestone, timeline }] of fc
    .sample(edit, { numRuns: VERSIONS, seed: 7 })
    .entries()) {
    await succeed("PUT", "", settings);
    if (nodes) await succeed("PUT", "/tree", { nodes });
    // Gives what it adds an `origin`.
    if (at % 5 === 0) await succeed("POST", "/apply-template", { templateId: data.template?.id, mode: "append" });
    if (milestone && at % 3 === 0) await succeed("POST", "/milestones", { title: milestone, dueDate: "2027-01-31" });
    if (timeline) await succeed("PUT", "/timeline", { hoursPerDay: timeline });
    const { id } = await pin();
    const { content, contentHash } = await read(id);
    expect(hashByClient(content)).toBe(contentHash);
    hashes.add(contentHash);
    if (JSON.stringify(content).includes('"origin":{')) withOrigin += 1;
    if (former) {
      const { data } = await send("GET", `/versions/${former.id}/diff?against=${id}`);
      const operations = (data.diff as Json).operations as unknown as Change[];
      expect(hashByClient(apply(former.content as Snapshot, operations))).toBe(contentHash);
    }
    former = { id, content };
  }
  expect(withOrigin).toBeGreaterThan(10);
  expect(hashes.size).toBeGreaterThan(VERSIONS / 2);
});
