import { describe, expect, it } from "vitest";
import { ROLL_UP_VERSION } from "../../../domain/tree/roll-up.ts";
import { start, until } from "../../../tests/harness.ts";
import { plansOf } from "../../../tests/support/plans.ts";
import { recomputeHours } from "./recompute-hours.ts";

const app = await start();
const { token } = await app.signUp();
const nodes = [
  {
    title: "Scope",
    kind: "group",
    options: [{ title: "Work", hours: { optimistic: 2, likely: 5.25, pessimistic: 13 } }],
  },
];

/** 11·I⁻¹(0.8; α, β) + 2 with the shapes of beta-PERT, α = 1 + 4·3.25/11 and β = 1 + 4·7.75/11. */
const P80 = 7.78;
const BOUNDS = { low: 2, high: 13, deviation: 2 };

/** An estimation with one option, with hours stored by an older version. */
async function outdated(): Promise<string> {
  const { data } = await app.request("POST", "/api/estimations", { token, body: { title: "Old" } });
  const id = String(data.estimation?.id);
  await app.request("PUT", `/api/estimations/${id}/tree`, { token, body: { nodes } });
  await app.pool.query("update estimations set roll_up_version = 1, hours_p80 = 7, hours_deviation = 0 where id = $1", [
    id,
  ]);
  return id;
}

async function stored(id: string) {
  const { rows } = await app.pool.query(
    "select hours_p80 as p80, hours_optimistic as low, hours_pessimistic as high, hours_deviation as deviation, roll_up_version as version, revision, updated_at from estimations where id = $1",
    [id],
  );
  return rows[0];
}

const never = new AbortController().signal;
const recompute = (signal = never, batch = 2) => recomputeHours(app.services.pool, signal, batch);

describe("hours stored by an older version of the roll-up", () => {
  it("are recomputed with the same revision and time of change, in deleted estimations as well", async () => {
    const ids = [await outdated(), await outdated(), await outdated(), await outdated(), await outdated()];
    await app.request("DELETE", `/api/estimations/${ids[4]}`, { token });
    const before = await Promise.all(ids.map(stored));
    app.clock.advance(60_000);
    expect(await recompute()).toBe(5);
    for (const [index, id] of ids.entries()) {
      const { revision, updated_at } = before[index];
      expect(await stored(id)).toEqual({ p80: P80, ...BOUNDS, version: ROLL_UP_VERSION, revision, updated_at });
    }
    const { data } = await app.request("GET", `/api/estimations/${ids[0]}/tree/hours`, { token });
    expect(data.hours?.p80).toBe(P80);
  });

  it("are not written if they are the same or up to date", async () => {
    const id = await outdated();
    await recompute();
    const after = await stored(id);
    expect(await recompute()).toBe(0);
    await app.pool.query("update estimations set roll_up_version = 1 where id = $1", [id]);
    expect(await recompute()).toBe(1);
    expect(await stored(id)).toEqual(after);
  });

  it("are completed by the next run after an interrupted one", async () => {
    const ids = [await outdated(), await outdated()];
    const stopping = new AbortController();
    stopping.abort();
    expect(await recompute(stopping.signal)).toBe(0);
    expect((await stored(ids[0] as string)).p80).toBe(7);
    expect(await Promise.all([recompute(), recompute()]).then(([a, b]) => a + b)).toBe(2);
    for (const id of ids) expect((await stored(id)).p80).toBe(P80);
  });

  it("are not written by a new estimation or an edit", async () => {
    const { data } = await app.request("POST", "/api/estimations", { token, body: { title: "New" } });
    expect((await stored(String(data.estimation?.id))).version).toBe(ROLL_UP_VERSION);
    const id = await outdated();
    await app.request("PUT", `/api/estimations/${id}`, { token, body: { correlation: 0.5 } });
    expect(await stored(id)).toMatchObject({ version: ROLL_UP_VERSION, p80: P80 });
  });

  it("are found through their index", async () => {
    await app.pool.query(`
      insert into estimations (id, owner_id, title, description, correlation, roll_up_version, created_at, updated_at)
      select 'est_' || lpad(n::text, 26, '0'), owner_id, 'Other', '', 0.2, ${ROLL_UP_VERSION}, now(), now()
      from generate_series(1, 5000) n, (select owner_id from estimations limit 1) o`);
    await app.pool.query("analyze estimations");
    const [plan] = await plansOf(app.pool, (db) => recomputeHours(db, never));
    expect(plan).toMatch(/estimations_by_roll_up_version/);
    expect(plan).not.toMatch(/Seq Scan|Sort/);
  });
});

it("the worker does it without being asked", async () => {
  const working = await start({ worker: true });
  const user = await working.signUp();
  const { data } = await working.request("POST", "/api/estimations", { token: user.token, body: { title: "Old" } });
  await working.pool.query("update estimations set roll_up_version = 1, hours_p80 = 7");
  await until(async () => {
    // Repeatedly, because a run that is already under way may miss the change, and schedules the next one when it ends.
    await working.pool.query("update graphile_worker._private_jobs set run_at = now() where run_at > now()");
    const { rows } = await working.pool.query("select hours_p80::float as p80 from estimations where id = $1", [
      String(data.estimation?.id),
    ]);
    return rows[0]?.p80 === 0;
  });
});
