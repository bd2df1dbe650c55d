import { describe, expect, test } from "vitest";
import { limits } from "../../../contract/limits.ts";
import { start, type TestUser } from "../../../tests/harness.ts";
import { loadConfig } from "../../config.ts";
import { purgeEstimations } from "../../services/purge-estimations.ts";
import { removeDeleted } from "./removal-store.ts";

const MIB = 1024 * 1024;
const { quotas } = loadConfig({});
const app = await start({ config: { quotas: { ...quotas, estimations: 3, treeBytes: MIB } } });

/** Sends requests of a new user. */
async function account() {
  const { token, userId }: TestUser = await app.signUp();
  const send = (method: string, path: string, body?: object) => app.request(method, path, { token, body });
  const create = () => send("POST", "/api/estimations", { title: "x" });
  const created = async () => `/api/estimations/${(await create()).data.estimation?.id}`;
  const usage = async () =>
    (await app.pool.query("select estimations, tree_steps from estimation_usage where owner_id = $1", [userId]))
      .rows[0];
  /** A tree of some `kib` KiB. */
  const putTree = (path: string, kib: number) => {
    const options = Array.from({ length: kib / 8 }, () => ({ title: "o", description: "x".repeat(8 * 1024 - 250) }));
    return send("PUT", `${path}/tree`, { nodes: [{ title: "n", kind: "single", options }] });
  };
  return { send, create, created, usage, putTree };
}

describe("the estimations of a user", () => {
  test("are limited by the quota, even with simultaneous calls; deleting one makes room", async () => {
    const { create, send, usage } = await account();
    const responses = await Promise.all(Array.from({ length: 6 }, create));
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 201, 201, 409, 409, 409]);
    const refused = responses.find(({ status }) => status === 409);
    expect(refused?.body).toMatchObject({ message: "limit_reached", details: { quota: "estimations", limit: 3 } });
    expect((await send("GET", "/api/estimations")).data.estimations).toHaveLength(3);
    const id = responses.find(({ status }) => status === 201)?.data.estimation?.id;
    expect((await send("DELETE", `/api/estimations/${id}`)).status).toBe(200);
    expect((await create()).status).toBe(201);
    expect((await create()).status).toBe(409);
    expect(await usage()).toEqual({ estimations: 3, tree_steps: 0 });
  });
});

describe("the deleted estimations of a user", () => {
  test("may be as many again, and make room when they are removed permanently", async () => {
    const { create, created, send } = await account();
    const paths: string[] = [];
    for (let n = 0; n < 6; n += 1) {
      const path = await created();
      expect((await send("DELETE", path)).status).toBe(200);
      paths.push(path);
    }
    const refused = await create();
    expect([refused.status, refused.body.details]).toEqual([409, { quota: "estimations", limit: 6 }]);
    expect((await send("POST", `${paths[0]}/restore-deleted`)).status).toBe(200);
    expect((await create()).status).toBe(409);
    while (await removeDeleted(app.services.pool, new Date(app.clock.now().getTime() + 1), purgeEstimations)(100));
    expect((await create()).status).toBe(201);
  });
});

describe("the trees of a user", () => {
  test("share the quota, and a refused write changes nothing", async () => {
    const { created, putTree } = await account();
    const [first, second] = [await created(), await created()];
    expect((await putTree(first, 600)).status).toBe(200);
    expect((await putTree(second, 360)).status).toBe(200);
    const refused = await putTree(second, 520);
    expect([refused.status, refused.body.details]).toEqual([409, { quota: "treeBytes", limit: MIB }]);
    expect((await putTree(first, 400)).status).toBe(200);
    expect((await putTree(second, 520)).status).toBe(200);
  });

  test("can still be edited at the quota if nothing is added", async () => {
    const { created, putTree, send, usage } = await account();
    const path = await created();
    expect((await putTree(path, 960)).status).toBe(200);
    expect((await usage()).tree_steps).toBe(MIB / (64 * 1024) - 1);
    const { nodes } = (await send("GET", `${path}/tree`)).data.tree ?? {};
    const { id, options } = nodes?.[0] ?? {};
    const option = options?.[0]?.id;
    await app.pool.query("update estimation_usage set tree_steps = 1000");
    expect((await send("POST", `${path}/tree/options/${option}/select`)).status).toBe(200);
    expect((await send("POST", `${path}/tree/options/${option}/move`, { nodeId: id, position: 1 })).status).toBe(200);
    expect((await send("DELETE", `${path}/tree/options/${option}`)).status).toBe(200);
    const description = "x".repeat(limits.descriptionLength);
    const statuses = [];
    for (let n = 0; n < 7; n += 1) {
      const node = { title: "n", kind: "group", description };
      statuses.push((await send("POST", `${path}/tree/nodes`, node)).status);
    }
    expect(statuses).toContain(409);
  });

  test("still count when their estimation is deleted, until they are removed", async () => {
    const { created, putTree, send, usage } = await account();
    const path = await created();
    await putTree(path, 320);
    const { tree_steps } = await usage();
    await send("DELETE", path);
    expect(await usage()).toEqual({ estimations: 0, tree_steps });
    const removal = removeDeleted(app.services.pool, new Date(app.clock.now().getTime() + 1), purgeEstimations);
    while (await removal(100));
    expect(await usage()).toEqual({ estimations: 0, tree_steps: 0 });
  });
});
