import { expect, test } from "vitest";
import { type Content, ownOf } from "./content.ts";
import { draftOf, readDraft } from "./drafts.ts";

const DAY_MS = 24 * 3_600_000;

const own = ownOf({
  title: "Shop",
  description: "",
  assumptions: "",
  clientName: null,
  tags: [],
  hourlyRate: null,
  currency: null,
  correlation: 0.2,
  rounding: 0.01,
});
const content: Content = { tree: { nodes: [] }, own };
const draft = draftOf(content, '"3"', { ...content, refused: {} }, []);
const read = (changes: object, ageMs = 0) =>
  readDraft(JSON.stringify({ ...draft, ...changes }), draft.storedAt + ageMs);

test("a draft is read as it was stored, for thirty days", () => {
  expect(read({})).toEqual(draft);
  expect(read({}, 30 * DAY_MS - 1)).toEqual(draft);
  expect(read({}, 30 * DAY_MS)).toBe(null);
});

test.each([{ format: 0 }, { format: draft.format + 1 }, { format: undefined }, { storedAt: undefined }])(
  "what another version stored is not read: %o",
  (changes) => {
    expect(read(changes)).toBe(null);
  },
);

test.each(["", "{", "null", "7", "[]"])("what is damaged is not read: %s", (text) => {
  expect(readDraft(text, 0)).toBe(null);
});
