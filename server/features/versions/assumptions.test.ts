import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { formerHashedText } from "../../../domain/versions/canonical.ts";
import type { Snapshot } from "../../../domain/versions/shape.ts";
import { start } from "../../../tests/harness.ts";
import { changesNothing } from "../../../tests/support/dump.ts";
import { type Scene, setScene } from "./testing/scene.ts";

const app = await start();

const assumptions = "Texts come from you.\nTwo rounds of feedback are included.";

/** Makes the stored content of a version what a version of this program had stored that knew no assumptions. */
async function makeOld({ id, read }: Scene, versionId: string): Promise<string> {
  const { content } = await read(versionId);
  const { assumptions: _, ...former } = JSON.parse(
    JSON.stringify(content, (name, value) => (name === "origin" ? (value ?? undefined) : value)),
  );
  const text = formerHashedText({ ...former, assumptions: "" } as Snapshot) ?? "";
  const hash = createHash("sha256").update(text).digest();
  await app.pool.query(
    `with stored as (insert into version_snapshots (estimation_id, content_hash, schema, snapshot, bytes)
       values ($1, $2, 1, $3::text::json, octet_length($3::text)) returning content_hash)
     update versions set content_hash = $2 from stored where estimation_id = $1 and versions.id = $4`,
    [id, hash, JSON.stringify(former), versionId],
  );
  return hash.toString("hex");
}

test("a version has the assumptions, a diff shows them, and restoring brings them back", async () => {
  const { send, pin, read } = await setScene(app);
  await send("PUT", "", { body: { assumptions } });
  const first = await pin();
  expect((await read(first.id)).content.assumptions).toBe(assumptions);
  await send("PUT", "", { body: { assumptions: "" } });
  const { diff } = (await send("GET", `/versions/${first.id}/diff`)).data;
  expect(diff?.operations).toMatchObject([
    { op: "changed", target: "setting", field: "assumptions", before: assumptions, after: "", hoursDelta: 0 },
  ]);
  const { data } = await send("POST", `/versions/${first.id}/restore`);
  expect([data.estimation?.assumptions, data.version?.contentHash]).toEqual([assumptions, first.contentHash]);
});

test("a review becomes stale with other assumptions, and is not any more with the former ones", async () => {
  const { send } = await setScene(app);
  const reviewer = await app.signUp();
  expect((await send("POST", "/reviews", { body: { reviewerId: reviewer.userId } })).status).toBe(201);
  const stale = async (text: string) =>
    (await send("PUT", "", { body: { assumptions: text } })).data.estimation?.reviewStale;
  expect([await stale(assumptions), await stale("")]).toEqual([true, false]);
});

test("a version from before there were assumptions is read as one without any, with the hash of its time", async () => {
  const scene = await setScene(app);
  const { send, pin, read, list } = scene;
  const first = await pin();
  const contentHash = await makeOld(scene, first.id);
  const old = await read(first.id);
  expect(old).toMatchObject({ schema: 1, contentHash, content: { title: "Shop", assumptions: "" } });
  // Its content is the current one: there is no other version to make of it.
  const again = await changesNothing(app, () => send("POST", "/versions"));
  expect([again.status, again.data.version?.id]).toEqual([200, first.id]);
  expect((await send("GET", `/versions/${first.id}/diff`)).data.diff?.operations).toEqual([]);
  await send("PUT", "", { body: { assumptions } });
  const second = await pin();
  expect([(await read(second.id)).schema, second.parents]).toEqual([2, [first.id]]);
  expect((await send("GET", `/versions/${first.id}/diff`)).data.diff?.operations).toMatchObject([
    { field: "assumptions", before: "", after: assumptions },
  ]);
  const restored = (await send("POST", `/versions/${first.id}/restore`)).data;
  expect(restored.estimation).toMatchObject({ title: "Shop", assumptions: "" });
  expect((await list()).map(({ number }) => number)).toEqual([3, 2, 1]);
});

test("threads from before there were assumptions are merged with those that have some", async () => {
  const scene = await setScene(app);
  const { send, pin, id } = scene;
  const base = await pin();
  await makeOld(scene, base.id);
  const { thread } = (await send("POST", "/threads", { body: { title: "MVP", baseVersionId: base.id } })).data;
  await send("POST", `/threads/${thread?.id}/switch`);
  await send("PUT", "", { body: { assumptions } });
  await pin();
  const main = `thr_${id.slice("est_".length)}`;
  await send("POST", `/threads/${main}/switch`);
  expect((await send("GET", "")).data.estimation?.assumptions).toBe("");
  const { status, data } = await send("POST", `/threads/${thread?.id}/merge`, { body: { into: main } });
  expect([status, data.estimation?.assumptions]).toEqual([200, assumptions]);
});
