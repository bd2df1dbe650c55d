import { expect } from "vitest";
import { endpointEntries } from "../../../contract/index.ts";
import { callSample } from "../call.ts";
import type { Loop } from "./loop.ts";

/** A handler records what its endpoint declares, as done by its caller; if the endpoint declares several kinds, one of them. */
export const activityAsDeclared: Loop = {
  title: "%s records the activity that it declares, and no other",
  endpoints: endpointEntries,
  async check({ app, world, undoing }, [id, { activity = [] }]) {
    const declared = [activity].flat();
    const recorded = await undoing(async () => {
      if (id === "restoreDeletedEstimation") {
        const deleted = "update estimations set deleted_at = $2 where id = $1";
        await app.pool.query(deleted, [world.estimation, app.clock.now()]);
      }
      // So that what the call does joins no entry of the past.
      await app.pool.query("update activity_entries set started_at = 'epoch'");
      const counted = "select estimation_id || number || edits as entry, kind, person_id from activity_entries";
      const before = new Set((await app.pool.query(counted)).rows.map(({ entry }) => entry));
      expect((await callSample(app, id, world)).status).toBeLessThan(400);
      return (await app.pool.query(counted)).rows.filter(({ entry }) => !before.has(entry));
    });
    // Who signs in, or proves an address, accepts what was sent to it: that is not done by the caller of the endpoint.
    const own = recorded.filter(({ kind }) => kind !== "share.accepted");
    // It does what many calls do, one of them by the reviewer of the examples.
    if (id === "createExamples") {
      expect([...new Set(own.map(({ kind }) => kind))].sort()).toEqual([...declared].sort());
      const others = own.filter(({ person_id }) => person_id !== world.user.userId);
      return void expect(others.map(({ kind }) => kind)).toEqual(["review.approved"]);
    }
    expect(own.map(({ kind }) => declared.includes(kind) || kind)).toEqual(declared.length > 0 ? [true] : []);
    expect(own.map(({ person_id }) => person_id)).toEqual(own.map(() => world.user.userId));
  },
};
