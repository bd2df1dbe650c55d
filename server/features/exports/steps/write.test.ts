import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { start } from "../../../../tests/harness.ts";
import { createOutbound } from "../../../platform/outbound/index.ts";
import type { StepContext } from "../context.ts";
import { isTaken, takeRun } from "../store.ts";
import { createGithub } from "../trackers/github/index.ts";
import { write } from "./write.ts";

const app = await start();
const { services } = app;
const { clock, config, log } = services;
const trustedFolder = join(config.dataDir, "trusted-ca");
const outbound = createOutbound({ clock, log, trustedFolder, allowedNetworks: [], allowedPorts: [] });
afterAll(() => outbound.close());
const { token } = await app.signUp();

/** An export that has just begun to work on a step; `signal` says that its process is to stop. */
async function begun(signal: AbortSignal): Promise<StepContext> {
  const call = async (path: string, body?: object) =>
    (await app.request("POST", path, { token, ...(body && { body }) })).data;
  const path = `/api/estimations/${(await call("/api/estimations", { title: "Shop" })).estimation?.id}`;
  const options = [{ title: "Sign-in", hours: 8 }];
  await app.request("PUT", `${path}/tree`, { token, body: { nodes: [{ title: "Shop", kind: "group", options }] } });
  await call(`${path}/tasks/generate`);
  const secret = "token-of-nobody";
  const connected = await call("/api/connections", { target: "github", name: "Fake", token: secret });
  const body = { target: "github", connectionId: connected.connection?.id, repository: "acme/shop" };
  const { export: started } = await call(`${path}/tasks/export`, body);
  const lease = { key: "1", token: "pool" };
  const run = await takeRun(services.pool, String(started?.id), lease, services.clock.now());
  if (!run) throw new Error("The export was not taken.");
  const { githubApiUrl, githubWritesPerMinute } = config;
  const tracker = createGithub({ outbound, clock, githubApiUrl, githubWritesPerMinute });
  const destination = { project: "acme/shop", issueType: null };
  const reached = { access: { baseUrl: null, email: null, token: secret }, destination, layout: null };
  return { services, run, lease, tracker, reached, tokenReadAt: clock.now(), signal };
}

test("a write is stored as not sent if its process is stopped between storing the intent and sending", async () => {
  const stopping = new AbortController();
  const context = await begun(stopping.signal);
  const known: unknown[] = [];
  await write<string, string>(context, {
    async intend() {
      stopping.abort();
      return "an issue";
    },
    send: () => Promise.reject(new Error("It was sent.")),
    async know(_, __, intent, { fault }) {
      known.push([intent, fault?.kind]);
    },
    conclude: () => Promise.reject(new Error("It has a result.")),
  });
  expect(known).toEqual([["an issue", "not_sent"]]);
  // The next process need not find out that this one is gone.
  expect(await isTaken(services.pool, context.run.id, context.lease)).toBe(false);
});
