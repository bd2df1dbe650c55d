import { once } from "node:events";
import { Agent, request } from "node:http";
import { text } from "node:stream/consumers";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { describe, expect, it } from "vitest";
import { requestOf } from "../../../clients/mcp/request.ts";
import { tools } from "../../../clients/mcp/tools.ts";
import { contract } from "../../../contract/index.ts";
import { limits } from "../../../contract/limits.ts";
import { type Json, start, until } from "../../../tests/harness.ts";
import { patient } from "../../../tests/support/patience.ts";

const app = await start();
const owner = await app.signUp();
const everything = await app.makeKey(owner, ["admin"]);

/** Connects as a program with a language model does. */
async function connect(key: string): Promise<Client> {
  const client = new Client({ name: "test", version: "1" });
  const headers = { authorization: `Bearer ${key}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${app.url}/mcp`), { requestInit: { headers } }));
  return client;
}

const textsOf = ({ content }: CallToolResult): string[] =>
  content.map((part) => (part.type === "text" ? part.text : ""));

/** Calls a tool; returns its first text, and whether it is a refusal. */
async function call(client: Client, name: string, given: Record<string, unknown>) {
  const result = (await client.callTool({ name, arguments: given })) as CallToolResult;
  const [text = "", rest] = textsOf(result);
  return {
    isError: result.isError === true,
    text,
    rest,
    data: rest === undefined && text.startsWith("{") ? (JSON.parse(text) as Json) : {},
  };
}

/** Sends a message as it is. */
const post = (body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${app.url}/mcp`, {
    method: "POST",
    headers: {
      ...{ authorization: `Bearer ${everything}`, "content-type": "application/json" },
      ...{ accept: "application/json, text/event-stream", ...headers },
    },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });

const message = (method: string, params: object = {}) => ({ jsonrpc: "2.0", id: 1, method, params });

const client = await connect(everything);

describe("the tools", () => {
  it("are those that the contract marks, each with its schema", async () => {
    const listed = (await client.listTools()).tools;
    expect(listed.map(({ name }) => name)).toEqual(tools.map(({ name }) => name));
    const select = listed.find(({ name }) => name === "select_option");
    expect(Object.keys(select?.inputSchema.properties ?? {})).toEqual([
      "id",
      "optionId",
      "ifRevision",
      "idempotencyKey",
    ]);
    expect(select?.inputSchema.required).toEqual(["id", "optionId"]);
  });

  it("say which only read, and which delete", async () => {
    const { tools: listed } = await client.listTools();
    const those = (hint: "readOnlyHint" | "destructiveHint") =>
      listed.filter(({ annotations }) => annotations?.[hint]).map(({ name }) => name);
    expect(those("destructiveHint")).toEqual(["delete_node", "delete_option"]);
    const reading = tools.filter(({ endpoint }) => endpoint.method === "GET").map(({ name }) => name);
    expect(those("readOnlyHint").sort()).toEqual([...reading, "propose_for_milestone"].sort());
  });

  it("are those of the key's scopes, and none without scopes", async () => {
    const reader = await connect(await app.makeKey(owner, ["tasks:read"]));
    expect((await reader.listTools()).tools.map(({ name }) => name)).toEqual(["list_tasks"]);
    const nobody = await connect(await app.makeKey(owner, []));
    expect((await nobody.listTools()).tools).toEqual([]);
    const refused = await call(reader, "create_estimation", { title: "Shop" });
    expect([refused.isError, refused.data.message, refused.data.details?.requiredScope]).toEqual([
      true,
      "api_key_insufficient_scope",
      "estimations:write",
    ]);
  });
});

describe("a call", () => {
  it("does the whole job: outline in, alternatives tried, tasks, with what a revision and a key promise", async () => {
    const outline = "# Shop\n\n- Payment (choose one, required)\n  - [ ] Card: 4-16-34\n  - [ ] Invoice: 4-6-12\n";
    const made = await call(client, "import_estimation", { content: outline, idempotencyKey: "make-1" });
    const id = made.data.estimation?.id;
    expect(made.isError).toBe(false);
    const again = await call(client, "import_estimation", { content: outline, idempotencyKey: "make-1" });
    expect(again.data.estimation?.id).toBe(id);
    const { tree } = (await call(client, "get_tree", { id })).data;
    const [card, invoice] = [tree?.nodes?.[0]?.options?.[0]?.id, tree?.nodes?.[0]?.options?.[1]?.id];
    const tried = await call(client, "get_tree_hours", { id, select: card, explain: true });
    expect(tried.data.hours?.expected).toBe(17);
    const late = await call(client, "select_option", { id, optionId: invoice, ifRevision: 999 });
    expect([late.isError, late.data.message]).toEqual([true, "revision_mismatch"]);
    const chosen = await call(client, "select_option", { id, optionId: invoice });
    expect(chosen.data.hours?.expected).toBe(6.67);
    expect((await call(client, "generate_tasks", { id })).isError).toBe(false);
    const tasks = await call(client, "list_tasks", { id });
    expect(tasks.data.tasks?.[0]?.title).toBe("Payment: Invoice");
  });

  it("returns a refusal with what helps, as a result that the model can read", async () => {
    const refused = await call(client, "create_estimation", { title: "", colour: "red" });
    expect(refused.isError).toBe(true);
    expect(refused.data.errors?.[0]?.path).toBeDefined();
    expect(String(refused.data.docUrl)).toContain("/docs#error-validation_failed");
    expect((await call(client, "get_estimation", { id: "est_01aaaaaaaaaaaaaaaaaaaaaaaa" })).data.message).toBe(
      "not_found",
    );
  });

  it("reaches the endpoint of its tool only, whatever its arguments", async () => {
    const other = await app.signUp();
    const { data } = await app.request("POST", "/api/estimations", { token: other.token, body: { title: "Secret" } });
    const stranger = await call(client, "get_estimation", { id: data.estimation?.id });
    expect(stranger.data.message).toBe("not_found");
    for (const id of ["..", "../auth/me", "%2e%2e", "est_1?x=1", "est_1#", "", 7, null, undefined]) {
      expect((await call(client, "get_estimation", { id })).text).toContain("must be the id");
    }
    expect(requestOf(contract.getEstimation, { id: ".." })).toEqual({ notAnId: "id" });
    // What a tool fixes cannot be changed: files of people stay with the importer for people.
    const json = await call(client, "import_estimation", { format: "json", content: "# From an outline\n" });
    expect(json.data.estimation?.title).toBe("From an outline");
  });

  it("returns a long result in parts, none longer than the limit, and says when it has changed", async () => {
    const lines = Array.from({ length: 400 }, (_, n) => `- Question ${n} 😀\n  - [x] Answer: 1-2-4`).join("\n");
    const made = await call(client, "import_estimation", { content: `# Large\n\n${lines}\n` });
    const id = made.data.estimation?.id;
    const parts: string[] = [];
    let resultCursor: string | undefined;
    do {
      const { text, rest }: Awaited<ReturnType<typeof call>> = await call(client, "get_tree", { id, resultCursor });
      expect(text.length).toBeLessThanOrEqual(limits.toolResultCharacters);
      parts.push(text);
      resultCursor = /"(\w+\.\d+)"/.exec(rest ?? "")?.[1];
    } while (resultCursor !== undefined);
    expect(parts.length).toBeGreaterThan(1);
    const { tree } = (await app.request("GET", `/api/estimations/${id}/tree`, { token: everything })).data;
    expect(JSON.parse(parts.join(""))).toEqual({ tree });
    const { rest } = await call(client, "get_tree", { id });
    const cursor = /"(\w+\.\d+)"/.exec(rest ?? "")?.[1];
    await call(client, "update_node", { id, nodeId: tree?.nodes?.[0]?.id, title: "Changed" });
    expect((await call(client, "get_tree", { id, resultCursor: cursor })).text).toContain("has changed");
    expect((await call(client, "get_tree", { id, resultCursor: "nonsense" })).text).toContain("has changed");
  });
});

it("resources are estimations as outlines, and a guide", async () => {
  const { data } = await app.request("POST", "/api/estimations", { token: owner.token, body: { title: "Blog" } });
  const id = String(data.estimation?.id);
  const { resources } = await client.listResources();
  expect(resources.map(({ uri }) => uri)).toEqual(expect.arrayContaining(["guide://estimating", `estimation://${id}`]));
  const textOf = async (uri: string) => (await client.readResource({ uri })).contents[0];
  expect(await textOf(`estimation://${id}`)).toMatchObject({
    mimeType: "text/markdown",
    text: expect.stringMatching(/^# Blog/),
  });
  expect(await textOf("guide://estimating")).toMatchObject({ text: expect.stringContaining("P80") });
  for (const uri of ["estimation://est_01aaaaaaaaaaaaaaaaaaaaaaaa", "estimation://../auth", "file:///etc/passwd"]) {
    await expect(client.readResource({ uri })).rejects.toThrow(/Resource not found/);
  }
  const nobody = await connect(await app.makeKey(owner, []));
  expect((await nobody.listResources()).resources.map(({ uri }) => uri)).toEqual(["guide://estimating"]);
  await expect(nobody.readResource({ uri: `estimation://${id}` })).rejects.toThrow(/insufficient_scope/);
});

it("prompts become messages with what was given", async () => {
  const { prompts } = await client.listPrompts();
  expect(prompts.map(({ title }) => title)).toEqual([
    "Estimate from a description",
    "Challenge this estimate",
    "Explain the difference between two versions",
  ]);
  const { messages } = await client.getPrompt({ name: "challenge_estimate", arguments: { id: "est_1" } });
  expect(messages[0]?.content).toMatchObject({ type: "text", text: expect.stringContaining("est_1") });
  await expect(client.getPrompt({ name: "challenge_estimate", arguments: {} })).rejects.toThrow(/id is missing/);
  await expect(client.getPrompt({ name: "toString", arguments: {} })).rejects.toThrow(/no prompt/);
});

describe("access", () => {
  it("is refused without a valid key, with nothing that begins a discovery", async () => {
    const session = `Bearer ${owner.token}`;
    for (const authorization of ["", "Bearer svc_live_nonsense", session]) {
      const response = await post(message("tools/list"), { authorization });
      expect([response.status, response.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
    }
    for (const path of ["/.well-known/oauth-protected-resource", "/.well-known/oauth-authorization-server"]) {
      expect((await fetch(app.url + path)).status).toBe(404);
    }
  });

  it("ends with the key, at once", async () => {
    const { data } = await app.request("POST", "/api/api-keys", {
      token: owner.token,
      body: { name: "for a model", scopes: ["estimations:read"] },
    });
    const model = await connect(String(data.plaintext));
    expect((await call(model, "list_estimations", {})).isError).toBe(false);
    await app.request("DELETE", `/api/api-keys/${data.apiKey?.id}`, { token: owner.token });
    await expect(model.callTool({ name: "list_estimations", arguments: {} })).rejects.toThrow(/api_key_invalid|401/);
  });

  it("is refused to pages of other origins", async () => {
    expect((await post(message("ping"), { origin: "https://example.com" })).status).toBe(403);
    const { baseUrl } = app.services.config;
    expect((await post(message("ping"), { origin: new URL(baseUrl).origin })).status).toBe(200);
  });
});

it("is answered as usual while the service drains", async () => {
  const draining = await start({ proxyIdleMs: patient(150_000) });
  // As a proxy does, it keeps the connection. There is no other one, which the service would wait for.
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const send = async (path: string, body: object, token = "") => {
    const headers = {
      ...{ authorization: `Bearer ${token}`, "content-type": "application/json" },
      accept: "application/json, text/event-stream",
    };
    const sent = request(draining.url + path, { agent, headers, method: "POST" });
    sent.end(JSON.stringify(body));
    const [response] = await once(sent, "response");
    return JSON.parse(await text(response)) as Json;
  };
  const account = { email: "ada@example.com", password: "correct horse battery" };
  const { data: user } = await send("/api/auth/register", account);
  const wanted = { name: "test", scopes: ["estimations:read"] };
  const { data: key } = await send("/api/api-keys", wanted, String(user?.token));
  const stopped = draining.stop();
  await until(() =>
    fetch(`${draining.url}/healthz`).then(
      () => false,
      () => true,
    ),
  );
  const called = message("tools/call", { name: "list_estimations" });
  const { result } = await send("/mcp", called, String(key?.plaintext));
  expect(JSON.parse(String(result?.content?.[0]?.text))).toMatchObject({ estimations: [] });
  agent.destroy();
  await stopped;
});

describe("the protocol", () => {
  it.each(["2025-11-25", "2025-06-18"])("is spoken in version %s", async (protocolVersion) => {
    const begun = await post(
      message("initialize", { protocolVersion, capabilities: {}, clientInfo: { name: "test", version: "1" } }),
    );
    expect([begun.headers.get("cache-control"), begun.headers.get("mcp-session-id")]).toEqual(["no-store", null]);
    expect(((await begun.json()) as Json).result?.protocolVersion).toBe(protocolVersion);
    const listed = await post(message("tools/list"), { "mcp-protocol-version": protocolVersion });
    expect(((await listed.json()) as Json).result?.tools).toHaveLength(tools.length);
  });

  it("refuses what it does not allow, and other methods", async () => {
    expect((await post([message("ping"), message("ping")])).status).toBe(400);
    expect((await post("{")).status).toBe(400);
    // Without a body there is nothing that could be JSON.
    expect((await post("")).status).toBe(415);
    expect((await post({ hello: 1 })).status).toBe(400);
    expect((await post(message("ping"), { "mcp-protocol-version": "1999-01-01" })).status).toBe(400);
    expect((await post(message("ping"), { accept: "text/html" })).status).toBe(406);
    expect((await post({ jsonrpc: "2.0", method: "notifications/initialized" })).status).toBe(202);
    const unknown = (await (await post(message("tools/call", { name: "drop_table" }))).json()) as Json;
    expect(unknown.error?.code).toBe(-32602);
    for (const method of ["GET", "DELETE"]) {
      const response = await fetch(`${app.url}/mcp`, { method, headers: { authorization: `Bearer ${everything}` } });
      expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"]);
    }
  });

  it("keeps nothing of 50 programs at the same time", async () => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const heap = () => {
      collect();
      return process.memoryUsage().heapUsed;
    };
    const round = () =>
      Promise.all(
        Array.from({ length: 50 }, async () => {
          const one = await connect(everything);
          expect((await call(one, "list_estimations", { limit: 1 })).isError).toBe(false);
          await one.close();
        }),
      );
    await round();
    const before = heap();
    for (let n = 0; n < 3; n += 1) await round();
    // A session that is kept has its schemas of tools: some 200 KB each.
    expect(heap() - before).toBeLessThan(20 * 1024 * 1024);
  });
});
