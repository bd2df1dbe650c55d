import { describe, expect, test } from "vitest";
import type { Endpoint } from "../../contract/endpoint.ts";
import { type EndpointId, endpointRows } from "../../contract/index.ts";
import { limits } from "../../contract/limits.ts";
import { type Answer, start } from "../harness.ts";
import { callSample } from "./call.ts";
import { makeWorld } from "./samples.ts";

const app = await start();
const world = await makeWorld(app);
await addSeconds();

const hasCursor = ({ query }: Endpoint): boolean => "cursor" in ((query as { properties?: object })?.properties ?? {});
const lists = endpointRows.filter(([, row]) => hasCursor(row)).map(([id]) => id);

/** A second record of every list, so that a page of one has a next. */
async function addSeconds(): Promise<void> {
  const { token } = world.user;
  const { estimation, node, option } = world;
  const call = async (method: string, path: string, body?: unknown) => {
    const answer = await app.request(method, path, { token, ...(body === undefined ? {} : { body }) });
    if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text}`);
    return answer.data;
  };
  await call("POST", "/api/estimations", { title: "Second", tags: ["web"] });
  await call("POST", "/api/api-keys", { name: "Second", scopes: [] });
  await call("POST", "/api/webhooks", { url: "https://hooks.example.com/second", events: [] });
  await call("POST", `/api/webhooks/${world.webhook}/test`);
  const added = await call("POST", `/api/estimations/${estimation}/tree/nodes/${node}/options`, {
    title: "Third",
    hours: 3,
  });
  for (const id of [option, String(added.option?.id)]) {
    await call("POST", `/api/estimations/${estimation}/tree/options/${id}/select`);
  }
  await call("POST", `/api/estimations/${estimation}/tasks/generate`);
}

const read = (id: EndpointId, cursor?: string): Promise<Answer> =>
  callSample(app, id, world, {
    query: new URLSearchParams({ limit: "1", ...(cursor === undefined ? {} : { cursor }) }).toString(),
  });

/** The rows of a page: the one array beside the cursor. */
const rowsOf = ({ data }: Answer): unknown[] => Object.values<unknown>(data).find(Array.isArray) ?? [];

async function nextCursor(id: EndpointId): Promise<string> {
  const { data, text } = await read(id);
  expect(data.nextCursor, text).toEqual(expect.any(String));
  return String(data.nextCursor);
}

const partsOf = (cursor: string): string[] => {
  const parts: unknown[] = JSON.parse(Buffer.from(cursor, "base64url").toString());
  return parts.map((part) => JSON.stringify(part));
};

const forge = (parts: readonly string[]): string => Buffer.from(`[${parts.join(",")}]`).toString("base64url");

/** JSON that stands for no sort value of any list. */
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

describe.each(lists)("%s", (id) => {
  const refused = async (cursor: string) => {
    const { status, body } = await read(id, cursor);
    const shown = `${cursor} ${Buffer.from(cursor, "base64url")}`;
    expect([status, body.message, body.errors?.[0]?.path], shown).toEqual([400, "validation_failed", "/cursor"]);
  };

  test("goes on where its own cursor says", async () => {
    const first = await read(id);
    const second = await read(id, await nextCursor(id));
    expect([first.status, second.status]).toEqual([200, 200]);
    expect([rowsOf(first).length, rowsOf(second).length]).toEqual([1, 1]);
    expect(rowsOf(second)).not.toEqual(rowsOf(first));
  });

  test("refuses what is no cursor at all", async () => {
    const texts = ["", " ", "x", "\0", "%00", "null", "=", "\u{1f600}", "../..", "' or 1=1 --"];
    const json = ["null", "{}", "[]", '""', "[[]]", '{"length":2}', "[", "[".repeat(300), "\ufeff[]"];
    const bytes = Buffer.from([0xff, 0xfe, 0x00, 0x80]).toString("base64url");
    for (const cursor of [...texts, ...json.map((text) => Buffer.from(text).toString("base64url")), bytes]) {
      await refused(cursor);
    }
  });

  test("refuses one that is too long", async () => {
    await refused("A".repeat(limits.cursorLength));
    await refused("A".repeat(limits.cursorLength + 1));
  });

  test("refuses its own with any part replaced", async () => {
    const parts = partsOf(await nextCursor(id));
    for (const at of parts.keys()) for (const bad of BAD_PARTS) await refused(forge(parts.with(at, bad)));
  });

  test("refuses its own with parts too many or too few", async () => {
    const parts = partsOf(await nextCursor(id));
    for (const length of parts.keys()) await refused(forge(parts.slice(0, length)));
    for (const more of ["null", '""', "0", parts.at(-1) ?? ""]) await refused(forge([...parts, more]));
    await refused(forge([...parts].reverse()));
  });

  test("refuses the cursors of all other lists", async () => {
    for (const other of lists.filter((one) => one !== id)) await refused(await nextCursor(other));
  });
});

test("all lists that are read in pages are looked at", () => {
  const paged = endpointRows.filter(
    ([, { reply }]) => "data" in reply && JSON.stringify(reply.data).includes("nextCursor"),
  );
  expect(lists).toEqual(paged.map(([id]) => id));
  expect(lists.length).toBeGreaterThan(4);
});
