import fc from "fast-check";
import { expect, test } from "vitest";
import type { Snapshot } from "../../../domain/versions/shape.ts";
import { request, start } from "../../../tests/harness.ts";
import { startAnother } from "../../../tests/support/another-process.ts";
import { setLines } from "./testing/lines.ts";

const app = await start();

/** What a person does; `thread` and `other` say with which of three threads. */
const step = fc.record({
  verb: fc.constantFrom("add", "change", "remove", "clash", "switch", "merge", "undo", "pin"),
  thread: fc.nat({ max: 2 }),
  other: fc.nat({ max: 2 }),
  side: fc.constantFrom("into", "from"),
});
const people = fc.array(fc.array(step, { minLength: 4, maxLength: 8 }), { minLength: 2, maxLength: 5 });

const ALLOWED = ["merge_conflict", "thread_not_open", "head_moved"];

test("users who switch, merge and edit at the same time, at two processes, lose no edit: each is in a version", async () => {
  const urls = [app.url, await startAnother(app)];
  let made = 0;
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(people, async (plans) => {
      const lines = await setLines(app);
      const [payment] = await lines.nodes();
      const card = (await lines.option("Card")).id;
      // Each is changed or removed once: a later edit of the same thing may rightly replace an earlier one.
      const options = Array.from({ length: plans.flat().length }, (_, at) => ({ title: `Part ${at}`, hours: 1 }));
      const nodes = [payment, { title: "Parts", kind: "multi", options }];
      await lines.send("PUT", "/tree", { body: { nodes } });
      const free = (await lines.nodes())[1]?.options.map(({ id }) => id) ?? [];
      const { id: base, number: first } = await lines.pin();
      const threads = [lines.main, (await lines.fork("MVP", base)).id, (await lines.fork("Client B", base)).id];
      const acknowledged = { added: [] as string[], changed: [] as [string, string][], removed: [] as string[] };

      const act = async (person: number, { verb, ...pick }: (typeof plans)[number][number]): Promise<void> => {
        const send = async (method: string, below: string, body?: object) => {
          const url = String(urls[person % urls.length]);
          const response = await request(url, method, lines.path + below, { token: lines.owner.token, body });
          seen.add(`${verb} ${response.status}`);
          if (response.status >= 300 && !ALLOWED.includes(String(response.body.message)))
            throw new Error(response.text);
          return response;
        };
        made += 1;
        const [thread, other] = [String(threads[pick.thread]), String(threads[pick.other])];
        if (verb === "add") {
          const title = `Added ${made}`;
          await send("POST", `/tree/nodes/${payment?.id}/options`, { title, hours: 1 });
          acknowledged.added.push(title);
        } else if (verb === "change") {
          const [id, title] = [String(free.pop()), `Changed ${made}`];
          await send("PATCH", `/tree/options/${id}`, { title });
          acknowledged.changed.push([id, title]);
        } else if (verb === "remove") {
          const id = String(free.pop());
          await send("DELETE", `/tree/options/${id}`);
          acknowledged.removed.push(id);
        } else if (verb === "clash") await send("PATCH", `/tree/options/${card}`, { hours: made });
        else if (verb === "pin") await send("POST", "/versions");
        else if (verb === "switch") await send("POST", `/threads/${thread}/switch`);
        else if (thread !== other) {
          const tried = await send("POST", `/threads/${thread}/merge`, { into: other, dryRun: true });
          const conflicts = (tried.data.merge?.conflicts ?? []) as unknown as { id: string }[];
          const resolutions = conflicts.map(({ id }) => ({ id, side: pick.side }));
          const { data } = await send("POST", `/threads/${thread}/merge`, { into: other, resolutions });
          const version = data.merge?.version;
          if (verb === "undo" && version?.parents?.[1] !== undefined) {
            await send("POST", `/threads/${other}/undo-merge`, { versionId: version.id });
          }
          // Merged threads continue.
          if (thread !== lines.main) await send("PATCH", `/threads/${thread}`, { status: "open" });
        }
      };
      await Promise.all(
        plans.map(async (plan, person) => {
          for (const one of plan) await act(person, one);
        }),
      );

      await lines.pin();
      const versions = await lines.list();
      const contents = await Promise.all(versions.map(async ({ id }) => (await lines.read(id)).content as Snapshot));
      const read = contents.map(
        ({ tree }) => new Map(tree.nodes.flatMap(({ options: all }) => all.map(({ id, title }) => [id, title]))),
      );
      const kept = new Set(read.flatMap((titles) => [...titles.values()]));
      expect(acknowledged.added.filter((title) => !kept.has(title))).toEqual([]);
      const isChanged = ([id, title]: readonly [string, string]) => read.some((titles) => titles.get(id) === title);
      expect(acknowledged.changed.filter((change) => !isChanged(change))).toEqual([]);
      // All these follow a version that has every option.
      const later = read.filter((_, at) => Number(versions[at]?.number) > first);
      const isRemoved = (id: string) => later.some((titles) => !titles.has(id));
      expect(acknowledged.removed.filter((id) => !isRemoved(id))).toEqual([]);
      // One history without gaps, in which parents come first, and one current thread.
      expect(versions.map(({ number }) => number)).toEqual(versions.map((_, at) => versions.length - at));
      const numbers = new Map(versions.map(({ id, number }) => [id, number]));
      for (const { number, parents } of versions)
        for (const parent of parents) expect(numbers.get(parent)).toBeLessThan(number);
      const now = await lines.threads();
      expect(now.filter(({ current }) => current)).toHaveLength(1);
      for (const { headVersionId } of now) expect(numbers.has(String(headVersionId))).toBe(true);
    }),
    { numRuns: 8 },
  );
  expect([...seen]).toEqual(
    expect.arrayContaining(["add 201", "change 200", "remove 200", "clash 200", "switch 200", "merge 200", "undo 200"]),
  );
});
