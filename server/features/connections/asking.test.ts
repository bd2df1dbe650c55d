import type { ServerResponse } from "node:http";
import { afterAll, expect, test } from "vitest";
import { start, until } from "../../../tests/harness.ts";
import { startReceiver } from "../../../tests/support/receiver.ts";
import { ASK_SECONDS } from "../exports/check.ts";
import { CHECKS_AT_ONCE } from "./routes.ts";

const app = await start();
const waiting: ServerResponse[] = [];
const tracker = await startReceiver((_, response) => void waiting.push(response));
tracker.trustedBy(app.services.config.dataDir);
afterAll(() => tracker.close());

/** Signs a user up with a connection to a tracker that responds only when it is told to; returns how to send it a question. */
async function connect(target = "github") {
  const { token } = await app.signUp();
  const user = target === "jira" ? { email: "ada@example.com" } : {};
  const body = { target, name: "Slow", token: "ghp_secret", baseUrl: tracker.url, ...user };
  const { data } = await app.request("POST", "/api/connections", { token, body });
  const path = `/api/connections/${data.connection?.id}`;
  return {
    list: () => app.request("GET", `${path}/projects`, { token }),
    check: () => app.request("POST", `${path}/check`, { token }),
  };
}

test("a user can have few requests to trackers at the same time; more are refused, and other users are not affected", async () => {
  const [user, other] = [await connect(), await connect()];
  const asked = Array.from({ length: CHECKS_AT_ONCE }, (_, at) => (at % 2 ? user.list() : user.check()));
  await until(() => waiting.length === CHECKS_AT_ONCE);
  for (const beyond of [await user.list(), await user.check()])
    expect([beyond.status, beyond.headers.get("retry-after")]).toEqual([429, "1"]);
  const others = other.list();
  await until(() => waiting.length === CHECKS_AT_ONCE + 1);
  // Every later request gets its response at once.
  const asking = setInterval(() => {
    for (const response of waiting.splice(0)) response.writeHead(404).end("{}");
  }, 5);
  const statuses = (await Promise.all([...asked, others])).map(({ status }) => status);
  expect(statuses).toEqual(statuses.map(() => 200));
  expect((await user.list()).status).toBe(200);
  clearInterval(asking);
});

test("a slow tracker counts as unreachable after some seconds, however many responses it has sent", async () => {
  const [github, jira] = [await connect(), await connect("jira")];
  // So many entries that another page follows, none with a name.
  const page = JSON.stringify(Array(100).fill({}));
  for (const [ask, first] of [[github.check], [github.list, page], [jira.check], [jira.list]] as const) {
    const asking = ask();
    await until(() => waiting.length === 1);
    await app.clock.advance(ASK_SECONDS * 1_000 - 1);
    if (first) {
      waiting.shift()?.end(first);
      await until(() => waiting.length === 1);
    }
    await app.clock.advance(1);
    const { status, data } = await asking;
    const message = expect.stringContaining(`(no response within ${ASK_SECONDS} seconds)`);
    expect([status, data.problems]).toEqual([200, [{ code: "unreachable", message, remedy: expect.any(String) }]]);
    waiting.splice(0);
  }
});
