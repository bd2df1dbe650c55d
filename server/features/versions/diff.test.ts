import { describe, expect, test } from "vitest";
import type { Diff } from "../../../contract/endpoints/versions.ts";
import { limits } from "../../../contract/limits.ts";
import { apply } from "../../../domain/versions/apply.ts";
import type { Change, Snapshot } from "../../../domain/versions/shape.ts";
import { start } from "../../../tests/harness.ts";
import { type Scene, setScene } from "./testing/scene.ts";

const app = await start();

async function diff({ send }: Scene, from: string, against?: string): Promise<Diff> {
  const { status, data, text } = await send(
    "GET",
    `/versions/${from}/diff${against === undefined ? "" : `?against=${against}`}`,
  );
  if (status !== 200) throw new Error(`${status}: ${text}`);
  return data.diff as unknown as Diff;
}

/** Leaves out the origin of parts that have none, as content is stored. */
const asStored = <T>(content: T): T =>
  JSON.parse(JSON.stringify(content, (key, value) => (key === "origin" && value === null ? undefined : value)));

/** The content of a version, or the current one, as the operations are applied to it. */
async function contentOf({ send, read }: Scene, version: string): Promise<Snapshot> {
  const none = { timeline: null, milestones: [] };
  if (version !== "current") return { ...asStored((await read(version)).content), ...none };
  const { estimation } = (await send("GET", "")).data;
  const { title, description, assumptions, clientName, hourlyRate, currency, correlation, rounding } =
    estimation as unknown as Snapshot;
  const { nodes } = asStored((await send("GET", "/tree")).data.tree as unknown as Snapshot["tree"]);
  const settings = { title, description, assumptions, clientName, hourlyRate, currency, correlation, rounding };
  return { ...settings, tree: { nodes }, ...none };
}

/** An estimation with two versions, and content that is in none: each of the edits shows in the diff. */
async function edited() {
  const scene = await setScene(app);
  const { send, pin, rename } = scene;
  const first = await pin();
  const { nodes } = (await send("GET", "/tree")).data.tree as unknown as Snapshot["tree"];
  const [payment] = nodes;
  const [card, invoice] = payment?.options ?? [];
  const node = async (body: object) => (await send("POST", "/tree/nodes", { body })).data.node?.id;
  const option = async (below: unknown, body: object) =>
    (await send("POST", `/tree/nodes/${below}/options`, { body })).data.option?.id;
  const providers = await node({ title: "Providers", kind: "group", parentOptionId: card?.id });
  await option(providers, { title: "Bank", hours: 10 });
  const extras = await node({ title: "Extras", kind: "multi", position: 0 });
  const cash = await option(extras, { title: "Cash", hours: { optimistic: 1, likely: 2, pessimistic: 9 } });
  await send("POST", `/tree/options/${cash}/select`);
  await rename("Other");
  const second = await pin();
  await send("POST", `/tree/options/${invoice?.id}/move`, { body: { nodeId: extras, position: 0 } });
  await send("POST", `/tree/nodes/${providers}/move`, { body: { parentOptionId: cash } });
  await send("PATCH", `/tree/options/${cash}`, { body: { quantity: 3 } });
  await send("DELETE", `/tree/options/${card?.id}`);
  await send("PUT", "", { body: { hourlyRate: 100, correlation: 0.5 } });
  return { ...scene, first: first.id, second: second.id, payment, card, invoice, providers, extras, cash };
}

describe("a diff", () => {
  test("shows every edit with its place, in order, and its hours", async () => {
    const scene = await edited();
    const { first, second, payment, card, invoice, providers, extras, cash } = scene;
    const made = await diff(scene, first, second);
    expect(made).toMatchObject({ from: first, against: second, expected: { before: 9.33, after: 22.33 } });
    expect(made.operations).toMatchObject([
      { op: "changed", target: "setting", id: null, field: "title", before: "Shop", after: "Other", hoursDelta: 0 },
      { op: "added", target: "node", id: extras, after: { parentId: null, afterId: null }, hoursDelta: 0 },
      { op: "added", target: "option", id: cash, after: { parentId: extras, afterId: null }, hoursDelta: 3 },
      { op: "added", target: "node", id: providers, after: { parentId: card?.id, afterId: null }, hoursDelta: 0 },
      { op: "added", target: "option", after: { parentId: providers, record: { title: "Bank" } }, hoursDelta: 10 },
    ]);
    const then = await diff(scene, second);
    expect(then).toMatchObject({ against: "current", expected: { before: 22.33, after: 39 } });
    // The P80 of both ends, as the versions and the estimation have it.
    const p80Of = (hours: unknown) => (hours as { readonly p80: number }).p80;
    const [from, to] = [(await scene.read(first)).hours, (await scene.read(second)).hours];
    expect(made.p80).toEqual({ before: p80Of(from), after: p80Of(to) });
    expect(then.p80).toEqual({ before: p80Of(to), after: p80Of((await scene.send("GET", "")).data.estimation?.hours) });
    expect(then.operations).toMatchObject([
      { target: "setting", field: "hourlyRate", before: 95.5, after: 100 },
      { target: "setting", field: "correlation", before: 0.2, after: 0.5 },
      {
        ...{ op: "moved", target: "option", id: invoice?.id },
        ...{ before: { parentId: payment?.id, afterId: card?.id }, after: { parentId: extras, afterId: null } },
      },
      { op: "changed", target: "option", id: cash, field: "quantity", before: 1, after: 3, hoursDelta: 6 },
      { op: "moved", target: "node", id: providers, after: { parentId: cash, afterId: null }, hoursDelta: 20 },
      {
        op: "removed",
        target: "option",
        id: card?.id,
        before: { parentId: payment?.id, afterId: null },
        hoursDelta: -9.33,
      },
    ]);
  });

  test("between any two of versions and current content transforms one into the other, and its hours add up", async () => {
    const scene = await edited();
    const ends = [scene.first, scene.second, "current"];
    for (const from of ends.slice(0, 2)) {
      for (const against of ends) {
        const { operations, expected } = await diff(scene, from, against);
        const [before, after] = [await contentOf(scene, from), await contentOf(scene, against)];
        expect(apply(before, operations as unknown as Change[])).toEqual(after);
        const sum = operations.reduce((total, { hoursDelta }) => total + Math.round(hoursDelta * 100), 0);
        expect(sum).toBe(Math.round(expected.after * 100) - Math.round(expected.before * 100));
        if (from === against) expect(operations).toEqual([]);
      }
    }
  });

  test("is between versions of one estimation: any other id gets 404, on either side", async () => {
    const [mine, other] = [await setScene(app), await setScene(app)];
    const second = await setScene(app, mine.owner);
    const own = (await mine.pin()).id;
    for (const strange of [(await other.pin()).id, (await second.pin()).id, `ver_${"0".repeat(26)}`, "none", ""]) {
      expect((await mine.send("GET", `/versions/${own}/diff?against=${strange}`)).status).toBe(404);
      expect((await mine.send("GET", `/versions/${strange || "-"}/diff?against=${own}`)).status).toBe(404);
    }
    expect((await mine.send("GET", "/versions/current/diff")).status).toBe(404);
    for (const unusable of ["%00", "x".repeat(limits.refLength + 1)])
      expect((await mine.send("GET", `/versions/${own}/diff?against=${unusable}`)).status).toBe(400);
  });
});
