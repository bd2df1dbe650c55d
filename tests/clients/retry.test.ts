import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  ApiError,
  type ClientOptions,
  ConnectionError,
  createClient,
  ForeignResponse,
  NotModified,
} from "../../clients/typescript/index.ts";
import { withRetries } from "../../clients/typescript/retry.ts";
import { until } from "../harness.ts";
import { freePort } from "../support/free-port.ts";

type Respond = (response: ServerResponse, request: IncomingMessage) => void;

interface Arrived {
  readonly line: string;
  readonly key: string | undefined;
  readonly atMs: number;
}

const refuse =
  (status: number, headers: Record<string, string> = {}): Respond =>
  (response) =>
    response
      .writeHead(status, headers)
      .end(JSON.stringify({ success: false, message: status === 429 ? "rate_limited" : "service_unavailable" }));

const succeed: Respond = (response) =>
  response.end(JSON.stringify({ success: true, data: { estimations: [], owners: [], nextCursor: null } }));

/** A server that responds to each request with the next of `responses`, and from then on with the last; and its client. */
async function serve(responses: readonly Respond[], options: Partial<ClientOptions> = {}) {
  const arrived: Arrived[] = [];
  const server = createServer((request, response) => {
    const key = request.headers["idempotency-key"];
    arrived.push({ line: `${request.method} ${request.url}`, key: key?.toString(), atMs: performance.now() });
    (responses[arrived.length - 1] ?? responses.at(-1))?.(response, request);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  return { url, arrived, client: createClient({ baseUrl: url, ...options }) };
}

const thrown = (promise: Promise<unknown>): Promise<unknown> => promise.catch((error: unknown) => error);

describe("what could pass is sent again", () => {
  test.each([429, 503])("after %i, not before the date of Retry-After", async (status) => {
    const date = new Date("2026-01-31T09:30:00Z");
    const after = new Date(date.getTime() + 1000).toUTCString();
    const { client, arrived } = await serve([
      refuse(status, { date: date.toUTCString(), "retry-after": after }),
      succeed,
    ]);
    expect((await client.listEstimations()).data.estimations).toEqual([]);
    const [first, second] = arrived;
    expect(arrived.length).toBe(2);
    expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThan(995);
  });

  test.each([502, 503, 504])("after the page of a proxy with %i", async (status) => {
    const { client, arrived } = await serve([(response) => response.writeHead(status).end("<html>"), succeed]);
    await client.listEstimations();
    expect(arrived.length).toBe(2);
  });

  test("after a lost connection, with the same key", async () => {
    const cut: Respond = (_, request) => request.socket.destroy();
    const { client, arrived } = await serve([cut, cut, succeed]);
    await client.createEstimation({ body: { title: "Shop" } });
    await client.createEstimation({ body: { title: "Shop" } });
    const keys = arrived.map(({ key }) => key);
    expect(keys).toEqual([keys[0], keys[0], keys[0], keys[3]]);
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(keys[3]).not.toBe(keys[0]);
  });

  test("after the first attempt turned out to be still under way", async () => {
    const body = JSON.stringify({ success: false, message: "request_under_way" });
    const underWay: Respond = (response) => response.writeHead(409, { "retry-after": "0" }).end(body);
    const { client, arrived } = await serve([underWay, succeed]);
    await client.createEstimation({ headers: { "idempotency-key": "mine" }, body: { title: "Shop" } });
    expect(arrived.map(({ key }) => key)).toEqual(["mine", "mine"]);
  });
});

describe("what must not be sent again is sent once", () => {
  const cut: Respond = (_, request) => request.socket.destroy();
  const params = { id: "est_1" };

  test.each([
    ["PUT", "is lost", cut],
    ["PUT", "is 503", refuse(503)],
    ["PATCH", "is 429", refuse(429, { "retry-after": "0" })],
    ["DELETE", "is lost", cut],
    ["POST without a key", "is lost", cut],
  ] as const)("a %s whose response %s", async (kind, _, respond) => {
    const { client, arrived } = await serve([respond]);
    const calls = {
      PUT: () => client.updateEstimation({ params, body: { title: "Shop" } }),
      PATCH: () => client.updateNode({ params: { ...params, nodeId: "nod_1" }, body: { title: "Scope" } }),
      DELETE: () => client.deleteEstimation({ params }),
      "POST without a key": () => client.logIn({ body: { email: "ada@example.com", password: "a long one" } }),
    };
    expect(await thrown(calls[kind]())).toBeInstanceOf(Error);
    expect(arrived.map(({ key }) => key)).toEqual([undefined]);
  });

  test.each([400, 401, 404, 409, 500])("a request that got %i", async (status) => {
    const { client, arrived } = await serve([refuse(status)]);
    expect(await thrown(client.listEstimations())).toMatchObject({ status });
    expect(arrived.length).toBe(1);
  });
});

describe("attempts end", () => {
  test("after as many as were asked for", async () => {
    const { client, arrived } = await serve([refuse(503)], { retries: { attempts: 2 } });
    expect(await thrown(client.listEstimations())).toMatchObject({ status: 503, key: "service_unavailable" });
    expect(arrived.length).toBe(2);
  });

  test("where the next one would be too late", async () => {
    const { client, arrived } = await serve([refuse(429, { "retry-after": "61" })]);
    expect(await thrown(client.listEstimations())).toMatchObject({ status: 429, key: "rate_limited" });
    expect(arrived.length).toBe(1);
  });

  test.each(["the client", "the call"])("when the signal of %s is aborted during a pause", async (whose) => {
    const ending = new AbortController();
    const of = (owner: string) => (owner === whose ? ending.signal : new AbortController().signal);
    const { client, arrived } = await serve([refuse(503, { "retry-after": "50" })], { signal: of("the client") });
    const call = thrown(client.listEstimations({ signal: of("the call") }));
    await until(() => arrived.length === 1);
    const reason = new Error("enough");
    ending.abort(reason);
    expect(await call).toBe(reason);
    expect(await thrown(client.listEstimations({ signal: ending.signal }))).toBe(reason);
    expect(arrived.length).toBe(1);
  });

  test("when the signal was aborted before a pause", async () => {
    const ending = new AbortController();
    const reason = new Error("enough");
    let attempts = 0;
    const attempt = async () => {
      attempts += 1;
      ending.abort(reason);
      throw new ForeignResponse(503, new Headers({ "retry-after": "50" }));
    };
    expect(await thrown(withRetries(attempt, {}, ending.signal))).toBe(reason);
    expect(attempts).toBe(1);
  });

  test("when the signal is aborted before there is a response", async () => {
    const { client, arrived } = await serve([() => {}]);
    expect(await thrown(client.listEstimations({ signal: AbortSignal.timeout(20) }))).toMatchObject({
      name: "TimeoutError",
    });
    expect(arrived.length).toBeLessThanOrEqual(1);
  });
});

describe("errors say what there is to know", () => {
  test("of a refusal", async () => {
    const fault = { path: "/title", in: "body", code: "required", message: "is required" };
    const body = {
      success: false,
      message: "validation_failed",
      errors: [fault],
      hint: "h",
      docUrl: "d",
      requestId: "r",
    };
    const { client } = await serve([(response) => response.writeHead(400).end(JSON.stringify(body))]);
    const error = await thrown(client.listEstimations());
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      ...{ name: "ApiError", status: 400, key: "validation_failed", hint: "h", docUrl: "d", requestId: "r" },
      ...{ message: "validation_failed: /title is required", fields: [fault] },
    });
  });

  test("with the key also where the message is a sentence", async () => {
    const body = { success: false, message: "Invalid or expired token", hint: "Sign in again." };
    const { client } = await serve([(response) => response.writeHead(401).end(JSON.stringify(body))]);
    const error = await thrown(client.listEstimations());
    expect(error).toMatchObject({ key: "token_invalid", message: "token_invalid: Sign in again.", fields: [] });
    expect(error instanceof ApiError && error.is("token_invalid")).toBe(true);
    expect(error instanceof ApiError && error.is("token_revoked")).toBe(false);
  });

  test("of a page that is not the service's, and of a record that has not changed", async () => {
    const { client } = await serve([
      (response) => response.end("<html>Sign in to the hotel's network</html>"),
      (response) => response.writeHead(304).end(),
    ]);
    expect(await thrown(client.listEstimations())).toBeInstanceOf(ForeignResponse);
    expect(await thrown(client.listEstimations())).toBeInstanceOf(NotModified);
  });

  test.each([301, 302, 303, 307, 308])("of a redirect with %i, which nothing is sent on to", async (status) => {
    const other = await serve([succeed]);
    const { client, arrived } = await serve([
      (response) => response.writeHead(status, { location: `${other.url}/api/estimations` }).end(),
    ]);
    const calls = [client.listEstimations(), client.createEstimation({ body: { title: "Shop" } })];
    for (const call of calls) {
      const error = await thrown(call);
      expect(error).toBeInstanceOf(ForeignResponse);
      expect(error).toMatchObject({ status });
    }
    expect([arrived.length, other.arrived.length]).toEqual([2, 0]);
  });

  test.each(["localhost", "http://localhost:3000/api", "http://localhost:3000/api/"])(
    "of the address %s, which is none of a service",
    (baseUrl) => {
      expect(() => createClient({ baseUrl })).toThrow(TypeError);
    },
  );

  test("of a connection that cannot be made", async () => {
    const client = createClient({ baseUrl: `http://127.0.0.1:${await freePort()}`, retries: { attempts: 1 } });
    const error = await thrown(client.listEstimations());
    expect(error).toBeInstanceOf(ConnectionError);
    expect(String(error)).toMatch(/^ConnectionError: no whole response from the service: fetch failed: .*ECONNREFUSED/);
  });
});

describe("a stream", () => {
  const event = 'event: progress\ndata: {"type":"opened"}\n\n';

  /** A server of a stream that goes on, and whether the client has closed it. */
  async function streaming(then: Respond = () => {}) {
    const closed: string[] = [];
    const open: Respond = (response, request) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).write(event);
      request.socket.on("close", () => closed.push("closed"));
      then(response, request);
    };
    return { ...(await serve([open])), closed };
  }

  test("is closed when its loop is left", async () => {
    const { client, closed } = await streaming();
    const types = [];
    for await (const { type } of (await client.watchLive()).stream) {
      types.push(type);
      break;
    }
    await until(() => closed.length === 1);
    expect(types).toEqual(["opened"]);
  });

  test("is closed when its signal is aborted, with the signal's reason", async () => {
    const { client, closed } = await streaming();
    const ending = new AbortController();
    const reason = new Error("enough");
    const { stream } = await client.watchLive({ signal: ending.signal });
    const loop = async () => {
      for await (const _ of stream) ending.abort(reason);
    };
    expect(await thrown(loop())).toBe(reason);
    await until(() => closed.length === 1);
  });

  test("that breaks off is no stream that ended", async () => {
    const { client, arrived } = await streaming((response, request) => {
      if (response.writable) setImmediate(() => request.socket.destroy());
    });
    const { stream } = await client.watchLive();
    const loop = async () => {
      for await (const _ of stream);
    };
    expect(await thrown(loop())).toBeInstanceOf(ConnectionError);
    expect(arrived.length).toBe(1);
  });
});
