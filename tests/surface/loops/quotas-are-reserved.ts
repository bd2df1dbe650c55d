import { expect, vi } from "vitest";
import { endpointEntries } from "../../../contract/index.ts";
import { retention } from "../../../scripts/retention.ts";
import type { TestApp } from "../../harness.ts";
import { callSample } from "../call.ts";
import type { Loop } from "./loop.ts";

/** The tables whose rows quotas bound, and their quotas. */
const bounded = Object.entries(retention).flatMap(([table, { quotas }]) => (quotas ? [{ table, quotas }] : []));

async function countRows({ pool }: TestApp): Promise<ReadonlyMap<string, number>> {
  const counts = bounded.map(({ table }) => `select '${table}' as name, count(*)::int as rows from ${table}`);
  const { rows } = await pool.query<{ name: string; rows: number }>(counts.join(" union all "));
  return new Map(rows.map((row) => [row.name, row.rows]));
}

/** An account belongs to nobody whose quota it could count for: a call without a credential makes only such. */
export const quotasAreReserved: Loop = {
  title: "%s reserves the quota for what it makes",
  endpoints: endpointEntries.filter(([, { method }]) => method !== "GET"),
  async check({ app, world, undoing }, [id, { response, access, errors = [] }]) {
    const reserve = vi.spyOn(app.services.quotas, "reserve");
    try {
      const grown = await undoing(async () => {
        // Trees are counted in steps: so whatever one gains begins a step.
        await app.pool.query("update decision_trees set bytes = 0");
        const before = await countRows(app);
        expect((await callSample(app, id, world)).status).toBe(response.status);
        const after = await countRows(app);
        return bounded.filter(({ table }) => (after.get(table) ?? 0) > (before.get(table) ?? 0));
      });
      const reserved = new Set<string>(reserve.mock.calls.map(([, { quota }]) => quota));
      const isUnbounded = ({ quotas }: (typeof bounded)[number]) => !quotas.some((quota) => reserved.has(quota));
      expect(grown.filter(isUnbounded).map(({ table }) => table)).toEqual([]);
      if (response.status === 201 && access !== "anyone") {
        expect([reserved.size > 0, errors.includes("limit_reached")]).toEqual([true, true]);
      }
    } finally {
      reserve.mockRestore();
    }
  },
};
