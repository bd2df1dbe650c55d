import { createSocket, type Socket } from "node:dgram";
import type { LookupAddress } from "node:dns";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createResolve, type ResolveOptions } from "./resolve.ts";

const folder = mkdtempSync(join(tmpdir(), "resolve-"));
const hostsFile = join(folder, "hosts");
/** Addresses by name; a name that is not there does not exist, and one below `silent` gets no response … */
const zone: Record<string, readonly string[]> = {
  "both.example": ["192.0.2.1", "192.0.2.2", "2001:db8::1"],
  "six.example": ["2001:db8::2"],
  "empty.example": [],
};
/** … before this is called. */
let speak: () => void = () => {};
const untilSpoken = new Promise<void>((resolve) => {
  speak = resolve;
});
let server: Socket;
let servers: string[];

beforeAll(async () => {
  writeFileSync(
    hostsFile,
    "127.0.0.1 localhost\n192.0.2.9  own.example alias # comment.example\nnonsense own.example\n",
  );
  server = createSocket("udp4", (question, peer) => {
    const response = responseTo(question);
    if (nameIn(question).endsWith(".silent")) untilSpoken.then(() => server.send(response, peer.port, peer.address));
    else server.send(response, peer.port, peer.address);
  });
  await new Promise<void>((resolve) => server.bind(0, "127.0.0.1", resolve));
  servers = [`127.0.0.1:${(server.address() as AddressInfo).port}`];
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

function nameIn(question: Buffer): string {
  const labels: string[] = [];
  for (let at = 12, length = question.readUInt8(at); length > 0; length = question.readUInt8(at)) {
    labels.push(question.toString("latin1", at + 1, at + 1 + length));
    at += length + 1;
  }
  return labels.join(".").toLowerCase();
}

/** Responds to one query for A (1) or AAAA (28) records; RFC 1035, 4. */
function responseTo(question: Buffer): Buffer {
  const at = question.indexOf(0, 12);
  const name = nameIn(question);
  const type = question.readUInt16BE(at + 1);
  const known = zone[name];
  const records = (known ?? [])
    .filter((address) => address.includes(":") === (type === 28))
    .map((address) => {
      const data = address.includes(":")
        ? Buffer.from(`20010db8${address.slice("2001:db8::".length).padStart(24, "0")}`, "hex")
        : Buffer.from(address.split(".").map(Number));
      const head = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, data.length]);
      return Buffer.concat([head, data]);
    });
  const header = Buffer.from(question.subarray(0, 12));
  header.writeUInt16BE(known ? 0x8180 : 0x8183, 2);
  header.writeUInt16BE(records.length, 6);
  header.writeUInt32BE(0, 8);
  return Buffer.concat([header, question.subarray(12, at + 5), ...records]);
}

const systemKnows = (hostname: string): Promise<LookupAddress[]> =>
  hostname === "printer"
    ? Promise.resolve([{ address: "192.0.2.77", family: 4 }])
    : Promise.reject(Object.assign(new Error("no"), { code: "ENOTFOUND" }));

const find = (hostname: string, options: ResolveOptions = {}): Promise<string[]> =>
  new Promise((resolve, reject) =>
    createResolve({ servers, hostsFile, system: systemKnows, ...options })(
      hostname,
      { all: true },
      (error, addresses) => (error ? reject(error) : resolve(addresses.map(({ address }) => address))),
    ),
  );

test("every address of a name is found, of both families", async () => {
  expect((await find("both.example")).toSorted()).toEqual(["192.0.2.1", "192.0.2.2", "2001:db8::1"]);
  expect(await find("BOTH.example.")).toHaveLength(3);
  expect(await find("six.example")).toEqual(["2001:db8::2"]);
});

test("the hosts file counts before the name servers", async () => {
  expect(await find("own.example")).toEqual(["192.0.2.9"]);
  expect(await find("Alias")).toEqual(["192.0.2.9"]);
  await expect(find("comment.example")).rejects.toMatchObject({ code: "ENOTFOUND" });
});

test("localhost is this machine, whatever name servers say", async () => {
  expect(await find("localhost")).toEqual(["127.0.0.1"]);
  expect(await find("localhost", { hostsFile: join(folder, "none") })).toEqual(["127.0.0.1", "::1"]);
  expect(await find("any.localhost")).toEqual(["127.0.0.1", "::1"]);
});

test("a name that the name servers do not know is left to the system; one without an address is not", async () => {
  expect(await find("printer")).toEqual(["192.0.2.77"]);
  await expect(find("nowhere.example")).rejects.toMatchObject({ code: "ENOTFOUND" });
  await expect(find("empty.example")).rejects.toMatchObject({ code: "ENODATA" });
});

test("a name whose servers do not respond is given up", async () => {
  await expect(find("any.silent", { timeoutMs: 50 })).rejects.toMatchObject({ code: "ETIMEOUT" });
});

test("names whose servers do not respond delay no others", async () => {
  // They are waited for until they get a response, after the other.
  const resolve = createResolve({ servers, hostsFile, system: systemKnows, timeoutMs: 600_000 });
  let ended = 0;
  const silent = Array.from(
    { length: 50 },
    (_, at) =>
      new Promise<string | undefined>((end) =>
        resolve(`a${at}.silent`, { all: true }, (error) => {
          ended += 1;
          end(error?.code);
        }),
      ),
  );
  expect(await new Promise((end) => resolve("both.example", { all: true }, (_, found) => end(found.length)))).toBe(3);
  expect(ended).toBe(0);
  speak();
  expect(new Set(await Promise.all(silent))).toEqual(new Set(["ENOTFOUND"]));
});

test("the system resolves no more than two names at once", async () => {
  let [atOnce, most] = [0, 0];
  const system = async (): Promise<LookupAddress[]> => {
    atOnce += 1;
    most = Math.max(most, atOnce);
    await new Promise((resolve) => setImmediate(resolve));
    atOnce -= 1;
    return [{ address: "192.0.2.77", family: 4 }];
  };
  const resolve = createResolve({ servers, hostsFile, system });
  const names = Array.from({ length: 10 }, (_, at) => `unknown-${at}`);
  await Promise.all(names.map((name) => new Promise((end) => resolve(name, { all: true }, end))));
  expect(most).toBe(2);
});
