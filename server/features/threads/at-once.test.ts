import fc from "fast-check";
import { expect, test } from "vitest";
import type { Snapshot } from "../../../domain/versions/shape.ts";
import { request, start } from "../../../tests/harness.ts";
import { startAnother } from "../../../tests/support/another-process.ts";
import { setLines } from "./testing/lines.ts";

const app = await start();

/** What a person does; `thread` and `other` say with which of three threads. */
const step = fc.record({
  verb: fc.constantFrom("add", "add", "change", "switch", "merge", "pin"),
  thread: fc.nat({ max: 2 }),
  other: fc.nat({ max: 2 }),
  side: fc.constantFrom("into", "from"),
});
const people = fc.array(fc.array(step, { minLength: 4, maxLength: 8 }), { minLength: 2, maxLength: 5 });

const ALLOWED = ["merge_conflict", "thread_not_open"];

test("people who switch, merge and edit at the same time, at two processes, lose no edit: each is in some version", async () => {
  const urls = [app.url, await startAnother(app)];
  let made = 0;
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(people, async (plans) => {
      const lines = await setLines(app);
      const threads = [lines.main, (await lines.fork("MVP")).id, (await lines.fork("Client B")).id];
      const [payment] = await lines.nodes();
      const card = (await lines.option("Card")).id;
      const acknowledged: string[] = [];

      const act = async (person: number, { verb, ...pick }: (typeof plans)[number][number]): Promise<void> => {
        const send = async (method: string, below: string, body?: object) => {
          const url = String(urls[person % urls.length]);
          const answer = await request(url, method, lines.path + below, { token: lines.owner.token, body });
          seen.add(`${verb} ${answer.status}`);
          if (answer.status >= 300 && !ALLOWED.includes(String(answer.body.message))) throw new Error(answer.text);
          return answer;
        };
        made += 1;
        const [thread, other] = [String(threads[pick.thread]), String(threads[pick.other])];
        if (verb === "add") {
          const title = `Added ${made}`;
          await send("POST", `/tree/nodes/${payment?.id}/options`, { title, hours: 1 });
          acknowledged.push(title);
        } else if (verb === "change") await send("PATCH", `/tree/options/${card}`, { hours: made });
        else if (verb === "pin") await send("POST", "/versions");
        else if (verb === "switch") await send("POST", `/threads/${thread}/switch`);
        else if (thread !== other) {
          const tried = await send("POST", `/threads/${thread}/merge`, { into: other, dryRun: true });
          const conflicts = (tried.data.merge?.conflicts ?? []) as unknown as { id: string }[];
          const resolutions = conflicts.map(({ id }) => ({ id, side: pick.side }));
          await send("POST", `/threads/${thread}/merge`, { into: other, resolutions });
          // Merged threads go on.
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
      const kept = new Set(
        contents.flatMap(({ tree }) => tree.nodes.flatMap(({ options }) => options.map(({ title }) => title))),
      );
      expect(acknowledged.filter((title) => !kept.has(title))).toEqual([]);
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
  expect([...seen]).toEqual(expect.arrayContaining(["add 201", "change 200", "switch 200", "merge 200"]));
});
