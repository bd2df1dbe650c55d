import { type StartOptions, start, type TestApp } from "../../harness.ts";
import { saveRows } from "../../support/saved-rows.ts";
import { letRead } from "../samples/reviews.ts";
import { makeWorld, sampleConfig, type World } from "../samples.ts";
import { makePeople, type Person } from "./people.ts";

/** What the loops over the contract run on. */
export interface Stage {
  readonly app: TestApp;
  /** The world that is called. */
  readonly world: World;
  /** Another record of every kind, of the same user. */
  readonly second: World;
  /** The world of another user. */
  readonly stranger: World;
  /** A person of each access level to the world's estimation, and the stranger. */
  readonly people: readonly Person[];
  /** A session token that was good until its user signed out. */
  readonly revoked: string;
  /** Runs `work`, then brings the database back to what it was when the worlds were made. */
  undoing<R>(work: () => Promise<R>): Promise<R>;
}

/** Starts the service for a test file and makes the worlds, once for all its tests. */
export async function setStage(options: Omit<StartOptions, "config"> = {}): Promise<Stage> {
  const app = await start({ ...options, config: { ...sampleConfig, rateLimitAuthPerMinute: 1_000_000 } });
  const second = await makeWorld(app);
  // Created last, because a new mailed link replaces the one before.
  const world = await makeWorld(app, second.user);
  const stranger = await makeWorld(app);
  const estimations = [world.estimation, world.submitted, world.withTasksGenerated, world.suggested];
  const people = await makePeople(app, estimations, {
    ...{ owner: world.user, team: world.team, stranger: stranger.user },
  });
  await letRead(app, world, people);
  // The reviewer's request made a version of the content; `createVersion` makes one only of other content.
  const description = "A shop with sign-in, payment and a searchable catalogue";
  const path = `/api/estimations/${world.estimation}`;
  await app.request("PUT", path, { token: world.user.token, body: { description } });
  const { token: revoked } = await app.signUp();
  await app.request("POST", "/api/auth/logout", { token: revoked });
  const { restore } = await saveRows(app.pool);
  return {
    app,
    world,
    second,
    stranger,
    people,
    revoked,
    async undoing(work) {
      try {
        return await work();
      } finally {
        await restore();
      }
    },
  };
}
