import { EventEmitter, on } from "node:events";
import { connect } from "node:net";
import Type from "typebox";
import { describe, expect, expectTypeOf, onTestFinished, test } from "vitest";
import { type ApiError, clientOf } from "../../contract/client/client.ts";
import { endpoints } from "../../contract/endpoint.ts";
import { limits } from "../../contract/limits.ts";
import { OneOf, Shape } from "../../contract/shapes.ts";
import { docsPage } from "../../server/http/docs/docs-page.ts";
import { openApi } from "../../server/http/openapi/document.ts";
import { request, start, until } from "../harness.ts";
import { serveEndpoints } from "../support/planted-endpoints.ts";

const planted = endpoints({
  getReport: {
    method: "GET",
    path: "/api/report",
    summary: "Read a report",
    access: "estimations:read",
    query: Shape({ name: Type.String(), as: OneOf(["text/csv", "text/markdown"]) }),
    response: { status: 200, file: ["text/csv", "text/markdown"] },
    etag: true,
  },
  watchProgress: {
    method: "GET",
    path: "/api/progress",
    summary: "Watch the progress",
    access: "estimations:read",
    response: { status: 200, stream: Shape({ done: Type.Integer() }) },
  },
  watchMuch: {
    method: "GET",
    path: "/api/much",
    summary: "Watch very much",
    access: "estimations:read",
    response: { status: 200, stream: Shape({ text: Type.String() }) },
  },
});

const WIDE = "x".repeat(64 * 1024);

const app = await start();
// A key, which outlives a stream as a session does not.
const token = await app.makeKey(await app.signUp(), ["estimations:read"]);
const progress = new EventEmitter();
/** How many wide events were made; -1 once their stream has ended. */
let sent = 0;
const { url, stop } = await serveEndpoints(app.services, planted, {
  getReport: async ({ query: { name, as } }) => ({ file: { name, type: as, text: "a,ü\r\n" }, revision: 7 }),
  async watchProgress({ signal }) {
    async function* values() {
      yield { done: 0 };
      for await (const [done] of on(progress, "done", { signal })) {
        if (done < 0) throw new Error("it broke");
        yield { done };
      }
    }
    return { stream: values() };
  },
  async watchMuch() {
    async function* values() {
      try {
        for (;;) {
          sent += 1;
          yield { text: WIDE };
        }
      } finally {
        sent = -1;
      }
    }
    return { stream: values() };
  },
});
const client = clientOf(planted, url, () => token);

describe("a file", () => {
  const read = (name: string, headers = {}) =>
    request(url, "GET", `/api/report?as=text/csv&name=${encodeURIComponent(name)}`, { token, headers });

  test.each([
    ["shop.csv", "attachment; filename=shop.csv"],
    ['the "shop".csv', 'attachment; filename="the \\"shop\\".csv"'],
    [
      "größe 日本.csv",
      "attachment; filename=\"gr??e ??.csv\"; filename*=UTF-8''gr%C3%B6%C3%9Fe%20%E6%97%A5%E6%9C%AC.csv",
    ],
    ["100%25.csv", "attachment; filename=100%25.csv; filename*=UTF-8''100%2525.csv"],
  ])("is sent with its type and its name: %s", async (name, disposition) => {
    const { status, headers, text } = await read(name);
    expect([status, headers.get("content-type"), text]).toEqual([200, "text/csv; charset=utf-8", "a,ü\r\n"]);
    expect(headers.get("content-disposition")).toBe(disposition);
    const saved = await client.getReport({ query: { name, as: "text/csv" } });
    expectTypeOf(saved.file).toEqualTypeOf<Blob>();
    expect([saved.fileName, await saved.file.text()]).toEqual([name, "a,ü\r\n"]);
  });

  test("has an ETag, and is not sent to a client that already has it", async () => {
    expect((await read("a")).headers.get("etag")).toBe('"7"');
    const known = await read("a", { "if-none-match": '"7"' });
    expect([known.status, known.text]).toEqual([304, ""]);
  });

  test("is refused in the envelope", async () => {
    const refused = await request(url, "GET", "/api/report?name=a&as=text/csv");
    expect([refused.status, refused.body.success]).toEqual([401, false]);
  });
});

describe("a stream of events", () => {
  const watch = async () => {
    const { stream } = await client.watchProgress();
    expectTypeOf(stream).toEqualTypeOf<AsyncIterable<{ done: number }>>();
    const iterator = stream[Symbol.asyncIterator]();
    expect((await iterator.next()).value).toEqual({ done: 0 });
    await until(() => progress.listenerCount("done") > 0);
    return iterator;
  };
  const nobodyListens = () => until(() => progress.listenerCount("done") === 0);

  test("sends each event at once, until its time is over", async () => {
    const stream = await watch();
    progress.emit("done", 1);
    expect(await stream.next()).toEqual({ done: false, value: { done: 1 } });
    await app.clock.advance(limits.eventStreamSeconds * 1_000 - 1);
    progress.emit("done", 2);
    expect(await stream.next()).toEqual({ done: false, value: { done: 2 } });
    await app.clock.advance(1);
    expect(await stream.next()).toEqual({ done: true, value: undefined });
    await nobodyListens();
  });

  test("is cut off if the handler fails, so that its reader notices", async () => {
    const stream = await watch();
    progress.emit("done", -1);
    await expect(stream.next()).rejects.toThrow();
    await nobodyListens();
  });

  test("ends when its reader disconnects", async () => {
    const stream = await watch();
    await stream.return?.();
    await nobodyListens();
  });

  test("is cut off from a client that does not read, and not before it had its time", async () => {
    const { port } = new URL(url);
    const socket = connect(Number(port), "127.0.0.1").pause();
    onTestFinished(() => void socket.destroy());
    socket.write(`GET /api/much HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`);
    // Until neither side has room for more.
    let [before, times] = [0, 0];
    await until(() => {
      times = sent > 0 && sent === before ? times + 1 : 0;
      before = sent;
      return times === 10;
    });
    await app.clock.advance(29_999);
    expect(sent).toBe(before);
    await app.clock.advance(1);
    await until(() => sent === -1);
  });

  test("is refused to a user with the maximum of streams, and to no other user", async () => {
    const streams = [];
    for (let count = 0; count < limits.streamsPerUser; count += 1) streams.push(await watch());
    const refused = await request(url, "GET", "/api/progress", { token });
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "1"]);
    const other = await app.signUp();
    const theirs = await clientOf(planted, url, () => other.token).watchProgress();
    for await (const value of theirs.stream) {
      expect(value).toEqual({ done: 0 });
      break;
    }
    await streams.pop()?.return?.();
    const again = await until(() => watch().catch((error: ApiError) => error.status !== 429 && Promise.reject(error)));
    for (const stream of [...streams, again]) await stream.return?.();
    await nobodyListens();
  });

  test("ends when the service stops", async () => {
    const stream = await watch();
    const stopped = stop();
    expect((await stream.next()).done).toBe(true);
    await stopped;
    await nobodyListens();
  });
});

test("the description and the reference page show both kinds", () => {
  const groups = [{ title: "Planted", section: "Estimating", description: "x", endpoints: planted }] as const;
  const { paths } = JSON.parse(JSON.stringify(openApi(groups, url)));
  const [file, stream] = ["/api/report", "/api/progress"].map((path) => paths[path].get.responses[200]);
  expect(Object.keys(file.content)).toEqual(["text/csv", "text/markdown"]);
  expect(file.headers).toMatchObject({ ETag: {}, "Content-Disposition": {} });
  expect(stream.content["text/event-stream"]["x-itemSchema"].properties).toEqual({ done: { type: "integer" } });
  const page = docsPage(groups, url);
  expect(page).toContain("A file: text/csv, text/markdown");
  expect(page).toContain("Server-sent events");
});
