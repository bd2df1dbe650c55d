import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Command, Tools } from "../command.ts";
import { connect } from "../connect.ts";
import { edit } from "./edit.ts";
import { listenToWebhooks } from "./listen.ts";
import { watch } from "./watch.ts";

const ID = "est_01k6z0c9v3e8rbt5w2yq4nmhxd";
const ESTIMATION = { id: ID, title: "Shop", revision: 3, status: "draft", access: "owner", hours: { p80: 8 } };

interface Reply {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly data?: object;
  readonly message?: string;
}

/** Runs a command against a server with these responses, by method and path; anything else is 404. */
async function runAt(
  command: Command,
  words: string[],
  given: Record<string, unknown>,
  replies: Record<string, Reply>,
) {
  const got: string[] = [];
  const notes: string[] = [];
  const server = createServer((request, response) => {
    const line = `${request.method} ${request.url}`;
    got.push(line);
    const { status = 200, headers = {}, ...body } = replies[line] ?? { status: 404, message: "not_found" };
    response.writeHead(status, headers).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { signal } = new AbortController();
  const note = (line: string) => void notes.push(line);
  const sending = { signal, note, progress: () => {} };
  const tools: Tools = {
    ...{ json: true, note, progress: () => {}, print: () => {}, printJson: () => {} },
    stop: { signal, hold: () => () => {} },
    connect: () => connect(sending, { url, key: "svc_live_x" }),
  };
  const error = await command.run(words, given, tools).then(
    () => null,
    (error: unknown) => error,
  );
  return { error, got, notes };
}

const PATH = `/api/estimations/${ID}`;
const found: Reply = { data: { estimation: ESTIMATION } };

test.each<Record<string, string>>([{}, { etag: '"x"' }, { etag: '"2-gzip"' }])(
  "editing ends where estimation and tree never are of one moment: %j",
  async (headers) => {
    const tree: Reply = { headers, data: { tree: { nodes: [] } } };
    const { error, got } = await runAt(edit, [ID], {}, { [`GET ${PATH}`]: found, [`GET ${PATH}/tree`]: tree });
    expect(error).toMatchObject({ exitCode: 5, message: expect.stringContaining("as of one moment") });
    expect(got).toHaveLength(10);
  },
);

test("editing begins with the suffix that a proxy gives to an entity tag", async () => {
  const tree: Reply = { headers: { etag: 'W/"3-gzip"' }, data: { tree: { nodes: [] } } };
  const settings = { description: "", assumptions: "", tags: [], clientName: null, hourlyRate: null, currency: null };
  const estimation = { ...ESTIMATION, ...settings, correlation: 0.2, rounding: 0.01 };
  const folder = mkdtempSync(join(tmpdir(), "estimation-cli-test-"));
  const { XDG_CONFIG_HOME: home, VISUAL: visual } = process.env;
  Object.assign(process.env, { XDG_CONFIG_HOME: folder, VISUAL: "true" });
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
    for (const [name, value] of Object.entries({ XDG_CONFIG_HOME: home, VISUAL: visual }))
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
  });
  const replies = { [`GET ${PATH}`]: { data: { estimation } }, [`GET ${PATH}/tree`]: tree };
  const { error, got } = await runAt(edit, [ID], {}, replies);
  expect([error, got.length]).toEqual([null, 2]);
});

test("watching ends where the service has no stream", async () => {
  const { error, got } = await runAt(watch, [ID], {}, { [`GET ${PATH}`]: found });
  expect(error).toMatchObject({ status: 404 });
  expect(got).toEqual([`GET ${PATH}`, "GET /api/live"]);
});

test("listening removes the webhook whose secret was lost with the first response", async () => {
  const id = "wh_01k6z0c9v3e8rbt5w2yq4nmhxd";
  const { error, got, notes } = await runAt(
    listenToWebhooks,
    [],
    { port: "0", http: true, events: ["all"] },
    {
      "POST /api/webhooks": { status: 201, data: { webhook: { id, url: "http://127.0.0.1/" } } },
      [`DELETE /api/webhooks/${id}`]: { data: {} },
    },
  );
  expect(error).toMatchObject({ exitCode: 6, message: expect.stringContaining("was lost") });
  expect([got, notes]).toEqual([["POST /api/webhooks", `DELETE /api/webhooks/${id}`], [`Removed ${id}`]]);
});
