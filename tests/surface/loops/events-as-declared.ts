import { expect } from "vitest";
import { endpointEntries } from "../../../contract/index.ts";
import { callSample } from "../call.ts";
import type { Loop } from "./loop.ts";

/**
 * A declared event is emitted, and no other is. The world's webhook subscribes to every event, and so does one of each other
 * user. Deliveries to the user who caused the event, and no others, count as caused by their owner.
 */
export const eventsAsDeclared: Loop = {
  title: "%s emits the events that it declares to the webhook that subscribes to them, and no other",
  endpoints: endpointEntries,
  async check({ app, world, undoing }, [id, { events = [] }]) {
    const { response, stored, sent, blamed } = await undoing(async () => {
      await read(
        `insert into webhooks select copy.*
         from users u, webhooks w, jsonb_populate_record(w, jsonb_build_object('id', 'wh_' || right(u.id, 26), 'user_id', u.id)) copy
         where w.id = $1 and u.id <> w.user_id`,
        world.webhook,
      );
      const [{ last }] = await read<{ last: string }>("select coalesce(max(id), 0) as last from webhook_events");
      const response = await callSample(app, id, world);
      expect(response.status).toBeLessThan(400);
      return {
        response,
        stored: await read<{ name: string }>("select name from webhook_events where id > $1", last),
        sent: await read<{ name: string }>(
          "select event as name from webhook_deliveries where webhook_id = $1 and event_id > $2",
          world.webhook,
          last,
        ),
        blamed: await read<{ name: string; receiver: string; own: boolean }>(
          `select d.event as name, w.user_id as receiver, d.caused_by_owner as own
           from webhook_deliveries d join webhooks w on w.id = d.webhook_id where d.event_id > $1`,
          last,
        ),
      };
    });
    // The worker sends this one when an export has ended.
    const declared = events.filter((name) => name !== "estimation.exported").sort();
    expect(stored.map(({ name }) => name).sort()).toEqual(declared);
    expect(sent.map(({ name }) => name).sort()).toEqual(declared);
    // Who registers accepts what was sent to the address before.
    const actor = id === "registerUser" ? response.data.user?.id : world.user.userId;
    // The verdict on an example is that of the account that reviews them.
    const isOthers = (name: string) => id === "createExamples" && name === "estimation.approved";
    const wrong = blamed.filter(({ name, receiver, own }) => own !== (receiver === actor && !isOthers(name)));
    expect(wrong.map(({ receiver }) => receiver).join()).toBe("");

    async function read<R extends object>(text: string, ...values: unknown[]) {
      return (await app.pool.query<R>(text, values)).rows as [R, ...R[]];
    }
  },
};
