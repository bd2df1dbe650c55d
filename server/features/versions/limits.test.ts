import { describe, expect, test } from "vitest";
import { limits } from "../../../contract/limits.ts";
import { start } from "../../../tests/harness.ts";
import { loadConfig } from "../../config.ts";
import { purgeEstimations } from "../../services/purge-estimations.ts";
import { removeDeleted } from "../estimations/removal-store.ts";
import { type Scene, setScene } from "./testing/scene.ts";

const { quotas } = loadConfig({});
const MIB = 1024 * 1024;
/** What submitting leaves to other versions. */
const MOST = limits.versions * 0.9;
const MOST_BYTES = Math.floor(MIB * 0.9);
const app = await start({ config: { quotas: { ...quotas, versionBytes: MIB } } });

const bytesOf = async ({ owner }: Scene): Promise<{ counted: number; stored: number }> => {
  const { rows } = await app.pool.query(
    `select version_bytes::int as counted, (select coalesce(sum(octet_length(snapshot::text)), 0)::int
       from version_snapshots s join estimations e on e.id = s.estimation_id where e.owner_id = $1) as stored
       from estimation_usage where owner_id = $1`,
    [owner.userId],
  );
  return rows[0];
};

/** Lets the next version have this number. */
const skipTo = (id: string, number: number) =>
  app.pool.query("update versions set number = $2 - 1 where estimation_id = $1", [id, number]);

/** Gives the estimation a tree that takes some `kib` KiB, other than before. */
const fill = ({ send }: Scene, kib: number) => {
  const options = Array.from({ length: kib / 8 }, () => ({
    title: crypto.randomUUID(),
    description: "x".repeat(8 * 1024 - 300),
    hours: 1,
  }));
  return send("PUT", "/tree", { body: { nodes: [{ title: "n", kind: "group", options }] } });
};

describe("the number of versions", () => {
  test("is limited: making and restoring are refused, generating and submitting still work", async () => {
    const scene = await setScene(app);
    const { id, send, pin, rename } = scene;
    const first = await pin();
    await skipTo(id, MOST);
    await rename("Last");
    expect((await send("POST", "/versions")).data.version?.number).toBe(MOST);
    expect((await send("POST", "/versions")).status).toBe(200);
    await rename("Beyond");
    const details = { quota: "versions", limit: MOST };
    for (const below of ["/versions", `/versions/${first.id}/restore`]) {
      const { status, body } = await send("POST", below);
      expect([status, body.message, body.details], below).toEqual([409, "limit_reached", details]);
    }
    expect((await send("POST", "/tasks/generate")).status).toBe(200);
    const latest = async () => (await send("GET", "/versions?limit=1")).data.versions?.[0]?.number;
    expect(await latest()).toBe(MOST);
    expect((await send("POST", "/submit")).status).toBe(200);
    expect(await latest()).toBe(MOST + 1);
  });

  test("reserves a part for submitting, which has a limit too", async () => {
    const { id, send, pin, rename } = await setScene(app);
    await pin();
    await skipTo(id, limits.versions);
    await rename("Last");
    expect((await send("POST", "/submit")).status).toBe(200);
    await send("POST", "/reopen");
    await rename("Beyond");
    const refused = await send("POST", "/submit");
    expect([refused.status, refused.body.details]).toEqual([409, { quota: "versions", limit: limits.versions }]);
  });

  test("is not the reason of a refusal if the content is locked", async () => {
    const { id, send, pin, rename } = await setScene(app);
    const first = await pin();
    await rename("Locked");
    await send("POST", "/submit");
    // As where an estimation was submitted before there were versions.
    await app.pool.query("delete from versions where estimation_id = $1 and number = 2", [id]);
    await skipTo(id, limits.versions + 1);
    expect((await send("POST", `/versions/${first.id}/restore`)).body.message).toBe("estimation_locked");
  });

  test("leaves no room for a restored version if the content before it takes the last one", async () => {
    const { id, send, pin, rename } = await setScene(app);
    const first = await pin();
    await skipTo(id, MOST);
    await rename("Last");
    expect((await send("POST", `/versions/${first.id}/restore`)).body.message).toBe("limit_reached");
  });
});

describe("a label", () => {
  test("has a maximum length, and at least one character that is not a space", async () => {
    const { send, pin, rename } = await setScene(app);
    const label = "𝄞".repeat(limits.titleLength);
    expect((await pin({ label })).label).toBe(label);
    await rename("Other");
    for (const wrong of [`${label}x`, "", " "]) {
      expect((await send("POST", "/versions", { body: { label: wrong } })).status).toBe(400);
    }
  });
});

describe("the contents of a user's versions", () => {
  test("share the quota, each content counted once, and a refused request changes nothing", async () => {
    const first = await setScene(app);
    const second = await setScene(app, first.owner);
    await fill(first, 600);
    await first.pin();
    await first.rename("Other");
    // The same tree under another title is another content.
    const refused = await first.send("POST", "/versions");
    expect([refused.status, refused.body.details]).toEqual([409, { quota: "versionBytes", limit: MOST_BYTES }]);
    const before = await bytesOf(first);
    expect((await first.send("POST", "/tasks/generate")).status).toBe(200);
    expect([await bytesOf(first), (await first.list()).length]).toEqual([before, 1]);
    await first.rename("Shop");
    await fill(second, 304);
    expect((await second.pin()).number).toBe(1);
    const { counted, stored } = await bytesOf(first);
    expect(counted).toBe(stored);
    expect([counted > 0.95 * MOST_BYTES, counted <= MOST_BYTES]).toEqual([true, true]);
    await second.rename("Other");
    await fill(second, 80);
    expect((await second.send("POST", "/versions")).body.message).toBe("limit_reached");
    expect((await second.send("POST", "/submit")).status).toBe(200);
    expect((await bytesOf(first)).counted).toBeGreaterThan(MOST_BYTES);
  });

  test("still count when their estimation is deleted, until they are removed with it", async () => {
    const scene = await setScene(app);
    const { id, send, pin, rename } = scene;
    for (let n = 0; n < 12; n += 1) {
      await rename(`Title ${n}`);
      await pin();
    }
    const { counted, stored } = await bytesOf(scene);
    expect([counted, counted > 0]).toEqual([stored, true]);
    await send("DELETE", "");
    expect((await bytesOf(scene)).counted).toBe(counted);
    const removal = removeDeleted(app.services.pool, new Date(app.clock.now().getTime() + 1), purgeEstimations);
    const left = async () =>
      (
        await app.pool.query(
          "select (select count(*)::int from versions where estimation_id = $1) as versions, (select count(*)::int from version_snapshots where estimation_id = $1) as snapshots",
          [id],
        )
      ).rows[0];
    expect(await left()).toEqual({ versions: 12, snapshots: 12 });
    while (await removal(1_000));
    expect([await left(), await bytesOf(scene)]).toEqual([
      { versions: 0, snapshots: 0 },
      { counted: 0, stored: 0 },
    ]);
  });
});
