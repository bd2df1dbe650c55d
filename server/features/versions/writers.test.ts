import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import type { Option, Tree } from "../../../contract/values/tree.ts";
import { walk } from "../../../domain/tree/shape.ts";
import { hashedText } from "../../../domain/versions/canonical.ts";
import { type Response, request, start } from "../../../tests/harness.ts";
import { startAnother } from "../../../tests/support/another-process.ts";
import { hashOf, setScene } from "./testing/scene.ts";

const WRITERS = 50;
/** Writers that also raise a number which all of them share, each time from what they have read. */
const COUNTERS = 10;

const app = await start();

const optionsOf = (tree: Tree): Map<string, Option> => {
  const options = new Map<string, Option>();
  walk(tree.nodes, { option: (option) => void options.set(option.id, option) });
  return options;
};

test("fifty writers at two processes lose no acknowledged edit, and every version's hash is that of its content", async () => {
  const urls = [app.url, await startAnother(app)];
  const scene = await setScene(app);
  const shared = (await scene.send("GET", "/tree")).data.tree?.nodes?.[0]?.options?.[0]?.id;
  let acknowledged = 0;

  /** What a writer's responses said, with the version that it made afterwards. */
  async function write(writer: number) {
    const url = String(urls[writer % urls.length]);
    const send = (method: string, below: string, body?: object, headers: Record<string, string> = {}) =>
      request(url, method, scene.path + below, { token: scene.owner.token, body, headers });
    const change = async (...call: Parameters<typeof send>): Promise<Response> => {
      let response = await send(...call);
      // On a slow machine it waited longer than a writer may, and is to try again.
      while (response.status === 503) response = await send(...call);
      if (response.status >= 300) throw new Error(`${call[0]} ${call[1]}: ${response.status} ${response.text}`);
      acknowledged += 1;
      return response;
    };
    const node = (await change("POST", "/tree/nodes", { title: `Part ${writer}`, kind: "multi" })).data.node?.id;
    const option = { title: `Work ${writer}`, hours: writer };
    const id = String((await change("POST", `/tree/nodes/${node}/options`, option)).data.option?.id);
    await change("POST", `/tree/options/${id}/select`);
    await change("PATCH", `/tree/options/${id}`, { quantity: 2 });
    for (let isDone = writer >= COUNTERS; !isDone; ) {
      const { data, headers } = await send("GET", "/tree");
      const quantity = (optionsOf(data.tree as unknown as Tree).get(String(shared))?.quantity ?? 0) + 1;
      const raised = await send(
        "PATCH",
        `/tree/options/${shared}`,
        { quantity },
        { "if-match": `${headers.get("etag")}` },
      );
      expect([200, 412, 503]).toContain(raised.status);
      isDone = raised.status === 200;
      if (isDone) acknowledged += 1;
    }
    let version = await send("POST", "/versions", { label: `${writer}` });
    while (version.status === 503) version = await send("POST", "/versions", { label: `${writer}` });
    expect([200, 201]).toContain(version.status);
    return { id, writer, versionId: String(version.data.version?.id) };
  }

  const written = await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));

  const { tree } = (await scene.send("GET", "/tree")).data as unknown as { tree: Tree };
  const options = optionsOf(tree);
  const asWritten = ({ id, writer }: { id: string; writer: number }) => {
    const { title, quantity, selected, hours } = options.get(id) ?? {};
    return [title, quantity, selected, hours?.likely, writer];
  };
  expect(written.map(asWritten)).toEqual(written.map(({ writer }) => [`Work ${writer}`, 2, true, writer, writer]));
  expect(options.get(String(shared))?.quantity).toBe(1 + COUNTERS);
  // The estimation and its first tree are the revisions before.
  expect((await scene.send("GET", "")).data.estimation?.revision).toBe(2 + acknowledged);

  const versions = await scene.list();
  expect(versions.map(({ number }) => number)).toEqual(versions.map((_, at) => versions.length - at));
  const contents = new Map(await Promise.all(versions.map(async ({ id }) => [id, await scene.read(id)] as const)));
  for (const version of contents.values()) expect(hashOf(version)).toBe(version.contentHash);
  for (const { id, versionId } of written) {
    const content = contents.get(versionId)?.content;
    expect(content && optionsOf(content.tree).get(id)).toMatchObject({ quantity: 2, selected: true });
  }
  const { rows } = await app.pool.query(
    "select snapshot, encode(content_hash, 'hex') as hash from version_snapshots where estimation_id = $1",
    [scene.id],
  );
  expect(rows).toHaveLength(new Set(versions.map(({ contentHash }) => contentHash)).size);
  for (const { snapshot, hash } of rows)
    expect(createHash("sha256").update(hashedText(snapshot)).digest("hex")).toBe(hash);
});
