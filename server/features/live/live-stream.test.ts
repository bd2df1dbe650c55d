import { expect, test } from "vitest";
import type { LiveEvent } from "../../../contract/endpoints/live.ts";
import { limits } from "../../../contract/limits.ts";
import { LiveStream } from "./live-stream.ts";

/** What the reader of a stream gets of an estimation after changes by so many people. */
async function afterChanges(count: number, more: readonly LiveEvent["changes"][] = []) {
  const stream = new LiveStream("str_1", { userId: "usr_0", isPerson: true });
  const by = (number: number) => ({ kind: "content.edited", person: { id: `usr_${number}`, name: "P" } }) as const;
  const each = [...Array.from({ length: count }, (_, number) => [by(number)]), ...more];
  for (const changes of each)
    stream.push({ type: "changed", estimationId: "est_1", revision: 1, changes: changes ?? [] });
  stream.end();
  const events: LiveEvent[] = [];
  for await (const event of stream.events(new AbortController().signal)) events.push(event);
  expect(events).toHaveLength(1);
  return events[0]?.changes?.map(({ person }) => person.id);
}

test("what a slow reader gets lists as many changes as the limit, the newest", async () => {
  const all = await afterChanges(limits.liveChanges);
  expect(all).toEqual(Array.from({ length: limits.liveChanges }, (_, number) => `usr_${number}`));
  const more = await afterChanges(limits.liveChanges + 1);
  expect(more).toEqual(Array.from({ length: limits.liveChanges }, (_, number) => `usr_${number + 1}`));
});

test("that all is to be read again is not lost among changes", async () => {
  const later = [{ kind: "content.edited", person: { id: "usr_9", name: "P" } }] as const;
  expect(await afterChanges(1, [[], [...later]])).toEqual([]);
});
