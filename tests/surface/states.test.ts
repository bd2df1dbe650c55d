import { describe, expect, test } from "vitest";
import { successesOf } from "../../contract/endpoint.ts";
import { endpointRows } from "../../contract/index.ts";
import { states as stateRows } from "../../contract/states.ts";
import { type EstimationStatus, estimationStatuses, type Move } from "../../contract/statuses.ts";
import { movesFrom, stateAfter } from "../../domain/states.ts";
import { changesNothing } from "../support/dump.ts";
import { callSample, type Row } from "./call.ts";
import { setStage } from "./loops/stage.ts";

const stage = await setStage();
const { app, world, undoing } = stage;
const { token } = world.user;
const path = `/api/estimations/${world.estimation}`;

const isMove = (id: string): boolean => id in stateRows;
const calls = endpointRows.filter(([, { right }]) => right !== undefined);

/** Moves the world's estimation into a state. */
async function bringTo(status: EstimationStatus): Promise<void> {
  const way: Move[] = ["submit", "mark-tasks-generated", "mark-exported"];
  for (const move of way.slice(0, estimationStatuses.indexOf(status)))
    expect((await app.request("POST", `${path}/${move}`, { token })).status).toBe(200);
}

async function expectRefusal(id: Row[0], message: string, details: object): Promise<void> {
  await changesNothing(app, async () => {
    const { status, body } = await callSample(app, id, world, { params: { id: world.estimation } });
    expect([status, body.message, body.details]).toEqual([409, message, details]);
  });
}

describe.each(estimationStatuses)("in the state %s", (status) => {
  const within = (work: () => Promise<void>) => () =>
    undoing(async () => {
      await bringTo(status);
      await work();
    });

  for (const [id, { path: pattern, changesContent, reply }] of calls) {
    if (isMove(id)) {
      const move = pattern.split("/").at(-1) as Move;
      const to = stateAfter(status, move);
      test(
        `${id} ${to ? `leads to ${to}` : "is refused and changes nothing"}`,
        within(async () => {
          if (to === null) return expectRefusal(id, "invalid_transition", { status, allowed: movesFrom(status) });
          const { data } = await callSample(app, id, world, { params: { id: world.estimation } });
          expect(data.estimation?.status).toBe(to);
          expect((await app.request("GET", path, { token })).data).toEqual(data);
        }),
      );
    } else if (changesContent && status !== "draft") {
      test(
        `${id} is refused and changes nothing`,
        within(() => expectRefusal(id, "estimation_locked", { status })),
      );
    } else {
      test(
        `${id} succeeds`,
        within(async () => {
          const statuses = "data" in reply ? successesOf(reply).map((success) => success.status) : [reply.status];
          expect(statuses).toContain((await callSample(app, id, world)).status);
        }),
      );
    }
  }
});

test("the refused calls include every one that changes the content of an estimation", () => {
  const refused = calls.filter(([, { changesContent }]) => changesContent).map(([id]) => id);
  const below = calls.filter(([, row]) => row.path.includes("/tree") && row.method !== "GET").map(([id]) => id);
  expect(refused).toEqual(expect.arrayContaining(["updateEstimation", "restoreVersion", ...below]));
});
