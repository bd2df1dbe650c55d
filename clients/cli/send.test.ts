import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { Interrupted } from "./failure.ts";
import { endpointAt, patientFetch } from "./send.ts";

interface Got {
  readonly method: string | undefined;
  readonly headers: IncomingHttpHeaders;
}

/** A server that responds with these statuses one after the other, the last one for ever; 0 breaks the connection, -1 is no response. */
async function serverWith(
  statuses: readonly number[],
  headers: Record<string, string> = { "retry-after": "1" },
  body = "{}",
) {
  const got: Got[] = [];
  const server = createServer((request, response) => {
    got.push({ method: request.method, headers: request.headers });
    const status = statuses[Math.min(got.length, statuses.length) - 1] ?? 200;
    if (status === 0) request.socket.destroy();
    else if (status > 0) response.writeHead(status, headers).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, got };
}

function sender(signal = new AbortController().signal, patienceMs?: number) {
  const notes: string[] = [];
  return {
    notes,
    send: patientFetch({ signal, note: (text) => void notes.push(text), progress: () => {} }, patienceMs),
  };
}

const TASKS = "/api/estimations/est_1/tasks/generate";

describe("a request", () => {
  test("that is limited is sent again after as long as Retry-After says, and the person hears of it", async () => {
    const { url, got } = await serverWith([429, 200]);
    const { send, notes } = sender();
    expect((await send(`${url}/api/estimations`)).status).toBe(200);
    expect([got.length, notes]).toEqual([2, ["Too many requests: again in 1 s"]]);
  });

  test("is sent four times at most", async () => {
    const { url, got } = await serverWith([503]);
    expect((await sender().send(`${url}/api/estimations`)).status).toBe(503);
    expect(got).toHaveLength(4);
  });

  test("is not sent again if that would be too late for a person", async () => {
    const { url, got } = await serverWith([429], { "retry-after": "3600" });
    expect((await sender().send(`${url}/api/estimations`)).status).toBe(429);
    expect(got).toHaveLength(1);
  });

  test("that is a POST has the same key each time, also after a broken connection", async () => {
    const { url, got } = await serverWith([0, 503, 200]);
    expect((await sender().send(url + TASKS, { method: "POST" })).status).toBe(200);
    const keys = got.map(({ headers }) => headers["idempotency-key"]);
    expect([got.length, new Set(keys).size, keys[0]]).toEqual([3, 1, expect.stringMatching(/^[\w-]{36}$/)]);
  });

  test("that is another write is sent once if nobody knows whether it was carried out", async () => {
    for (const status of [503, 0]) {
      const { url, got } = await serverWith([status]);
      const outcome = sender().send(`${url}/api/estimations/est_1`, { method: "PUT", body: "{}" });
      if (status === 503) expect((await outcome).status).toBe(503);
      else
        await expect(outcome).rejects.toMatchObject({
          exitCode: 6,
          message: expect.stringMatching(/whether the change was made is not known/),
        });
      expect(got).toHaveLength(1);
    }
  });

  test("whose first attempt is still under way is sent again; another conflict is not", async () => {
    for (const [message, times] of [
      ["request_under_way", 2],
      ["estimation_locked", 1],
    ] as const) {
      const { url, got } = await serverWith([409, 200], { "retry-after": "1" }, JSON.stringify({ message }));
      const response = await sender().send(url + TASKS, { method: "POST" });
      expect([response.status, got.length]).toEqual([times === 2 ? 200 : 409, times]);
      expect(await response.json()).toEqual({ message });
    }
  });

  test("without a response is not sent again, and ends after one time for all attempts", async () => {
    const { url, got } = await serverWith([-1]);
    const { send } = sender(undefined, 200);
    await expect(send(`${url}/api/estimations`)).rejects.toMatchObject({ exitCode: 6, message: "no response in time" });
    await expect(send(`${url}/api/estimations/est_1`, { method: "PUT", body: "{}" })).rejects.toThrow(
      "no response in time; whether the change was made is not known",
    );
    expect(got).toHaveLength(2);
  });

  test("is not sent again where its time is over before", async () => {
    const { url, got } = await serverWith([503], { "retry-after": "5" });
    expect((await sender(undefined, 3_000).send(`${url}/api/estimations`)).status).toBe(503);
    expect(got).toHaveLength(1);
  });

  test("names this program, and follows no redirect", async () => {
    const { url, got } = await serverWith([302], { location: "https://elsewhere.example" });
    expect((await sender().send(`${url}/api/estimations`)).status).toBe(302);
    expect(got[0]?.headers["user-agent"]).toMatch(/^estimate\//);
  });
});

describe("Ctrl-C", () => {
  test("ends a read, and what only waits", async () => {
    const { url, got } = await serverWith([429], { "retry-after": "50" });
    const stopping = new AbortController();
    const waiting = sender(stopping.signal).send(`${url}/api/estimations`);
    await expect.poll(() => got.length).toBe(1);
    stopping.abort(new Interrupted());
    await expect(waiting).rejects.toBeInstanceOf(Interrupted);
  });

  test("lets what tidies up afterwards through, but no read", async () => {
    const { url, got } = await serverWith([200]);
    const { send } = sender(AbortSignal.abort(new Interrupted()));
    expect((await send(`${url}/api/webhooks/wh_1`, { method: "DELETE" })).status).toBe(200);
    await expect(send(`${url}/api/estimations`)).rejects.toBeInstanceOf(Interrupted);
    expect(got.map(({ method }) => method)).toEqual(["DELETE"]);
  });
});

test("a service that is not there is named, with the reason", async () => {
  const { url } = await serverWith([200]);
  const away = url.replace(/\d+$/, "1");
  await expect(sender().send(`${away}/api/estimations/est_1`, { method: "PUT" })).rejects.toMatchObject({
    exitCode: 6,
  });
});

test.each([
  ["GET", "/api/estimations", "/api/estimations"],
  ["PATCH", "/api/estimations/est_1", "/api/estimations/:id"],
  ["POST", TASKS, "/api/estimations/:id/tasks/generate"],
  ["DELETE", "/api/nothing", undefined],
])("%s %s is a request to %s", (method, path, endpoint) => {
  expect(endpointAt(method, path)?.path).toBe(endpoint);
});
