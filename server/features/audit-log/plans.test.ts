import { expect, test } from "vitest";
import { start } from "../../../tests/harness.ts";
import { rowsRead } from "../../../tests/support/plans.ts";
import { firstIdAt } from "../../platform/ids.ts";
import { type EventFilter, listAllEvents } from "./store.ts";

const ROWS = 20_000;
const LIMIT = 21;
const app = await start();
const startMs = app.clock.now().getTime();
const at = (n: number) => new Date(startMs + n * 1_000);
const rows = Array.from({ length: ROWS }, (_, n) => ({
  id: firstIdAt("auditEvent", at(n)),
  user: `user ${n % 1_000}`,
  event: n % 5_000 === 7 ? "account.disabled" : n % 5_000 === 8 ? "account.enabled" : "session.created",
  actor: n % 5_000 === 7 ? "administrator" : null,
  at: at(n).toISOString(),
}));
await app.pool.query(
  `insert into audit_events (id, user_id, event, actor_id, created_at)
   select id, "user", event, actor, at
   from json_to_recordset($1) as r (id text, "user" text, event text, actor text, at timestamptz)`,
  [JSON.stringify(rows)],
);
await app.pool.query("analyze audit_events");

const filters: Readonly<Record<string, EventFilter>> = {
  none: {},
  "a frequent event": { events: ["session.created"] },
  "a rare event": { events: ["account.disabled"] },
  "rare and frequent events": { events: ["account.disabled", "account.enabled", "session.created"] },
  "an account": { userId: "user 5" },
  "an account, and an event": { userId: "user 7", events: ["account.disabled"] },
  "an administrator": { actorId: "administrator" },
  "a time long ago": { from: at(100), to: at(200) },
  "a time long ago, and an event": { from: at(0), to: at(100), events: ["session.created"] },
};

test.each(Object.entries(filters))(
  "a page of the log of everybody reads few rows, filtered by %s",
  async (_, filter) => {
    let found = 0;
    const read = await rowsRead(app.pool, async (db) => {
      found = (await listAllEvents(db, filter, LIMIT, null)).length;
    });
    expect(found).toBeGreaterThan(0);
    // Ids of a request's time may be an hour later than the time, so as much of the log is looked at.
    expect(read).toBeLessThan(filter.to ? 4_000 : 20 * LIMIT);
  },
);
