import { expect, test } from "vitest";
import { ROLL_UP_VERSION } from "../../../domain/tree/roll-up.ts";
import { start } from "../../../tests/harness.ts";
import { recomputeStored } from "../estimations/index.ts";
import { hoursOfVersions } from "./store.ts";
import { setScene } from "./testing/scene.ts";

const app = await start();
const recompute = () => recomputeStored(app.services.pool, hoursOfVersions, new AbortController().signal, 2);

test("hours of versions that an older roll-up computed are computed anew; everything else stays", async () => {
  const { pin, rename, list, send, id } = await setScene(app);
  await pin({ label: "Offer" });
  await rename("Other");
  await pin();
  await rename("Another");
  await pin();
  const before = await list();
  const { revision } = (await send("GET", "")).data.estimation ?? {};
  await app.pool.query("update versions set roll_up_version = 2, hours = '{}' where estimation_id = $1", [id]);
  expect(await recompute()).toBe(3);
  expect(await list()).toEqual(before);
  expect((await send("GET", "")).data.estimation?.revision).toBe(revision);
  const { rows } = await app.pool.query("select distinct roll_up_version as version, hours::jsonb from versions");
  // 4–8–20 h: m = 56/6, σ = √((m − 4)(20 − m)/7); the bounds and σ are stored beside what is shown.
  const bounds = { optimistic: 4, likely: 8, pessimistic: 20, standardDeviation: 2.85 };
  expect(rows).toEqual([{ version: ROLL_UP_VERSION, hours: { ...before[0]?.hours, ...bounds } }]);
  expect(before[0]?.hours).not.toHaveProperty("optimistic");
  expect(await recompute()).toBe(0);
});
