import { describe, expect, test } from "vitest";
import { start, until } from "../../../tests/harness.ts";
import { noteTokenRejected } from "../connections/index.ts";
import { blockedUntil, endTurn, takeTurnToWrite } from "./pace-store.ts";

const app = await start();
const { pool } = app.services;
const owner = await app.signUp();
const now = new Date("2027-01-31T12:00:00.000Z");
const pause = new Date("2027-01-31T12:01:00.000Z");
const rate = { writesPerMinute: 60, writesPerHour: 480 };

async function connect(): Promise<string> {
  const body = { target: "github", name: "Shop", token: "token" };
  const { data } = await app.request("POST", "/api/connections", { token: owner.token, body });
  return String(data.connection?.id);
}
const remove = (id: string) => app.request("DELETE", `/api/connections/${id}`, { token: owner.token });

describe("the pace of a connection", () => {
  test("keeps a pause that comes before the first write", async () => {
    const connectionId = await connect();
    await endTurn(pool, { connectionId, exportId: "exp_1", now }, { pause, succeeded: false });
    expect(await blockedUntil(pool, connectionId, now)).toEqual(pause);
  });

  test("that was deleted during a write: the outcome is stored, with a pause or without, and no run gets a turn", async () => {
    const turn = { connectionId: await connect(), exportId: "exp_1", now };
    expect(await takeTurnToWrite(pool, { ...turn, rate })).toHaveProperty("paced");
    await remove(turn.connectionId);
    for (const said of [{ succeeded: true }, { pause, succeeded: true }]) await endTurn(pool, turn, said);
    expect(await takeTurnToWrite(pool, { ...turn, rate })).toEqual({ notBefore: now });
  });

  test("and the deletion of the connection take their locks in the same order", async () => {
    const turn = { connectionId: await connect(), exportId: "exp_1", now };
    await takeTurnToWrite(pool, { ...turn, rate });
    let removed: ReturnType<typeof remove> | undefined;
    await pool.transaction(async (tx) => {
      await endTurn(tx, turn, { pause, succeeded: false });
      removed = remove(turn.connectionId);
      await until(async () => {
        const { rows } = await app.pool.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
             and query like 'delete from "connections"%'`,
        );
        return rows.length > 0;
      });
      await noteTokenRejected(tx, turn.connectionId, now, now);
    });
    expect((await removed)?.status).toBe(200);
  });
});
