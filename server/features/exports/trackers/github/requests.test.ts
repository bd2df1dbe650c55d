import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createFakeClock } from "../../../../../tests/fake-clock.ts";
import { type Receiver, type Respond, startReceiver } from "../../../../../tests/support/receiver.ts";
import { createOutbound, type Outbound } from "../../../../platform/outbound/index.ts";
import { jiraDialect } from "../jira/requests.ts";
import { createSend, RESPONSE_BYTES, RESPONSE_VALUES, type Send } from "../requests.ts";
import { apiUrl } from "./address.ts";
import { listEntries } from "./lists.ts";
import { githubDialect } from "./requests.ts";
import { createIssue } from "./write.ts";

const dataDir = mkdtempSync(join(tmpdir(), "github-requests-"));
const access = () => ({ baseUrl: receiver.url, email: null, token: "token" });
let respond: Respond;
let receiver: Receiver;
let outbound: Outbound;
let send: Send;

beforeAll(async () => {
  receiver = await startReceiver((...exchange) => respond(...exchange));
  receiver.trustedBy(dataDir);
  outbound = createOutbound({
    clock: createFakeClock(),
    log: pino({ level: "silent" }),
    allowedNetworks: ["127.0.0.0/8"],
    allowedPorts: [],
    trustedFolder: join(dataDir, "trusted-ca"),
  });
  send = createSend({ outbound, clock: createFakeClock() }, githubDialect("https://api.github.com"));
});
afterAll(async () => {
  await outbound.close();
  await receiver.close();
  rmSync(dataDir, { recursive: true });
});

const get = () => send(access(), { method: "GET", path: "/x" });

it("a response of 4 MiB is read, and one byte more is too large", async () => {
  const text = (bytes: number) => JSON.stringify("x".repeat(bytes - 2));
  respond = (_, response) => response.end(text(RESPONSE_BYTES));
  expect(await get()).toMatchObject({ tooLarge: false, json: expect.any(String) });
  respond = (_, response) => response.end(text(RESPONSE_BYTES + 1));
  expect(await get()).toMatchObject({ tooLarge: true, json: null });
});

it("a response with the maximum number of values is parsed, and one more is too large", async () => {
  const text = (values: number) => `[${"{},".repeat((values - 2) / 2)}{}]`;
  respond = (_, response) => response.end(text(RESPONSE_VALUES));
  expect(await get()).toMatchObject({ tooLarge: false, json: expect.any(Array) });
  respond = (_, response) => response.end(text(RESPONSE_VALUES + 2));
  expect(await get()).toMatchObject({ tooLarge: true, json: null });
});

it("no redirect is followed, and the token is sent to no other server", async () => {
  respond = (_, response) => response.writeHead(307, { location: `${receiver.url}/other` }).end("{}");
  const before = receiver.requests.length;
  expect((await get()).status).toBe(307);
  expect(receiver.requests.slice(before).map(({ path }) => path)).toEqual(["/api/v3/x"]);
});

it.each([
  ["GitHub", githubDialect("https://api.github.com"), null],
  ["Jira", jiraDialect, "ada@example.com"],
])("a refusal by %s that quotes the credentials of the request is shown without them", async (_, dialect, email) => {
  const sending = createSend({ outbound, clock: createFakeClock() }, dialect);
  const token = "ghp_0123/456789+abcdefghij?";
  const message = async (quote: (authorization: string) => string, status = 418) => {
    respond = ({ headers }, response) => response.writeHead(status).end(quote(String(headers.authorization)));
    return (await sending({ ...access(), email, token }, { method: "POST", path: "/x" })).message;
  };
  const asJson = (said: string) => JSON.stringify({ message: said });
  expect(await message((sent) => asJson(`Not for ${sent} or ${token}, ada`))).toMatch(
    /^“Not for (Bearer|Basic) … or …, ada”$/,
  );
  const pair = `${email ?? ""}:${token}`;
  const forms = [token, `${token}:`, pair].flatMap((secret) => [
    ...[secret, encodeURIComponent(secret), encodeURIComponent(secret).toLowerCase()],
    ...[btoa(secret), btoa(secret).replace(/=+$/, ""), Buffer.from(secret).toString("base64url")],
    encodeURIComponent(btoa(secret)),
  ]);
  for (const form of forms) expect(await message(() => asJson(`a ${form} b`)), form).toMatch(/^“a …:? b”$/);
  // Hidden by escapes of JSON.
  const escaped = [...token].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");
  expect(await message(() => `{"message":"a ${escaped} b"}`)).toBe("“a … b”");
});

it("a success that is not JSON does not count as one, and the message of a refusal is cut to one line", async () => {
  respond = (_, response) => response.end("<html>");
  await expect(get()).rejects.toMatchObject({ fault: { kind: "unknown", reason: "unreadable_answer" } });
  respond = (_, response) => response.writeHead(418).end(JSON.stringify({ message: "a\n\u0000b".repeat(1_000) }));
  expect((await get()).message).toMatch(/^“a ba b.{493}”$/);
  respond = (_, response) => response.writeHead(418).end(JSON.stringify({ message: `${"a".repeat(499)}😀` }));
  expect((await get()).message).toBe(`“${"a".repeat(499)}\ufffd”`);
  respond = (_, response) => response.writeHead(418).end("<html>");
  expect((await get()).message).toBe("");
});

describe("creating an issue", () => {
  const reached = () => ({ access: access(), destination: { project: "acme/shop", issueType: null }, layout: null });
  const issue = {
    id: 7,
    number: 3,
    html_url: "https://github.com/acme/shop/issues/3",
    created_at: "2027-01-31T12:00:00Z",
  };
  const item = { marker: "m", fields: { title: "Shop", body: "" }, depth: 0, parentRef: null };
  const prepared = { ids: { label: "estimation" }, missing: [] };
  const create = (status: number, json: unknown = issue) => {
    respond = (_, response) => response.writeHead(status).end(JSON.stringify(json));
    return createIssue(send, reached(), item, prepared);
  };

  it.each([200, 202, 408, 499, 500, 504])(
    "has an unknown outcome with the status %i: the issue may exist",
    async (status) => {
      await expect(create(status)).rejects.toMatchObject({ fault: { kind: "unknown", reason: `status_${status}` } });
    },
  );

  it("certainly did nothing with the status 422", async () => {
    expect(await create(422, { message: "no" })).toEqual({ outcome: "refused", reason: "“no”" });
  });

  it.each([
    ["HOST/renamed/shop/issues/3", "HOST/renamed/shop/issues/3"],
    ["HOST/\u0000x", "HOST/%00x"],
    ["https://github.com/acme/shop/issues/3", null],
    ["HOST.x.example/3", null],
    ["https://ada@HOSTNAME/3", null],
    ["javascript:alert(1)", null],
    ["http://HOSTNAME/3", null],
    ["/acme/shop/issues/3", null],
    [undefined, null],
  ])("shows the address of a page only if it is on the tracker's own host: %j", async (given, shown) => {
    const { host } = new URL(receiver.url);
    const at = (url?: string | null) => url?.replace("HOSTNAME", host).replace("HOST", receiver.url);
    const made = await create(201, { ...issue, html_url: at(given) });
    expect(made).toMatchObject({
      outcome: "created",
      issue: { ref: "3:7", url: at(shown) ?? `${receiver.url}/acme/shop/issues/3` },
    });
  });

  it("shows an address of limited length", async () => {
    const ofLength = (length: number) => `${receiver.url}/`.padEnd(length, "a");
    for (const [length, isShown] of [
      [2_048, true],
      [2_049, false],
    ] as const) {
      const made = await create(201, { ...issue, html_url: ofLength(length) });
      const url = isShown ? ofLength(length) : `${receiver.url}/acme/shop/issues/3`;
      expect(made).toMatchObject({ issue: { url } });
    }
  });
});

it("a list with the maximum number of pages is read, and a longer one is a fault", async () => {
  const pages = async (count: number) => {
    respond = ({ path }, response) => {
      const page = Number(new URL(path, receiver.url).searchParams.get("page"));
      response.writeHead(200, page < count ? { link: '<https://evil.example/>; rel="next"' } : {}).end(`[${page}]`);
    };
    const reached = { access: access(), destination: { project: "acme/shop", issueType: null }, layout: null };
    const read: unknown[] = [];
    for await (const page of listEntries(send, reached, { path: "/list", query: {}, requestsMax: 3 }))
      read.push(...page);
    return read;
  };
  expect(await pages(3)).toEqual([1, 2, 3]);
  await expect(pages(4)).rejects.toMatchObject({
    fault: { kind: "refused", reason: "the list is longer than 3 requests" },
  });
});

it("addresses of the API are derived from what people enter", () => {
  const of = (baseUrl: string | null) => apiUrl({ baseUrl }, "https://api.github.com");
  expect(of(null)).toBe("https://api.github.com");
  expect(of("https://github.com")).toBe("https://api.github.com");
  expect(of("https://api.github.com/")).toBe("https://api.github.com");
  expect(of("https://acme.ghe.com")).toBe("https://api.acme.ghe.com");
  expect(of("https://api.acme.ghe.com")).toBe("https://api.acme.ghe.com");
  expect(of("https://github.acme.example")).toBe("https://github.acme.example/api/v3");
  expect(of("https://github.acme.example:8443/api/v3/")).toBe("https://github.acme.example:8443/api/v3");
});
