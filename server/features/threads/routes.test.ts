import { describe, expect, test } from "vitest";
import { limits } from "../../../contract/limits.ts";
import { start } from "../../../tests/harness.ts";
import { setLines } from "./testing/lines.ts";

const app = await start();

describe("comparing", () => {
  test("shows versions, threads and the current content side by side, with a row for each node that differs", async () => {
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
    const rows = data.rows as unknown as { nodeId: string; differences: string[]; cells: unknown[] }[];
    expect(rows.map(({ nodeId }) => nodeId).slice(0, 2)).toEqual([extra, payment?.id]);
    expect(data.comparison?.rowCount).toBe(3);
    expect(rows.map(({ differences }) => differences)).toEqual([["presence"], ["counted", "details"], ["presence"]]);
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

  test("has no rows if nothing differs, returns rows in pages, and a limited number of options of each", async () => {
    const { send, base, pin } = await setLines(app);
    const same = await send("GET", `/compare?versions=${base},current`);
    expect((await send("GET", `/compare?versions=${base}%2Ccurrent`)).body).toEqual({ ...same.body });
    expect(same.data).toMatchObject({ comparison: { rowCount: 0 }, rows: [], nextCursor: null });
    const options = Array.from({ length: limits.comparedOptions + 1 }, (_, n) => ({ title: `o${n}`, hours: 1 }));
    const nodes = Array.from({ length: 250 }, (_, n) => ({ title: `n${n}`, kind: "group", options }));
    await send("PUT", "/tree", { body: { nodes } });
    await pin();
    type Row = { nodeId: string; cells: ({ title: string; countedOptions: number; options: unknown[] } | null)[] };
    const found: Row[] = [];
    for (let cursor = ""; ; ) {
      const { data } = await send("GET", `/compare?versions=${base},current&limit=100${cursor && `&cursor=${cursor}`}`);
      // The node of the first version differs too: it is gone.
      expect(data.comparison?.rowCount).toBe(251);
      found.push(...(data.rows as unknown as Row[]));
      if (data.nextCursor === null) break;
      cursor = String(data.nextCursor);
    }
    expect(found.map(({ cells }) => cells[1]?.title ?? null)).toEqual([...nodes.map(({ title }) => title), null]);
    const cell = found[0]?.cells[1];
    expect([cell?.countedOptions, cell?.options.length]).toEqual([options.length, limits.comparedOptions]);
  });

  test("has a row for a node that was moved, or that differs in nothing that counts", async () => {
    const { send, base, nodes, edit, option } = await setLines(app);
    const [payment] = await nodes();
    const rowsAfter = async (version: string) =>
      (await send("GET", `/compare?versions=${version},current`)).data.rows as unknown as { differences: string[] }[];
    const invoice = await option("Invoice");
    expect([invoice.selected, payment?.kind]).toEqual([false, "single"]);
    await edit("Invoice", { description: "On account" });
    expect(await rowsAfter(base)).toMatchObject([{ nodeId: payment?.id, differences: ["details"] }]);
    await edit("Invoice", { description: invoice.description });
    expect(await rowsAfter(base)).toEqual([]);
    const { node } = (await send("POST", "/tree/nodes", { body: { title: "Extras", kind: "group" } })).data;
    const after = String((await send("POST", "/versions")).data.version?.id);
    await send("POST", `/tree/nodes/${node?.id}/move`, { body: { parentOptionId: invoice.id } });
    expect(await rowsAfter(after)).toMatchObject([{ nodeId: node?.id, differences: ["place", "active"] }]);
  });

  test("accepts two to five contents of the same estimation", async () => {
    const [mine, other] = [await setLines(app), await setLines(app)];
    const versions = [mine.base];
    for (const title of ["A", "B", "C", "D", "E"]) {
      await mine.rename(title);
      versions.push((await mine.pin()).id);
    }
    const compare = (...of: string[]) => mine.send("GET", `/compare?versions=${of.join(",")}`);
    expect((await compare(...versions.slice(0, 5))).data.comparison?.columns).toHaveLength(5);
    for (const compared of [versions, versions.slice(0, 1), [mine.base, mine.base]])
      expect((await compare(...compared)).status).toBe(400);
    expect((await mine.send("GET", "/compare")).status).toBe(400);
    for (const strange of [other.base, other.main, "none"])
      expect((await compare(mine.base, strange)).status).toBe(404);
  });
});
