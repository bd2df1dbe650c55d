import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer as createTlsServer } from "node:tls";
import { gzipSync } from "node:zlib";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createFakeClock } from "../../../tests/fake-clock.ts";
import { freePort } from "../../../tests/support/free-port.ts";
import { certify, type Receiver, type Respond, startReceiver } from "../../../tests/support/receiver.ts";
import { type Clock, systemClock } from "../clock.ts";
import type { Resolve } from "./connector.ts";
import { createOutbound, type Outbound, OutboundFailure, type OutboundRequest } from "./index.ts";

const LOOPBACK = ["127.0.0.0/8", "::1/128"];
const dataDir = mkdtempSync(join(tmpdir(), "outbound-"));
const folder = join(dataDir, "trusted-ca");
let respond: Respond;
let receiver: Receiver;
const open: { close(): unknown }[] = [];

beforeAll(async () => {
  receiver = await startReceiver((...exchange) => respond(...exchange));
  receiver.trustedBy(dataDir);
});
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});
afterAll(async () => {
  await receiver.close();
  rmSync(dataDir, { recursive: true });
});

function make(
  options: {
    clock?: Clock;
    allowedNetworks?: string[];
    allowedPorts?: number[];
    resolve?: Resolve;
    trustedFolder?: string;
  } = {},
): Outbound {
  const outbound = createOutbound({
    clock: systemClock,
    log: pino({ level: "silent" }),
    allowedNetworks: LOOPBACK,
    allowedPorts: [Number(new URL(receiver.url).port)],
    trustedFolder: folder,
    ...options,
  });
  open.push(outbound);
  return outbound;
}

const post = (more: Partial<OutboundRequest> = {}): OutboundRequest => ({
  url: `${receiver.url}/hook?a=1`,
  method: "POST",
  headers: { "Content-Type": "application/json", "X-Any": "thing" },
  body: '{"snow":"☃"}',
  timeoutMs: 60_000,
  readBytes: 64 * 1024,
  returnBytes: 4 * 1024,
  ...more,
});

const reasonOf = (sent: Promise<unknown>): Promise<string> =>
  sent.then(
    () => "responded",
    (error) => (error instanceof OutboundFailure ? error.reason : String(error)),
  );

/** A raw server on loopback. */
async function listen<S extends Server>(server: S): Promise<string> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  open.push({
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(resolve));
    },
  });
  const address = server.address();
  return `https://localhost:${typeof address === "object" && address ? address.port : 0}`;
}

describe("a request", () => {
  test("arrives byte for byte, and its response comes back", async () => {
    respond = (_, response) => response.writeHead(202, { "X-Response": ["a", "b"] }).end("thanks");
    const response = await make().send(post());
    expect(response.status).toBe(202);
    expect(response.headers["x-response"]).toBe("a, b");
    expect(response.body.toString()).toBe("thanks");
    const received = receiver.requests.at(-1);
    expect(received?.body).toBe('{"snow":"☃"}');
    expect(received?.path).toBe("/hook?a=1");
    expect(received?.headerNames.toSorted()).toEqual(
      ["X-Any", "Content-Type", "connection", "content-length", "host"].toSorted(),
    );
  });

  test("reuses a connection", async () => {
    respond = (_, response) => response.end();
    const outbound = make();
    const before = receiver.connections();
    for (let count = 0; count < 5; count++) await outbound.send(post());
    // A second one may have been begun before the first was free again.
    expect(receiver.connections() - before).toBeLessThanOrEqual(2);
  });

  test("does not follow a redirect", async () => {
    respond = (_, response) => response.writeHead(307, { location: `${receiver.url}/elsewhere` }).end();
    const before = receiver.requests.length;
    expect((await make().send(post())).status).toBe(307);
    expect(receiver.requests.length - before).toBe(1);
  });
});

describe("a response's body", () => {
  test.each([
    [4_095, 4_095],
    [4_096, 4_096],
    [4_097, 4_096],
    [65_535, 4_096],
    [65_536, 4_096],
  ])(
    "of %i bytes is read to its end and returned up to its limit (%i), and the connection stays open",
    async (size, returned) => {
      const outbound = make();
      const before = receiver.connections();
      for (const headers of [{}, { "content-length": size }]) {
        respond = (_, response) => {
          response.writeHead(200, headers).write("x".repeat(size - 1));
          response.end("y");
        };
        for (let count = 0; count < 3; count++) {
          const { status, body } = await outbound.send(post());
          expect([status, body.toString()]).toEqual([200, `${"x".repeat(size - 1)}y`.slice(0, returned)]);
        }
      }
      // A second one may have been begun before the first was free again.
      expect(receiver.connections() - before).toBeLessThanOrEqual(2);
    },
  );

  test("with one byte more than is read closes the connection; the response counts", async () => {
    const outbound = make();
    const before = receiver.connections();
    respond = (_, response) => response.end("x".repeat(65_537));
    for (let count = 0; count < 3; count++) {
      const { status, body } = await outbound.send(post());
      expect([status, body.length]).toEqual([200, 4_096]);
    }
    expect(receiver.connections() - before).toBe(3);
  });

  test("that does not end closes the connection; the response counts", async () => {
    let sent = 0;
    respond = (_, response) => {
      const more = () => {
        while (!response.destroyed && sent < 50_000_000) {
          sent += 16_384;
          if (!response.write(Buffer.alloc(16_384, "x"))) return response.once("drain", more);
        }
      };
      more();
    };
    const response = await make().send(post());
    expect(response.status).toBe(200);
    expect(response.body.length).toBe(4 * 1024);
    expect(sent).toBeLessThan(20_000_000);
  });

  test("is never decompressed", async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    respond = (_, response) => response.writeHead(200, { "content-encoding": "gzip" }).end(bomb);
    const response = await make().send(post());
    expect(response.body.equals(bomb.subarray(0, 4 * 1024))).toBe(true);
  });
});

describe("the deadline", () => {
  test("covers a response that never begins", async () => {
    respond = () => {};
    expect(await reasonOf(make().send(post({ timeoutMs: 100 })))).toBe("timeout");
  });

  test("covers a body that drips", async () => {
    respond = (_, response) => {
      response.writeHead(200).write("a");
      const drip = setInterval(() => response.write("a"), 20);
      response.on("close", () => clearInterval(drip));
    };
    const outbound = make();
    // The body has begun in the shortest of these, unless the machine is busy.
    for (const timeoutMs of [150, 1_500, 15_000]) {
      const failure = await outbound.send(post({ timeoutMs })).catch((error: unknown) => error);
      expect(failure).toMatchObject({ reason: "timeout" });
      if ((failure as OutboundFailure).partial) return expect(failure).toMatchObject({ partial: { status: 200 } });
    }
    expect.unreachable("no response began");
  });

  test("covers headers that drip", async () => {
    const pems = await certify(["localhost"]);
    const url = await listen(
      createTlsServer({ key: pems.private, cert: pems.cert }, (socket) => {
        socket.on("error", () => {});
        socket.write("HTTP/1.1 200 OK\r\n");
        const drip = setInterval(() => socket.write("x: y\r\n"), 20);
        socket.on("close", () => clearInterval(drip));
      }),
    );
    writeFileSync(join(folder, "dripping.pem"), pems.cert);
    expect(await reasonOf(make().send(post({ url, timeoutMs: 200 })))).toBe("timeout");
  });

  test("covers name resolution", async () => {
    expect(await reasonOf(make({ resolve: () => {} }).send(post({ timeoutMs: 100 })))).toBe("timeout");
  });

  test("covers a TLS handshake that never ends", async () => {
    const url = await listen(createServer(() => {}));
    expect(await reasonOf(make().send(post({ url, timeoutMs: 100 })))).toBe("timeout");
  });

  test("also ends a request that is still waiting for its connection: it is not sent afterwards", async () => {
    respond = (_, response) => response.end();
    const resolved = Promise.withResolvers<void>();
    const outbound = make({
      resolve: (_, __, callback) =>
        void resolved.promise.then(() => callback(null, [{ address: "127.0.0.1", family: 4 }])),
    });
    const before = receiver.requests.length;
    expect(await reasonOf(outbound.send(post({ timeoutMs: 50 })))).toBe("timeout");
    resolved.resolve();
    for (const body of ["second", "third"]) expect((await outbound.send(post({ body }))).status).toBe(200);
    expect(receiver.requests.slice(before).map(({ body }) => body)).toEqual(["second", "third"]);
  });
});

describe("making a connection", () => {
  test("may take as long as the longest request", async () => {
    respond = (_, response) => response.end();
    const clock = createFakeClock();
    const [asked, resolved] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const outbound = make({
      clock,
      resolve: (_, __, callback) => {
        asked.resolve();
        void resolved.promise.then(() => callback(null, [{ address: "127.0.0.1", family: 4 }]));
      },
    });
    const sent = outbound.send(post({ timeoutMs: 60_000 }));
    await Promise.race([asked.promise, sent]);
    await clock.advance(59_999);
    resolved.resolve();
    expect((await sent).status).toBe(200);
  });

  test("ends with the request that wanted it", async () => {
    const server = createServer();
    const url = await listen(server);
    const connected = once(server, "connection") as Promise<[Socket]>;
    const clock = createFakeClock();
    const sent = reasonOf(make({ clock }).send(post({ url, timeoutMs: 100 })));
    const [socket] = await connected;
    await clock.advance(100);
    expect(await sent).toBe("timeout");
    await once(socket.resume(), "close");
  });
});

test("a request can be ended from outside", async () => {
  respond = () => {};
  const ending = new AbortController();
  const sent = reasonOf(make().send(post({ signal: ending.signal })));
  ending.abort();
  expect(await sent).toBe("aborted");
  expect(await reasonOf(make().send(post({ signal: ending.signal })))).toBe("aborted");
});

describe("addresses are checked when connecting", () => {
  const resolving =
    (...responses: string[][]): Resolve =>
    (_, __, callback) => {
      const addresses = responses.length > 1 ? responses.shift() : responses[0];
      callback(
        null,
        (addresses ?? []).map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
      );
    };

  test("a literal address that is not public is refused", async () => {
    const before = receiver.connections();
    const url = receiver.url.replace("localhost", "127.0.0.1");
    expect(await reasonOf(make({ allowedNetworks: [] }).send(post({ url })))).toBe("blocked_address");
    expect(receiver.connections()).toBe(before);
  });

  test("a name that resolves to such an address is refused", async () => {
    const before = receiver.connections();
    expect(await reasonOf(make({ allowedNetworks: [] }).send(post()))).toBe("blocked_address");
    expect(receiver.connections()).toBe(before);
  });

  test.each([
    [["93.184.216.34", "127.0.0.1"]],
    [["::1", "2606:4700:4700::1111"]],
    [["93.184.216.34", "10.0.0.1", "1.1.1.1"]],
  ])("a name with one such address among several is refused: %s", async (addresses) => {
    const outbound = make({ allowedNetworks: [], resolve: resolving(addresses) });
    expect(await reasonOf(outbound.send(post()))).toBe("blocked_address");
  });

  test.each([
    [["127.0.0.2"]],
    [["10.0.0.1"]],
    [["169.254.169.254"]],
    [["::1"]],
    [["::ffff:127.0.0.1"]],
    [["64:ff9b::7f00:1"]],
    [["fd00::1"]],
    [["127.0.0.1", "192.168.0.1"]],
  ])("a name that changes from an allowed address to %s is refused the second time", async (later) => {
    respond = (_, response) => response.writeHead(200, { connection: "close" }).end();
    const outbound = make({ allowedNetworks: ["127.0.0.1/32"], resolve: resolving(["127.0.0.1"], later) });
    expect(await reasonOf(outbound.send(post()))).toBe("responded");
    const before = receiver.connections();
    expect(await reasonOf(outbound.send(post()))).toBe("blocked_address");
    expect(receiver.connections()).toBe(before);
  });

  test("a redirect to such an address is a response, and no request is sent there", async () => {
    const elsewhere = await startReceiver();
    open.push(elsewhere);
    for (const status of [301, 302, 303, 307, 308]) {
      respond = (_, response) => response.writeHead(status, { location: `${elsewhere.url}/inside` }).end();
      expect((await make().send(post())).status).toBe(status);
    }
    expect(elsewhere.connections()).toBe(0);
  });

  test("a port that is not allowed is refused before anything is sent, except on an allowed network", async () => {
    respond = (_, response) => response.end();
    const before = receiver.connections();
    const urls = [receiver.url, receiver.url.replace("localhost", "127.0.0.1")];
    for (const url of urls) {
      const outbound = make({ allowedNetworks: [], allowedPorts: [], resolve: resolving(["93.184.216.34"]) });
      expect(await reasonOf(outbound.send(post({ url })))).toBe("blocked_address");
    }
    expect(receiver.connections()).toBe(before);
    for (const url of urls) expect(await reasonOf(make({ allowedPorts: [] }).send(post({ url })))).toBe("responded");
  });

  test("a name without an address is an error of name resolution", async () => {
    expect(await reasonOf(make({ resolve: resolving([]) }).send(post()))).toBe("dns");
    const unknown: Resolve = (_, __, callback) => callback(Object.assign(new Error("no"), { code: "ENOTFOUND" }), []);
    expect(await reasonOf(make({ resolve: unknown }).send(post()))).toBe("dns");
  });
});

describe("certificates are verified", () => {
  const serve = async (pems: { private: string; cert: string }) =>
    listen(
      createTlsServer({ key: pems.private, cert: pems.cert }, (socket) =>
        socket.end("HTTP/1.1 204 No Content\r\n\r\n"),
      ),
    );

  test("one that no trusted authority has signed is refused", async () => {
    const url = await serve(await certify(["localhost"]));
    expect(await reasonOf(make().send(post({ url })))).toBe("certificate");
  });

  test("one of another host is refused", async () => {
    const pems = await certify(["elsewhere.example"]);
    writeFileSync(join(folder, "elsewhere.pem"), pems.cert);
    expect(await reasonOf(make().send(post({ url: await serve(pems) })))).toBe("certificate");
  });

  test("one that has expired is refused", async () => {
    const pems = await certify(["localhost"], { notAfterDate: new Date(Date.now() - 3_600_000) });
    writeFileSync(join(folder, "expired.pem"), pems.cert);
    expect(await reasonOf(make().send(post({ url: await serve(pems) })))).toBe("certificate");
  });

  test("a certificate put into the folder is trusted from the next connection on, and a broken file beside it is ignored", async () => {
    const pems = await certify(["localhost"]);
    const url = await serve(pems);
    const outbound = make();
    expect(await reasonOf(outbound.send(post({ url })))).toBe("certificate");
    writeFileSync(join(folder, "broken.pem"), "no certificate at all");
    writeFileSync(join(folder, "added.pem"), `Some words first\n${pems.cert}`);
    expect(await reasonOf(outbound.send(post({ url })))).toBe("responded");
  });

  test("without a folder only the system's authorities count", async () => {
    expect(await reasonOf(make({ trustedFolder: join(dataDir, "nowhere") }).send(post()))).toBe("certificate");
  });
});

describe("every other failure has a name", () => {
  test("nothing listens", async () => {
    const url = `https://localhost:${await freePort()}`;
    expect(await reasonOf(make().send(post({ url })))).toBe("connection_refused");
  });

  test("the connection breaks before the response", async () => {
    respond = (_, response) => response.destroy();
    expect(await reasonOf(make().send(post()))).toBe("connection_failed");
  });

  test("the other side closes an idle connection just as it is reused: nothing is sent twice", async () => {
    const pems = await certify(["localhost"]);
    let received = "";
    let opened = 0;
    const url = await listen(
      createTlsServer({ key: pems.private, cert: pems.cert }, (socket) => {
        opened += 1;
        let responded = false;
        socket.on("error", () => {});
        socket.on("data", (chunk) => {
          if (responded) return socket.destroy();
          received += chunk;
          responded = received.endsWith("}");
          if (responded) socket.write("HTTP/1.1 204 No Content\r\n\r\n");
        });
      }),
    );
    writeFileSync(join(folder, "hasty.pem"), pems.cert);
    const outbound = make();
    const send = () => reasonOf(outbound.send(post({ url })));
    expect([await send(), await send(), await send()]).toEqual(["responded", "connection_failed", "responded"]);
    expect(opened).toBe(2);
    expect(received.match(/POST/g)).toHaveLength(2);
  });

  test("the other side does not use TLS", async () => {
    const url = await listen(createServer((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n")));
    expect(await reasonOf(make().send(post({ url })))).toBe("tls");
  });

  test("the response is not HTTP", async () => {
    const pems = await certify(["localhost"]);
    const url = await listen(
      createTlsServer({ key: pems.private, cert: pems.cert }, (socket) => socket.end("SSH-2.0-OpenSSH\r\n")),
    );
    writeFileSync(join(folder, "ssh.pem"), pems.cert);
    expect(await reasonOf(make().send(post({ url })))).toBe("invalid_response");
  });

  test("the response's headers are too large", async () => {
    respond = (_, response) => response.writeHead(200, { "x-large": "x".repeat(60_000) }).end();
    expect(await reasonOf(make().send(post()))).toBe("invalid_response");
  });
});
