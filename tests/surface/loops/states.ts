import { expect } from "vitest";
import { successesOf } from "../../../contract/endpoint.ts";
import { states as stateRows } from "../../../contract/endpoints/states.ts";
import { endpointEntries } from "../../../contract/index.ts";
import { type EstimationStatus, estimationStatuses, type Move } from "../../../contract/values/statuses.ts";
import { movesFrom, stateAfter } from "../../../domain/states.ts";
import { changesNothing } from "../../support/dump.ts";
import { callSample, type EndpointEntry } from "../call.ts";
import type { Loop } from "./loop.ts";
import type { Stage } from "./stage.ts";

const pathOf = ({ world }: Stage): string => `/api/estimations/${world.estimation}`;

/** Moves the world's estimation into a state. */
async function bringTo(stage: Stage, status: EstimationStatus): Promise<void> {
  const way: Move[] = ["submit", "mark-tasks-generated", "mark-exported"];
  const { token } = stage.world.user;
  for (const move of way.slice(0, estimationStatuses.indexOf(status)))
    expect((await stage.app.request("POST", `${pathOf(stage)}/${move}`, { token })).status).toBe(200);
}

async function expectRefusal(
  { app, world }: Stage,
  id: EndpointEntry[0],
  message: string,
  details: object,
): Promise<void> {
  await changesNothing(app, async () => {
    const { status, body } = await callSample(app, id, world, { params: { id: world.estimation } });
    expect([status, body.message, body.details], JSON.stringify(details)).toEqual([409, message, details]);
  });
}

async function checkIn(stage: Stage, status: EstimationStatus, [id, row]: EndpointEntry): Promise<void> {
  const { app, world } = stage;
  const { path, changesContent, response } = row;
  if (id in stateRows) {
    const move = path.split("/").at(-1) as Move;
    const to = stateAfter(status, move);
    if (to === null) return expectRefusal(stage, id, "invalid_transition", { status, allowed: movesFrom(status) });
    const { data } = await callSample(app, id, world, { params: { id: world.estimation } });
    expect(data.estimation?.status, status).toBe(to);
    expect((await app.request("GET", pathOf(stage), { token: world.user.token })).data).toEqual(data);
  } else if (changesContent && status !== "draft") {
    await expectRefusal(stage, id, "estimation_locked", { status });
  } else {
    const statuses = "data" in response ? successesOf(response).map((success) => success.status) : [response.status];
    expect(statuses, status).toContain((await callSample(app, id, world)).status);
  }
}

/** A move leads where the rules say; a change of content is refused in all states but the first; the others succeed. */
export const statesAreJudged: Loop = {
  title: "%s succeeds, or is refused and changes nothing, depending on the state of the estimation",
  endpoints: endpointEntries.filter(([, { right }]) => right !== undefined),
  async check(stage, row) {
    for (const status of estimationStatuses)
      await stage.undoing(async () => {
        await bringTo(stage, status);
        await checkIn(stage, status, row);
      });
  },
};
