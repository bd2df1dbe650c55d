import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { start } from "../../../../tests/harness.ts";
import { systemClock } from "../../../platform/clock.ts";
import { createOutbound } from "../../../platform/outbound/index.ts";
import { emit } from "../emit.ts";
import { createDeliver } from "./deliver.ts";
import { createLanes } from "./lanes.ts";
import { createParking } from "./parking.ts";

/** Fewer than an owner may have under way to endpoints that are not known yet. */
const WEBHOOKS = 30;

const app = await start();
const services = { ...app.services, clock: systemClock };

test("of deliveries that are read together, a few begin in one turn of the event loop", async () => {
  const { token, userId } = await app.signUp();
  const body = { url: "https://hooks.example.com/", events: ["estimation.tasks_generated"] };
  for (let at = 0; at < WEBHOOKS; at += 1) await app.request("POST", "/api/webhooks", { token, body });
  // Nothing listens there.
  await app.pool.query("update webhooks set url = 'https://localhost:1/'");
  const data = { estimationId: "est_01k6z0c9v3e8rbt5w2yq4nmhxd", taskCount: 1 };
  await services.pool.transaction((tx) =>
    emit(tx, services, { event: "estimation.tasks_generated", data, userIds: [userId], now: systemClock.now() }),
  );
  const { rows: jobs } = await app.pool.query(
    `update graphile_worker._private_jobs set locked_by = 'pool-a', locked_at = now(), attempts = attempts + 1
     where payload->>'deliveryId' is not null returning id, attempts, payload`,
  );
  expect(jobs).toHaveLength(WEBHOOKS);

  const { clock, log, config } = services;
  const trustedFolder = `${config.dataDir}/trusted-ca`;
  const outbound = createOutbound({ clock, log, allowedNetworks: [], allowedPorts: [443], trustedFolder });
  let begun = 0;
  const counted: typeof outbound = {
    ...outbound,
    send(request) {
      begun += 1;
      return outbound.send(request);
    },
  };
  const lanes = createLanes(clock, 1_000_000);
  const deliver = createDeliver(services, counted, lanes, createParking(services, lanes));
  const { signal } = new AbortController();
  let over = false;
  const ended = Promise.all(
    jobs.map(({ id, attempts, payload }) =>
      deliver(payload, { lease: { jobId: id, poolId: "pool-a", starts: attempts }, signal }),
    ),
  ).finally(() => {
    over = true;
  });
  const turns: number[] = [];
  while (!over) {
    await nextTurn();
    turns.push(begun);
    begun = 0;
  }
  await ended;
  await outbound.close();
  expect(turns.reduce((sum, inTurn) => sum + inTurn, 0)).toBe(WEBHOOKS);
  expect(Math.max(...turns)).toBeLessThanOrEqual(4);
});
