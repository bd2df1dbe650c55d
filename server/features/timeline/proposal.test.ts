import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import type { Proposal } from "../../../contract/endpoints/milestones.ts";
import { start, until } from "../../../tests/harness.ts";
import { changesNothing } from "../../../tests/support/dump.ts";
import { GivenUp } from "../../platform/fair-queue.ts";
import { option, type Scene, setScene } from "./testing/scene.ts";

const app = await start({ at: "2026-12-01T09:30:00Z" });

/** Proposals that were begun, and what they ended with. */
const ends: { begun: number; failures: unknown[] } = { begun: 0, failures: [] };
const { compute } = app.services;
const { run } = compute;
compute.run = (name, ...input) => {
  const running = run(name, ...input);
  if (name === "proposeForMilestone") {
    ends.begun += 1;
    running.catch((error: unknown) => ends.failures.push(error));
  }
  return running;
};

const nodes = [
  {
    title: "Scope",
    kind: "multi" as const,
    options: Array.from({ length: 6 }, (_, at) => option(`Part ${at}`, 10 + at, at % 2 === 0 ? "backend" : "frontend")),
  },
  {
    title: "Sign-in",
    kind: "single" as const,
    required: true,
    options: [option("Own", 40, "backend"), { ...option("Bought", 4, "backend"), selected: false }],
  },
];

const pathOf = (id: string) => `/milestones/${id}/what-would-it-take`;

/** A milestone that is too early, and what it would take. */
async function late(scene: Scene, dueDate = "2027-01-15") {
  await scene.setTimeline({ startDate: "2027-01-04", focusFactor: 1 });
  const milestone = await scene.addMilestone({ title: "Beta", dueDate });
  const { proposal } = await scene.expect("POST", pathOf(milestone.id));
  return { milestone, proposal: proposal as unknown as Proposal };
}

const probabilityIn = async (scene: Scene) => (await scene.milestones())[0]?.forecast?.probability ?? 0;

describe("what it would take to reach a milestone", () => {
  it("changes nothing, and is reached with the people that it proposes", async () => {
    const scene = await setScene(app, undefined, nodes);
    const { milestone, proposal } = await late(scene);
    const again = await changesNothing(app, () => scene.expect("POST", pathOf(milestone.id)));
    expect(again.proposal).toEqual(proposal);
    expect(proposal).toMatchObject({ target: 0.8, people: { isReached: true } });
    expect(proposal.now?.probability).toBeLessThan(0.5);
    const { people = [] } = await scene.setTimeline({ people: proposal.people?.people });
    expect(people.map(({ role }) => role)).toContain("backend");
    expect(await probabilityIn(scene)).toBeGreaterThanOrEqual(0.8);
  });

  it("is reached without the options that it proposes to leave out or replace, once tasks are generated", async () => {
    const scene = await setScene(app, undefined, nodes);
    const { proposal } = await late(scene);
    expect(proposal.scope).toMatchObject({ isReached: true });
    const needed = proposal.scope?.options.filter(({ isNeeded }) => isNeeded) ?? [];
    expect(needed.some(({ insteadId }) => insteadId !== null)).toBe(true);
    for (const { optionId, insteadId } of needed) {
      const [id, move] = insteadId === null ? [optionId, "deselect"] : [insteadId, "select"];
      await scene.expect("POST", `/tree/options/${id}/${move}`);
    }
    await scene.expect("POST", "/tasks/generate");
    expect(await probabilityIn(scene)).toBeGreaterThanOrEqual(0.8);
  });

  it("is nothing where nothing is scheduled, and where the milestone is reached already", async () => {
    const scene = await setScene(app, undefined, nodes);
    const milestone = await scene.addMilestone({ title: "Beta", dueDate: "2029-01-15" });
    const propose = async () => (await scene.expect("POST", pathOf(milestone.id))).proposal;
    expect(await propose()).toMatchObject({ now: null, people: null, scope: null, forecasts: 0 });
    await scene.setTimeline({ startDate: "2027-01-04" });
    expect(await propose()).toMatchObject({ now: { probability: 1 }, people: null, scope: null, forecasts: 1 });
  });

  it("is for readers too, and for milestones that exist", async () => {
    const scene = await setScene(app, undefined, nodes);
    const { milestone } = await late(scene);
    const reader = await app.signUp();
    const { share } = await scene.expect("POST", "/shares", { email: reader.email, permission: "view" });
    await app.request("POST", `/api/shares/${share?.id}/accept`, { token: reader.token });
    const path = `${scene.path}${pathOf(milestone.id)}`;
    expect((await app.request("POST", path, { token: reader.token })).status).toBe(200);
    const other = `${scene.path}${pathOf(`mst_${"0".repeat(26)}`)}`;
    expect((await app.request("POST", other, { token: reader.token })).status).toBe(404);
  });

  it("ends when its client is gone", async () => {
    const parts = Array.from({ length: 150 }, (_, at) => option(`Part ${at}`, 5 + (at % 9), `role ${at % 5}`));
    const large = ["A", "B", "C", "D", "E", "F"].map((title) => ({ title, kind: "multi" as const, options: parts }));
    const scene = await setScene(app, undefined, large);
    await scene.setTimeline({ startDate: "2027-01-04" });
    const { id } = await scene.addMilestone({ title: "Beta", dueDate: "2027-02-01" });
    const { port, hostname, host } = new URL(app.url);
    // A computation may have ended before its client was gone: then once more.
    await until(async () => {
      const { begun } = ends;
      const socket = connect(Number(port), hostname);
      await once(socket, "connect");
      const head = `POST ${scene.path}${pathOf(id)} HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${scene.user.token}\r\n`;
      socket.write(`${head}content-length: 0\r\n\r\n`);
      await until(() => ends.begun > begun);
      socket.resetAndDestroy();
      return ends.failures.length > 0;
    });
    expect(ends.failures[0]).toBeInstanceOf(GivenUp);
    expect((await scene.send("POST", pathOf(id))).status).toBe(200);
  });
});
