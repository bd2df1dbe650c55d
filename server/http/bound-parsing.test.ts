import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import type { Duplex } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { limits } from "../../contract/limits.ts";
import { createFakeClock } from "../../tests/fake-clock.ts";
import { until } from "../../tests/harness.ts";
import { boundParsing, isCut } from "./bound-parsing.ts";

const post = (more: string, body: string) => `POST / HTTP/1.1\r\nhost: x\r\n${more}\r\n\r\n${body}`;
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
const chunked = (chunks: readonly string[]) =>
  post("transfer-encoding: chunked", `${chunks.map(chunk).join("")}0\r\n\r\n`);

const excesses: unknown[] = [];
/** Excesses after which connections are closed without answers. */
let answered = Number.POSITIVE_INFINITY;
const noteExcess = () => excesses.push({}) <= answered;
beforeEach(() => {
  excesses.length = 0;
  answered = Number.POSITIVE_INFINITY;
});

/** Starts a server; returns a function that sends requests in one piece on a new connection, and returns all answers. */
async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  // As the service: its clients may have sent everything before they are answered.
  const server = Object.assign(createServer(answer), { httpAllowHalfOpen: true });
  boundParsing(server, noteExcess);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return async (...requests: string[]): Promise<string> => {
    const client = connect((server.address() as AddressInfo).port, "127.0.0.1");
    let text = "";
    client.setEncoding("latin1").on("data", (part) => {
      text += part;
    });
    client.on("error", () => {});
    client.end(requests.join(""));
    await once(client, "close");
    return text;
  };
}

test("of the small chunks in a read, one more is taken than a body may have, and all of everything else", async () => {
  let bodies: string[][] = [];
  const send = await serve((request, response) => {
    const parts: string[] = [];
    bodies.push(parts);
    request.setEncoding("latin1").on("data", (part) => parts.push(part));
    request.on("end", () => {
      if (isCut(request)) parts.push("cut");
      response.end();
    });
  });
  const bodiesOf = async (...requests: string[]) => {
    bodies = [];
    await send(...requests);
    return bodies;
  };
  const most = limits.smallChunks;
  const small = (count: number): string[] => Array(count).fill("x");
  const large = "y".repeat(limits.smallChunkBytes);
  const few = ["one", large, "two"];
  const announced = (bytes: number) => post(`content-length: ${bytes}`, "z".repeat(bytes));
  expect(await bodiesOf(chunked(few), chunked(small(most - 2)))).toEqual([few, small(most - 2)]);
  expect(excesses).toHaveLength(0);
  const [many, next] = await bodiesOf(chunked([large, ...small(most + 5_000)]), announced(most * 2));
  expect([many, next?.join("")]).toEqual([[large, ...small(most + 1), "cut"], "z".repeat(most * 2)]);
  expect(excesses).toHaveLength(1);
  // The parser of the next connection has taken no more at last.
  await bodiesOf(chunked(small(most + 2)));
  expect(await bodiesOf(post("content-length: 3", "all"))).toEqual([["all"]]);
});

test("the chunks of all bodies whose requests have no response yet count together, and the connection is closed", async () => {
  let ended = 0;
  const send = await serve((request, response) => {
    request.resume().on("end", () => {
      if (!isCut(request)) ended += 1;
      setTimeout(() => response.end("done"), 5);
    });
  });
  const half = chunked(Array(limits.smallChunks / 2).fill("x"));
  expect((await send(half, half)).split("done")).toHaveLength(3);
  expect([ended, excesses.length]).toEqual([2, 0]);
  // The third misses its rest, and the fourth is not begun.
  expect((await send(half, half, half, half)).split("done")).toHaveLength(4);
  expect([ended, excesses.length]).toEqual([4, 1]);
});

test("a connection with too many requests that have no response yet is closed when they are answered, and none of the others is begun", async () => {
  let begun = 0;
  const send = await serve(async (_, response) => {
    begun += 1;
    await turn();
    response.end("done");
  });
  const requests = (count: number) => Array<string>(count).fill("GET / HTTP/1.1\r\nhost: x\r\n\r\n");
  const answersTo = async (count: number) => (await send(...requests(count))).split("done").length - 1;
  const most = limits.pipelinedRequests;
  expect([await answersTo(most), begun]).toEqual([most, most]);
  expect(excesses).toHaveLength(0);
  begun = 0;
  expect([await answersTo(most + 1), begun]).toEqual([most, most]);
  begun = 0;
  expect([await answersTo(1_000), begun]).toEqual([most, most]);
  expect(excesses).toHaveLength(2);
  // The third of that kind.
  [begun, answered] = [0, 2];
  expect([await answersTo(1_000), begun]).toEqual([0, most]);
  // The same parser, and one request after the other.
  expect(await answersTo(most)).toBe(most);
});

test("as many requests as one likes are answered on a connection, one after the other", async () => {
  let begun = 0;
  const server = createServer((_, response) => {
    begun += 1;
    response.end("done");
  });
  boundParsing(server, noteExcess);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const client = connect((server.address() as AddressInfo).port, "127.0.0.1");
  for (let at = 0; at < 4 * limits.pipelinedRequests; at += 1) {
    client.write("GET / HTTP/1.1\r\nhost: x\r\n\r\n");
    await once(client, "data");
  }
  expect(begun).toBe(4 * limits.pipelinedRequests);
  client.destroy();
  server.close();
});

test("a connection with the parser of one that became a tunnel is bounded for itself", async () => {
  let begun = 0;
  const server = createServer((_, response) => {
    begun += 1;
    response.end("done");
  });
  boundParsing(server, noteExcess);
  const tunnels: Duplex[] = [];
  server.on("connect", (_, socket) => tunnels.push(socket));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const open = () => connect((server.address() as AddressInfo).port, "127.0.0.1").on("error", () => {});
  const tunnel = open();
  // Its body has too many chunks, so the parser calls no function for the rest.
  tunnel.write(`${chunked(Array(limits.smallChunks + 2).fill("x"))}CONNECT x:1 HTTP/1.1\r\nhost: x\r\n\r\n`);
  await until(() => tunnels.length === 1);
  expect(excesses).toHaveLength(1);

  const client = open();
  for (let at = 0; at < 4 * limits.pipelinedRequests; at += 1) {
    client.write("GET / HTTP/1.1\r\nhost: x\r\n\r\n");
    await once(client, "data");
  }
  client.write("GET / HTTP/1.1\r\nhost: x\r\n\r\n".repeat(1_000));
  client.resume();
  await once(client, "close");
  expect([excesses.length, begun]).toEqual([2, 1 + 5 * limits.pipelinedRequests]);
  for (const socket of [tunnel, ...tunnels]) socket.destroy();
  server.close();
});

test("it stays open for a moment after the answers, because unread requests would have it reset, and the answers could be lost", async () => {
  const clock = createFakeClock();
  const server = createServer((_, response) => response.end("done"));
  boundParsing(server, noteExcess, clock);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const client = connect({ port: (server.address() as AddressInfo).port, host: "127.0.0.1", allowHalfOpen: true });
  client.on("error", () => {}).resume();
  client.write("GET / HTTP/1.1\r\nhost: x\r\n\r\n".repeat(10_000));
  await once(client, "end");
  const open = () => new Promise((resolve) => server.getConnections((_, count) => resolve(count)));
  await clock.advance(999);
  expect(await open()).toBe(1);
  await clock.advance(1);
  await until(async () => (await open()) === 0);
  client.destroy();
  server.close();
});
