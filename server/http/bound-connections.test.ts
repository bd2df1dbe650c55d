import { once } from "node:events";
import { createServer as createBareServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { pino } from "pino";
import { afterAll, expect, test } from "vitest";
import { start, until } from "../../tests/harness.ts";
import { loadConfig } from "../config.ts";
import { systemClock } from "../platform/clock.ts";
import {
  BEGUN_IN_PERIOD,
  boundConnections,
  EXCESS_MS,
  EXCESSES_AT_ONCE,
  LINGERING_AT_ONCE,
  REFUSED_AT_ONCE,
} from "./bound-connections.ts";
import { createServer } from "./server.ts";

const BOUND = 5;
const PROXY = "127.0.0.3";

const app = await start({ config: { httpConnectionsPerAddress: BOUND, trustProxy: [`${PROXY}/32`] } });
const { hostname, port } = new URL(app.url);
const made: Socket[] = [];
afterAll(() => made.forEach((socket) => void socket.destroy()));

/** A connection from an address of this machine, and what it was sent. */
async function open(localAddress: string, at = Number(port)) {
  // It stays open on its side when it is refused.
  const socket = connect({ host: hostname, port: at, localAddress, allowHalfOpen: true });
  made.push(socket);
  let text = "";
  socket.on("error", () => {}).on("data", (part) => (text += part));
  await once(socket, "connect");
  return {
    socket,
    text: () => text,
    async status() {
      socket.write("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
      await until(() => text !== "" || socket.readableEnded || socket.destroyed);
      return /^HTTP\/1.1 (\d+)/.exec(text)?.[1];
    },
  };
}

const openAll = async (count: number, address: string) => {
  const all = [];
  for (let n = 0; n < count; n += 1) all.push(await open(address));
  return all;
};

test("an address may have a number of connections, then is refused until one of them ends", async () => {
  const within = await openAll(BOUND, "127.0.0.2");
  const beyond = await open("127.0.0.2");
  await until(() => beyond.socket.readableEnded);
  expect(beyond.text()).toMatch(/^HTTP\/1.1 429 /);
  expect(beyond.text()).toMatch(/retry-after: 1\r\n/);
  expect(JSON.parse(beyond.text().split("\r\n\r\n")[1] ?? "")).toMatchObject({
    success: false,
    message: "rate_limited",
  });
  for (const one of within) expect(await one.status()).toBe("200");
  // Others are served meanwhile.
  expect(await (await open("127.0.0.4")).status()).toBe("200");
  within[0]?.socket.destroy();
  await until(async () => (await (await open("127.0.0.2")).status()) === "200");
});

test("connections are closed without an answer where several are being refused", async () => {
  const all = await openAll(BOUND + REFUSED_AT_ONCE + 3, "127.0.0.5");
  const isOver = ({ socket }: (typeof all)[number]) => socket.readableEnded || socket.destroyed;
  await until(() => all.filter(isOver).length === REFUSED_AT_ONCE + 3);
  const answers = all.map(({ text }) => text());
  expect(answers.filter((text) => text.startsWith("HTTP/1.1 429 "))).toHaveLength(REFUSED_AT_ONCE);
  expect(answers.filter((text) => text === "")).toHaveLength(BOUND + 3);
});

test("a trusted proxy has as many connections as it needs", async () => {
  for (const one of await openAll(3 * BOUND, PROXY)) expect(await one.status()).toBe("200");
});

test("of many connections at once the last ones wait, but nobody else waits for them", async () => {
  const periods: (() => void)[] = [];
  const server = createBareServer((_, response) => void response.end("seen"));
  boundConnections(server, {
    perAddress: 100,
    isProxy: () => false,
    refuse: () => {},
    clock: {
      after(_, work) {
        periods.push(work);
        return () => {};
      },
    },
  });
  server.listen(0);
  afterAll(() => server.close());
  const at = (server.address() as AddressInfo).port;
  const many = [];
  for (let n = 0; n < BEGUN_IN_PERIOD + 1; n += 1) many.push(await open("127.0.0.2", at));
  const asked = many.map((one) => one.status());
  const other = await open("127.0.0.3", at);
  expect(await other.status()).toBe("200");
  expect(await Promise.all(asked.slice(0, -1))).toEqual(Array(BEGUN_IN_PERIOD).fill("200"));
  expect(many.at(-1)?.text()).toBe("");
  for (const end of periods) end();
  expect(await asked.at(-1)).toBe("200");
});

test("no more connections of an address are read while many are open for the rest of refused bodies", async () => {
  const { app: unread } = createServer(
    { config: loadConfig({}), log: pino({ level: "silent" }), clock: systemClock },
    { lingerMs: 3_600_000 },
  );
  const at = Number(new URL(await unread.listen({ host: hostname, port: 0 })).port);
  const lingering: Awaited<ReturnType<typeof open>>[] = [];
  for (let n = 0; n < LINGERING_AT_ONCE; n += 1) {
    const one = await open("127.0.0.2", at);
    one.socket.write("POST /nowhere HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n");
    lingering.push(one);
  }
  await until(() => lingering.every(({ text }) => text().startsWith("HTTP/1.1 404 ")));
  const next = await open("127.0.0.2", at);
  const answered = next.status();
  // Others are served meanwhile, for longer than connections usually wait.
  for (let n = 0; n < 20; n += 1) expect(await (await open("127.0.0.3", at)).status()).toBe("404");
  expect(next.text()).toBe("");
  lingering[0]?.socket.destroy();
  expect(await answered).toBe("404");
  for (const socket of made) socket.destroy();
  await unread.close();
});

test("no more connections of an address are read for a second after several sent more at once than they may", async () => {
  let timers: { ms: number; work: () => void }[] = [];
  /** Ends all periods that have begun, and with `isLong` those of excesses as well. */
  const endPeriods = (isLong: boolean) => {
    const due = timers.filter(({ ms }) => isLong || ms < EXCESS_MS);
    timers = timers.filter((timer) => !due.includes(timer));
    for (const { work } of due) work();
  };
  const server = createBareServer((_, response) => void response.end("seen"));
  const { onExcess } = boundConnections(server, {
    perAddress: 100,
    isProxy: () => false,
    refuse: () => {},
    clock: {
      after(ms, work) {
        timers.push({ ms, work });
        return () => {};
      },
    },
  });
  server.listen(0);
  afterAll(() => server.close());
  const at = (server.address() as AddressInfo).port;
  const first = await open("127.0.0.2", at);
  expect(await first.status()).toBe("200");
  const excess = { remoteAddress: "127.0.0.2" } as Socket;
  for (let n = 1; n < EXCESSES_AT_ONCE; n += 1) onExcess(excess);
  expect(await (await open("127.0.0.2", at)).status()).toBe("200");
  onExcess(excess);
  const next = await open("127.0.0.2", at);
  const asked = next.status();
  expect(await (await open("127.0.0.3", at)).status()).toBe("200");
  endPeriods(false);
  expect(await (await open("127.0.0.3", at)).status()).toBe("200");
  expect(next.text()).toBe("");
  endPeriods(true);
  endPeriods(false);
  expect(await asked).toBe("200");
});
