import { expect } from "vitest";
import { endpointRows } from "../../../contract/index.ts";
import { callSample } from "../call.ts";
import type { Loop } from "./loop.ts";

/** A declared event is emitted, and no other is. The world's webhook subscribes to every event. */
export const eventsAsDeclared: Loop = {
  title: "%s emits the events that it declares to the webhook that subscribes to them, and no other",
  rows: endpointRows,
  async check({ app, world, undoing }, [id, { events = [] }]) {
    const { stored, sent } = await undoing(async () => {
      const [{ last }] = await read<{ last: string }>("select coalesce(max(id), 0) as last from webhook_events");
      expect((await callSample(app, id, world)).status).toBeLessThan(400);
      return {
        stored: await read<{ name: string }>("select name from webhook_events where id > $1", last),
        sent: await read<{ name: string }>(
          "select event as name from webhook_deliveries where webhook_id = $1 and event_id > $2",
          world.webhook,
          last,
        ),
      };
    });
    const declared = [...events].sort();
    expect(stored.map(({ name }) => name).sort()).toEqual(declared);
    expect(sent.map(({ name }) => name).sort()).toEqual(declared);

    async function read<R extends object>(text: string, ...values: unknown[]) {
      return (await app.pool.query<R>(text, values)).rows as [R, ...R[]];
    }
  },
};
