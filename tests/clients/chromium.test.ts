import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { start } from "../harness.ts";
import { openBrowser } from "../web/browser.ts";
import { installForFile, PACKAGE } from "./packed.ts";

const app = await start();
const installed = installForFile();

/**
 * A page with the modules of the package, at an address of the service's origin, as a proxy in front of the service would serve them:
 * the service allows no other. Requests to the API go to the service.
 */
async function openPage() {
  const context = await openBrowser(app);
  const modules = { [PACKAGE]: "clients/typescript/index.js", [`${PACKAGE}/webhooks`]: "receiver/index.js" };
  const imports = Object.fromEntries(Object.entries(modules).map(([name, path]) => [name, `/client/modules/${path}`]));
  const page = `<!doctype html><link rel="icon" href="data:,"><script type="importmap">${JSON.stringify({ imports })}</script>`;
  const loaded: string[] = [];
  await context.route("**/client/**", async (route) => {
    const path = new URL(route.request().url()).pathname.slice("/client/".length);
    if (path === "") return route.fulfill({ contentType: "text/html", body: page });
    loaded.push(path);
    return route.fulfill({
      contentType: "text/javascript",
      body: await readFile(join(installed.folder, path), "utf8"),
    });
  });
  const opened = await context.newPage();
  await opened.goto("/client/");
  return { page: opened, loaded };
}

test("the packed modules run in Chromium as they are: the whole loop, pages, a stream, a file and signatures", async () => {
  const { token } = await app.signUp();
  const { page, loaded } = await openPage();
  const result = await page.evaluate<Record<string, unknown>>(`(async () => {
    const { ApiError, createClient } = await import("${PACKAGE}");
    const { sign, verify } = await import("${PACKAGE}/webhooks");
    const client = createClient({ baseUrl: location.origin, credential: () => ${JSON.stringify(token)} });

    const ids = [];
    for (const title of ["One", "Two", "Three"]) {
      ids.push((await client.createEstimation({ body: { title } })).data.estimation.id);
    }
    const params = { id: ids[0] };
    const options = [{ title: "Sign-in", hours: 8 }];
    const tree = await client.replaceTree({ params, body: { nodes: [{ title: "Scope", kind: "group", options }] } });
    const tasks = (await client.generateTasks({ params })).data.tasks.length;

    const listed = [];
    for await (const { id } of client.listEstimations.all({ query: { limit: 2 } })) listed.push(id);

    const heard = [];
    for await (const event of (await client.watchLive()).stream) {
      if (event.type === "opened" || event.type === "changed") heard.push(event.type);
      if (event.type === "changed") break;
      if (event.type !== "opened") continue;
      const places = [{ estimationId: ids[1], lineId: null }];
      await client.setLivePlaces({ params: { streamId: event.streamId }, body: { places } });
    }
    const ending = new AbortController();
    const { stream } = await client.watchLive({ signal: ending.signal });
    const aborted = await (async () => {
      for await (const _ of stream) ending.abort(new Error("enough"));
    })().catch(({ message }) => message);

    const file = await client.exportEstimation({ params, query: { format: "csv" } });
    const csv = await (await file.blob()).text();

    const refused = await client.getEstimation({ params: { id: "est_0" } }).catch((error) => error);
    const secret = "whsec_" + btoa("x".repeat(32));
    const body = JSON.stringify({ estimationId: ids[0], taskCount: tasks });
    const delivery = await verify(body, await sign(body, secret, { event: "estimation.tasks_generated" }), secret);
    return {
      hours: tree.data.hours.expected, tasks, isWhole: listed.sort().join() === ids.sort().join(), heard, aborted,
      fileName: file.fileName, csv, isError: refused instanceof ApiError, key: refused.key, event: delivery.event,
    };
  })()`);
  expect(result).toEqual({
    ...{ hours: 8, tasks: 2, isWhole: true, heard: ["opened", "changed"], aborted: "enough" },
    ...{ fileName: expect.stringMatching(/\.csv$/), csv: expect.stringContaining("Sign-in") },
    ...{ isError: true, key: "not_found", event: "estimation.tasks_generated" },
  });
  expect(loaded.length).toBeGreaterThan(10);
});

test("a POST whose response is lost is sent again by a page, and makes one record", async () => {
  const { token } = await app.signUp();
  const { page } = await openPage();
  const keys: (string | undefined)[] = [];
  await page.route("**/api/estimations", async (route) => {
    keys.push(route.request().headers()["idempotency-key"]);
    if (keys.length > 1) return route.continue();
    // The service carries it out, but its response does not arrive.
    await route.fetch();
    return route.abort("connectionreset");
  });
  const isReplay = await page.evaluate(`(async () => {
    const { createClient } = await import("${PACKAGE}");
    const client = createClient({ baseUrl: location.origin, credential: ${JSON.stringify(token)} });
    const { headers } = await client.createEstimation({ body: { title: "Once" } });
    return headers.get("idempotent-replayed");
  })()`);
  expect([isReplay, keys]).toEqual(["true", [keys[0], keys[0]]]);
  const listed = await app.request("GET", "/api/estimations", { token });
  expect(listed.data.estimations).toHaveLength(1);
});
