import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, request } from "node:http";
import { type AddressInfo, createServer as createSocketServer } from "node:net";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { isDatabaseUnavailable } from "./failures.ts";

/** Returns a port on which nobody listens. */
async function closedPort(): Promise<number> {
  const server = createSocketServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

const connecting = (options: pg.ClientConfig) => new pg.Client({ user: "x", database: "x", ...options }).connect();

test.each([
  ["at an address", async () => ({ host: "127.0.0.1", port: await closedPort() })],
  ["at every address of a name", async () => ({ host: "localhost", port: await closedPort() })],
  ["at a socket", async () => ({ host: "/nowhere" })],
  ["by a name", async () => ({ host: "database.invalid" })],
])("a database that is not found %s is unavailable", async (_, options) => {
  await expect(connecting(await options())).rejects.toSatisfy(isDatabaseUnavailable);
});

test.each([
  ["hangs up", undefined],
  ["hangs up during the TLS handshake", { rejectUnauthorized: false }],
])("a database that %s is unavailable", async (_, ssl) => {
  const server = createSocketServer((socket) => {
    socket.on("error", () => {});
    let responded = false;
    socket.on("data", () => {
      if (ssl && !responded) socket.write("S");
      else socket.destroy();
      responded = true;
    });
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const failed = connecting({ host: "127.0.0.1", port, ...(ssl ? { ssl } : {}) });
  await expect(failed).rejects.toSatisfy(isDatabaseUnavailable);
});

test("a missing file does not count as an outage", async () => {
  await expect(readFile("/nowhere")).rejects.not.toSatisfy(isDatabaseUnavailable);
});

test("a request whose sender disconnects does not count as an outage", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const upload = request({ port, host: "127.0.0.1", method: "POST", headers: { "content-length": "9" } });
  upload.on("error", () => {}).write("x");
  const [incoming] = await once(server, "request");
  incoming.resume();
  upload.destroy();
  const [error] = await once(incoming, "error");
  expect(error).toMatchObject({ code: "ECONNRESET" });
  expect(isDatabaseUnavailable(error)).toBe(false);
});
