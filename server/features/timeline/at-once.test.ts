import { expect, test } from "vitest";
import { type Response, request, start } from "../../../tests/harness.ts";
import { startAnother } from "../../../tests/support/another-process.ts";
import { setScene } from "./testing/scene.ts";

const app = await start();
const START = { startDate: "2027-01-04" };
const WRITERS = 6;
const ROUNDS = 3;

test("writers of the same timeline and milestones at two processes lose no acknowledged change", async () => {
  const urls = [app.url, await startAnother(app)];
  const scene = await setScene(app);
  await scene.setTimeline(START);
  const shared = await scene.addMilestone({ title: "Shared", dueDate: "2027-03-01" });
  const revisionOf = async () =>
    (await app.request("GET", scene.path, { token: scene.user.token })).headers.get("etag");
  const before = Number(/\d+/.exec(String(await revisionOf()))?.[0]);
  let acknowledged = 0;

  /** Each writer has a role, a milestone and a field of the shared milestone of its own. */
  const write = async (writer: number) => {
    const send = async (method: string, below: string, body: object, status: number): Promise<Response["data"]> => {
      const url = String(urls[writer % urls.length]);
      const response = await request(url, method, scene.path + below, { token: scene.user.token, body });
      expect([response.status, response.text.slice(0, status === response.status ? 0 : 500)]).toEqual([status, ""]);
      acknowledged += 1;
      return response.data;
    };
    const { milestone } = await send("POST", "/milestones", { title: `Of ${writer}`, dueDate: "2027-03-01" }, 201);
    for (let round = 1; round <= ROUNDS; round += 1) {
      const day = `2027-03-0${1 + round}`;
      await send("PATCH", `/milestones/${milestone?.id}`, { dueDate: day }, 200);
      if (writer === 0) await send("PUT", "/timeline", { hoursPerDay: 8 - round }, 200);
      if (writer === 1) await send("PUT", "/timeline", { people: [{ role: "backend", count: 1 + round }] }, 200);
      if (writer === 2) await send("PATCH", `/milestones/${shared.id}`, { title: `Shared ${round}` }, 200);
      if (writer === 3) await send("PATCH", `/milestones/${shared.id}`, { dueDate: day }, 200);
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));

  const last = `2027-03-0${1 + ROUNDS}`;
  expect(await scene.timeline()).toMatchObject({
    hoursPerDay: 8 - ROUNDS,
    people: [{ role: "backend", count: 1 + ROUNDS }],
  });
  const found = (await scene.milestones()).map(({ title, dueDate }) => `${title} ${dueDate}`).sort();
  const own = Array.from({ length: WRITERS }, (_, writer) => `Of ${writer} ${last}`);
  expect(found).toEqual([...own, `Shared ${ROUNDS} ${last}`]);
  // One after the other: each change is one revision.
  expect(await revisionOf()).toBe(`"${before + acknowledged}"`);
});

test("of two users who change the same revision, one is refused and changes nothing", async () => {
  const scene = await setScene(app);
  await scene.setTimeline(START);
  const { id } = await scene.addMilestone({ title: "Beta", dueDate: "2027-03-01" });
  const { token } = scene.user;
  for (const [below, one, other] of [
    ["/timeline", { hoursPerDay: 6 }, { focusFactor: 0.5 }],
    [`/milestones/${id}`, { title: "Gamma" }, { dueDate: "2027-04-01" }],
  ] as const) {
    const etag = String((await app.request("GET", scene.path, { token })).headers.get("etag"));
    const responses = await Promise.all(
      [one, other].map((body) =>
        app.request("PATCH", scene.path + below, { token, body, headers: { "if-match": etag } }),
      ),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 412]);
    const [won, lost] = responses[0]?.status === 200 ? [one, other] : [other, one];
    const [now] = below === "/timeline" ? [await scene.timeline()] : await scene.milestones();
    expect(now).toMatchObject(won);
    expect(now).not.toMatchObject(lost);
  }
});

test("a milestone that is made again with the same Idempotency-Key is the first one; forecasts are listed", async () => {
  const scene = await setScene(app);
  await scene.setTimeline(START);
  const make = () =>
    app.request("POST", `${scene.path}/milestones`, {
      token: scene.user.token,
      body: { title: "Beta", dueDate: "2027-03-01" },
      headers: { "idempotency-key": "milestone-1" },
    });
  const [one, other] = await Promise.all([make(), make()]);
  const later = await make();
  expect([one.status, other.status, later.status]).toEqual([201, 201, 201]);
  const [listed, ...others] = await scene.milestones();
  expect(others).toEqual([]);
  expect(listed?.forecast).not.toBeNull();
  const isReplay = ({ headers }: Response) => headers.get("idempotent-replayed") === "true";
  expect([one, other, later].filter(isReplay)).toHaveLength(2);
  // What was stored has no forecast, which may have changed since.
  for (const response of [one, other, later])
    expect(response.data.milestone).toEqual(isReplay(response) ? { ...listed, forecast: null } : listed);
});
