import { expect } from "vitest";
import type { Endpoint } from "../../../contract/endpoint.ts";
import { type EndpointId, endpointEntries } from "../../../contract/index.ts";
import { CURSOR_LENGTH } from "../../../contract/shapes.ts";
import type { Response } from "../../harness.ts";
import { callSample, queryOf, sampleOf } from "../call.ts";
import type { Loop } from "./loop.ts";
import type { Stage } from "./stage.ts";

const hasCursor = ({ query }: Endpoint): boolean => "cursor" in ((query as { properties?: object })?.properties ?? {});

/** The lists that are read in pages. The stage has at least two records for each of them. */
export const lists = endpointEntries.filter(([, row]) => hasCursor(row));

/** Reads a page of one endpoint, of the list that the sample names. */
const read = ({ app, world }: Stage, id: EndpointId, cursor?: string): Promise<Response> => {
  const page = new URLSearchParams({ limit: "1", ...(cursor === undefined ? {} : { cursor }) });
  const { query } = sampleOf(id, world);
  return callSample(app, id, world, { query: [...(query ? [queryOf(query)] : []), page].join("&") });
};

/** Returns the rows of a page: the only array beside the cursor. */
const rowsOf = ({ data }: Response): unknown[] => Object.values<unknown>(data).find(Array.isArray) ?? [];

async function nextCursor(stage: Stage, id: EndpointId): Promise<string> {
  const { data, text } = await read(stage, id);
  expect(data.nextCursor, text).toEqual(expect.any(String));
  return String(data.nextCursor);
}

const cursors = new WeakMap<Stage, Promise<ReadonlyMap<EndpointId, string>>>();

/** Returns a cursor of every list; they are read once for a stage. */
function cursorsOf(stage: Stage): Promise<ReadonlyMap<EndpointId, string>> {
  const known = cursors.get(stage) ?? readCursors(stage);
  cursors.set(stage, known);
  return known;
}

async function readCursors(stage: Stage): Promise<ReadonlyMap<EndpointId, string>> {
  const found = new Map<EndpointId, string>();
  for (const [id] of lists) found.set(id, await nextCursor(stage, id));
  return found;
}

async function refused(stage: Stage, id: EndpointId, cursor: string): Promise<void> {
  const { status, body } = await read(stage, id, cursor);
  const shown = `${cursor} ${Buffer.from(cursor, "base64url")}`;
  expect([status, body.message, body.errors?.[0]?.path], shown).toEqual([400, "validation_failed", "/cursor"]);
}

const partsOf = (cursor: string): string[] => {
  const parts: unknown[] = JSON.parse(Buffer.from(cursor, "base64url").toString());
  return parts.map((part) => JSON.stringify(part));
};

const forge = (parts: readonly string[]): string => Buffer.from(`[${parts.join(",")}]`).toString("base64url");

export const pagesGoOn: Loop = {
  title: "%s continues where its cursor points",
  endpoints: lists,
  async check(stage, [id]) {
    const first = await read(stage, id);
    const second = await read(stage, id, await nextCursor(stage, id));
    expect([first.status, second.status]).toEqual([200, 200]);
    expect([rowsOf(first).length, rowsOf(second).length]).toEqual([1, 1]);
    expect(rowsOf(second)).not.toEqual(rowsOf(first));
  },
};

const NO_CURSORS = [
  ...["", " ", "x", "\0", "%00", "null", "=", "\u{1f600}", "../..", "' or 1=1 --"],
  ...["null", "{}", "[]", '""', "[[]]", '{"length":2}', "[", "[".repeat(300), "\ufeff[]"].map((text) =>
    Buffer.from(text).toString("base64url"),
  ),
  Buffer.from([0xff, 0xfe, 0x00, 0x80]).toString("base64url"),
  "A".repeat(CURSOR_LENGTH),
  "A".repeat(CURSOR_LENGTH + 1),
];

export const noCursorsAreRefused: Loop = {
  title: "%s refuses text that is not a cursor, and a cursor that is too long",
  endpoints: lists,
  async check(stage, [id]) {
    for (const cursor of NO_CURSORS) await refused(stage, id, cursor);
  },
};

/** JSON that is not a sort value of any list. */
const BAD_PARTS = [
  '""',
  '"\\u0000"',
  '"\\ud800"',
  '"est_\\u0000"',
  '"est_01m7xzrsdpe4haa1d6nkzw94y5\\n"',
  "null",
  "true",
  "{}",
  "[]",
  '{"toString":1}',
  "1e309",
  "-1e309",
  "-1",
  "0.5",
  "2147483648",
  "1e300",
  '"NaN"',
  '"0000-01-01T00:00:00.000Z"',
  '"-000001-01-01T00:00:00.000Z"',
  '"+275760-09-13T00:00:00.001Z"',
  '"9999-12-31T23:59:59-23:59"',
  '"2026-02-30T00:00:00.000Z"',
];

export const changedCursorsAreRefused: Loop = {
  title: "%s refuses a changed cursor of its own, one with a part too many or too few, and cursors of other lists",
  endpoints: lists,
  async check(stage, [id]) {
    const parts = partsOf(await nextCursor(stage, id));
    for (const at of parts.keys()) for (const bad of BAD_PARTS) await refused(stage, id, forge(parts.with(at, bad)));
    for (const length of parts.keys()) await refused(stage, id, forge(parts.slice(0, length)));
    for (const more of ["null", '""', "0", parts.at(-1) ?? ""]) await refused(stage, id, forge([...parts, more]));
    await refused(stage, id, forge([...parts].reverse()));
    for (const [other, cursor] of await cursorsOf(stage)) if (other !== id) await refused(stage, id, cursor);
  },
};
