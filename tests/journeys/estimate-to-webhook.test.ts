import { readFileSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { faultOf } from "../../clients/cli/listen/signature.ts";
import { type Client, createClient } from "../../contract/client/client.ts";
import type { Node, Option } from "../../contract/values/tree.ts";
import { start, until } from "../harness.ts";
import { startReceiver } from "../support/receiver.ts";

const app = await start({ worker: true });
const receiver = await startReceiver();
receiver.trustedBy(app.services.config.dataDir);
afterAll(() => receiver.close());

const optionsOf = (nodes: readonly Node[]): Option[] =>
  nodes.flatMap(({ options }) => options).flatMap((option) => [option, ...optionsOf(option.nodes)]);

const hundredths = (hours: readonly (number | null)[]) =>
  hours.reduce<number>((sum, value) => sum + Math.round((value ?? 0) * 100), 0);

/** Signs up and returns a client that calls with an API key of the new account. */
async function enter(name: string): Promise<{ client: Client; userId: string }> {
  let credential: string | null = null;
  const client = createClient(app.url, () => credential);
  const body = { email: `${name}@example.com`, password: "a long enough password" };
  const { token, user } = (await client.registerUser({ body })).data;
  credential = token;
  const scopes = ["estimations:read", "estimations:write", "tasks:read", "tasks:write", "webhooks:manage"] as const;
  credential = (await client.createApiKey({ body: { name, scopes: [...scopes] } })).data.plaintext;
  return { client, userId: user.id };
}

test.each(["checkout", "mobile-app", "data-migration"])(
  "%s from end to end: sign-up, import, decisions, estimate, tasks, and an event at a receiver",
  async (name) => {
    const { estimation, tree } = JSON.parse(
      readFileSync(new URL(`../../examples/${name}.json`, import.meta.url), "utf8"),
    );
    const [{ client, userId }, { client: stranger }] = [await enter(name), await enter(`not-${name}`)];
    const params = { id: (await client.createEstimation({ body: estimation })).data.estimation.id };

    const imported = (await client.replaceTree({ params, body: tree })).data;
    expect(imported.tree.problems).toEqual([]);
    expect((await client.getTree({ params })).data.tree).toEqual(imported.tree);
    const { hours } = (await client.getTreeHours({ params })).data;
    expect(hours).toEqual(imported.hours);
    expect(hours.p50).toBeLessThan(hours.p80);
    expect(hours.p80).toBeLessThan(hours.p95);
    const shares = hours.uncertainty.map(({ share }) => share);
    expect(shares).toEqual(shares.toSorted((a, b) => b - a));

    // A selection, and its reversal.
    const chosen = optionsOf(imported.tree.nodes).find(({ selected, hours }) => selected && hours !== null);
    const choice = { params: { ...params, optionId: chosen?.id ?? "" } };
    const without = (await client.deselectOption(choice)).data.hours;
    expect(without.expected).toBeLessThan(hours.expected);
    expect((await client.selectOption(choice)).data.hours).toEqual(hours);

    const body = { url: `${receiver.url}/${name}`, events: ["estimation.tasks_generated" as const] };
    const { webhook, secret } = (await client.createWebhook({ body })).data;
    await stranger.createWebhook({ body: { ...body, url: `${receiver.url}/not-${name}` } });

    const preview = (await client.previewTasks({ params })).data;
    expect((await client.listTasks({ params })).data.tasks).toEqual([]);
    const { tasks } = (await client.generateTasks({ params })).data;
    expect(tasks).toEqual(preview.tasks);
    expect((await client.listTasks({ params })).data.tasks).toEqual(tasks.slice(0, 100));
    expect(hundredths(tasks.map((task) => task.hours))).toBe(hundredths([hours.expected]));

    const request = await until(() => receiver.requests.find(({ path }) => path === `/${name}`));
    const now = app.clock.now();
    const sent = { ...request, body: Buffer.from(request.body) };
    expect(faultOf({ ...sent, secret, now })).toBeNull();
    expect(faultOf({ ...sent, secret: `${secret}x`, now })).not.toBeNull();
    expect(JSON.parse(request.body)).toEqual({ estimationId: params.id, taskCount: tasks.length });
    const log = await until(async () => {
      const { deliveries } = (await client.listDeliveries({ params: { id: webhook.id } })).data;
      return deliveries.every(({ status }) => status === "delivered") && deliveries;
    });
    expect(log).toMatchObject([{ id: request.headers["x-service-delivery"], attempts: [{ number: 1, error: null }] }]);

    // Nobody else can read it or gets a delivery.
    await expect(stranger.getEstimation({ params })).rejects.toMatchObject({ status: 404, message: "not_found" });
    expect((await stranger.listEstimations()).data.estimations).toEqual([]);
    expect((await client.getEstimation({ params })).data.estimation.ownerId).toBe(userId);
    expect(receiver.requests.filter(({ path }) => path === `/not-${name}`)).toEqual([]);
  },
);
