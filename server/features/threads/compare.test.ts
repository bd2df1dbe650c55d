import { describe, expect, test } from "vitest";
import { limits } from "../../../contract/limits.ts";
import { start } from "../../../tests/harness.ts";
import { setLines } from "./testing/lines.ts";

const app = await start();

describe("comparing", () => {
  test("puts versions, threads and the current content side by side, with a row for each node that differs", async () => {
    const { send, base, fork, switchTo, edit, option, nodes, main, pin } = await setLines(app);
    const mvp = await fork("MVP");
    await switchTo(mvp.id);
    await send("POST", "/tree/nodes", { body: { title: "Same", kind: "group" } });
    const extra = (await send("POST", "/tree/nodes", { body: { title: "Extras", kind: "group", position: 0 } })).data
      .node?.id;
    await send("POST", `/tree/nodes/${extra}/options`, { body: { title: "Chat", hours: 5 } });
    await pin();
    await switchTo(main);
    await send("POST", `/tree/options/${(await option("Invoice")).id}/select`);
    await edit("Invoice", { quantity: 2 });
    const [payment] = await nodes();
    const [card, invoice] = payment?.options ?? [];
    const { status, data } = await send("GET", `/compare?versions=${base},${mvp.id},current`);
    expect(status).toBe(200);
    expect(data.comparison?.columns).toMatchObject([
      {
        of: base,
        versionId: base,
        threadTitle: null,
        hours: { expected: 9.33 },
        cost: { currency: "EUR", expected: 891.02 },
        nodes: 1,
        countedOptions: 1,
      },
      { of: mvp.id, threadTitle: "MVP", hours: { expected: 14.33 }, nodes: 3, countedOptions: 2 },
      { of: "current", versionId: null, hours: { expected: 12 }, countedOptions: 1 },
    ]);
    const rows = data.comparison?.rows as unknown as { nodeId: string; cells: unknown[] }[];
    expect(rows.map(({ nodeId }) => nodeId).slice(0, 2)).toEqual([extra, payment?.id]);
    expect(data.comparison?.rowCount).toBe(3);
    expect(rows[0]?.cells).toMatchObject([
      null,
      { title: "Extras", expected: 5, options: [{ title: "Chat", expected: 5 }] },
      null,
    ]);
    expect(rows[1]?.cells).toMatchObject([
      { active: true, expected: 9.33, options: [{ optionId: card?.id }] },
      { active: true, expected: 9.33, options: [{ optionId: card?.id }] },
      { active: true, expected: 12, options: [{ optionId: invoice?.id, expected: 12 }] },
    ]);
  });

  test("has no rows where nothing differs, and shows only so many of them, and of options", async () => {
    const { send, base, pin } = await setLines(app);
    const same = await send("GET", `/compare?versions=${base},current`);
    expect(same.data.comparison).toMatchObject({ rows: [], rowCount: 0 });
    const options = Array.from({ length: limits.comparedOptions + 1 }, (_, n) => ({ title: `o${n}`, hours: 1 }));
    const nodes = Array.from({ length: limits.comparedNodes + 1 }, (_, n) => ({
      title: `n${n}`,
      kind: "group",
      options,
    }));
    await send("PUT", "/tree", { body: { nodes } });
    await pin();
    const { comparison } = (await send("GET", `/compare?versions=${base},current`)).data;
    const rows = comparison?.rows as unknown as { cells: ({ countedOptions: number; options: unknown[] } | null)[] }[];
    // The node of the first version differs too: it is gone.
    expect([rows.length, comparison?.rowCount]).toEqual([limits.comparedNodes, limits.comparedNodes + 2]);
    const cell = rows.at(-1)?.cells.at(-1);
    expect([cell?.countedOptions, cell?.options.length]).toEqual([options.length, limits.comparedOptions]);
  });

  test("takes two to five of the same estimation", async () => {
    const [mine, other] = [await setLines(app), await setLines(app)];
    const versions = [mine.base];
    for (const title of ["A", "B", "C", "D", "E"]) {
      await mine.rename(title);
      versions.push((await mine.pin()).id);
    }
    const compare = (...of: string[]) => mine.send("GET", `/compare?versions=${of.join(",")}`);
    expect((await compare(...versions.slice(0, 5))).data.comparison?.columns).toHaveLength(5);
    for (const of of [versions, versions.slice(0, 1), [mine.base, mine.base]])
      expect((await compare(...of)).status).toBe(400);
    expect((await mine.send("GET", "/compare")).status).toBe(400);
    for (const strange of [other.base, other.main, "none"])
      expect((await compare(mine.base, strange)).status).toBe(404);
  });
});
