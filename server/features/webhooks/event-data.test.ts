import { expect, test } from "vitest";
import { type EventName, envelopeAliases, eventNames, events } from "../../../contract/events.ts";
import { bodyOf, type Occurrence } from "./body.ts";
import { checkEventData } from "./enqueue.ts";

test.each(eventNames)("the example of %s matches its schema exactly", (name) => {
  const { example, data } = events[name];
  checkEventData(name, example);
  expect(Object.keys(example).toSorted()).toEqual(Object.keys(data.properties).toSorted());
  for (const field of Object.keys(example)) {
    const { [field]: _, ...less } = example as Record<string, unknown>;
    expect(() => checkEventData(name, less)).toThrow(`${name} breaks its schema`);
    expect(() => checkEventData(name, { ...example, [field]: null })).toThrow(`${name} breaks its schema`);
    const wrong = field === "taskCount" ? "3" : 3;
    expect(() => checkEventData(name, { ...example, [field]: wrong })).toThrow(`${name} breaks its schema`);
  }
  expect(() => checkEventData(name, { ...example, more: "x" })).toThrow(`${name} breaks its schema`);
});

test("every field is a string except taskCount, which is a whole number", () => {
  for (const name of eventNames) {
    for (const [field, schema] of Object.entries(events[name].data.properties))
      expect(schema.type, `${name} ${field}`).toBe(field === "taskCount" ? "integer" : "string");
  }
});

test.each(eventNames)("the envelope of %s adds only its aliases; the bare body has none", (event) => {
  const data = events[event].example;
  const occurrence = { event, data, at: new Date(0) } as Occurrence;
  const aliases = Object.entries(envelopeAliases(event));
  const added = Object.fromEntries(aliases.map(([alias, field]) => [alias, (data as Record<string, string>)[field]]));
  expect(bodyOf("data", "wd_1", occurrence)).toBe(null);
  expect(JSON.parse(bodyOf("envelope", "wd_1", occurrence) ?? "")).toEqual({
    id: "wd_1",
    event,
    createdAt: "1970-01-01T00:00:00.000Z",
    data: { ...data, ...added },
  });
  for (const [alias, field] of aliases) {
    expect(Object.keys(data)).toContain(field);
    expect(Object.keys(data)).not.toContain(alias);
  }
});

test("only share.accepted has an alias", () => {
  const aliased = eventNames.filter((name: EventName) => Object.keys(envelopeAliases(name)).length > 0);
  expect(aliased).toEqual(["share.accepted"]);
  expect(envelopeAliases("share.accepted")).toEqual({ accepterUserId: "accepterEmail" });
});
