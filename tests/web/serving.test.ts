import { request as httpRequest } from "node:http";
import { basename } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { pageModules, pagePaths } from "../../contract/pages.ts";
import { preparePages } from "../../server/pages/index.ts";
import { start } from "../harness.ts";

const app = await start({ pages: true });
const alone = await start();
const { token } = await app.signUp();

const asBrowser = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
const open = (path: string, on = app) => on.request("GET", path, { headers: asBrowser });

test("every page is the application, with a nonce that is never the same, and is not stored", async () => {
  const nonces = new Set<string>();
  for (const path of pagePaths) {
    const { status, headers, text } = await open(path.replace(":id", "est_0"));
    const policy = headers.get("content-security-policy") ?? "";
    const nonce = /'nonce-([\w+/=]{24,})'/.exec(policy)?.[1] ?? "";
    expect([status, headers.get("cache-control")], path).toEqual([200, "no-store"]);
    expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
    const given = [...text.matchAll(/<(?:script|link rel="(?:stylesheet|modulepreload)")[^>]*>/g)];
    expect(given.length).toBeGreaterThan(2);
    for (const [tag] of given) expect(tag).toContain(`nonce="${nonce}"`);
    nonces.add(nonce);
  }
  expect(nonces.size).toBe(pagePaths.length);
});

test("a page names the files of its own that it loads, and no file twice", async () => {
  for (const path of pagePaths) {
    const { text } = await open(path.replace(":id", "est_0"));
    const files = [...text.matchAll(/(?:src|href)="\/assets\/([^"]+)"/g)].map(([, name = ""]) => name);
    expect(files.length, path).toBe(new Set(files).size);
    for (const module of pageModules[path]) {
      const name = basename(module, ".tsx");
      expect(
        files.filter((file) => file.startsWith(`${name}-`) && file.endsWith(".js")).length,
        `${path} ${name}`,
      ).toBe(1);
    }
  }
  expect((await open("/nothing")).text).not.toContain("list-page-");
});

test("a page has its own words, and its styles stand in its head, where those that come later follow them", async () => {
  for (const path of ["/sign-in", "/estimations/est_0", "/nothing"]) {
    const { text } = await open(path);
    expect(text.indexOf("<header>Estimation service</header>"), path).toBeGreaterThan(0);
    expect(text.slice(text.indexOf("</head>")), path).not.toContain('rel="stylesheet"');
  }
});

test("pages never shadow the API, and unknown paths never succeed", async () => {
  for (const path of ["/api", "/api/nothing", "/api/estimations/", "/assets/nothing.js"]) {
    const { status, body } = await open(path);
    expect([status, body.message], path).toEqual([404, "not_found"]);
  }
  const known = await app.request("GET", "/api/estimations", { token, headers: asBrowser });
  expect(known.data.estimations).toEqual([]);
  const unknown = await open("/nothing");
  expect([unknown.status, unknown.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"]);
  const program = await app.request("GET", "/nothing", { headers: { accept: "*/*" } });
  expect([program.status, program.body.message]).toEqual([404, "not_found"]);
  const posted = await app.request("POST", "/sign-in", { headers: asBrowser, body: {} });
  expect([posted.status, posted.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
});

test("the API alone serves no page, and its root leads to the reference", async () => {
  const root = await open("/", alone);
  expect([root.status, root.headers.get("location")]).toEqual([302, "/docs"]);
  for (const path of ["/sign-in", "/icon.svg", "/estimations"])
    expect((await open(path, alone)).status, path).toBe(404);
  expect((await open("/docs")).text).toContain("<html");
});

/** Returns the raw bytes of a response. */
const download = (path: string, coding: string) =>
  new Promise<{ coding: string | undefined; cache: string | undefined; bytes: Buffer }>((resolve, reject) => {
    const sent = httpRequest(app.url + path, { headers: { "accept-encoding": coding } }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => {
        const { "content-encoding": used, "cache-control": cache } = response.headers;
        resolve({ coding: used, cache, bytes: Buffer.concat(chunks) });
      });
    });
    sent.on("error", reject).end();
  });

test("files of the application are compressed and kept for ever, as their names change with them", async () => {
  const { text } = await open("/sign-in");
  const path = /src="(\/assets\/[^"]+\.js)"/.exec(text)?.[1] ?? "";
  const [plain, gzip, br] = await Promise.all(["identity", "gzip", "br, gzip"].map((coding) => download(path, coding)));
  expect([plain?.coding, gzip?.coding, br?.coding]).toEqual([undefined, "gzip", "br"]);
  for (const { cache } of [plain, gzip, br].flatMap((one) => one ?? []))
    expect(cache).toBe("public, max-age=31536000, immutable");
  expect(gunzipSync(gzip?.bytes ?? Buffer.alloc(0)).equals(plain?.bytes ?? Buffer.alloc(0))).toBe(true);
  expect(br?.bytes.length ?? 0).toBeLessThan(gzip?.bytes.length ?? 0);
});

test("the application loads no schema and no parts of the server", async () => {
  const { assets } = await preparePages();
  const code = [...assets].filter(([name]) => name.endsWith(".js"));
  const holding = (word: string) => code.filter(([, { plain }]) => plain.includes(word)).map(([name]) => name);
  expect(holding("/api/estimations").length).toBeGreaterThan(0);
  // The first is in every schema of TypeBox, whose own name does not survive the minifying.
  expect(["~kind", "drizzle", "jsx-dev"].map(holding)).toEqual([[], [], []]);
});

test("a build of the same sources is used again", async () => {
  const built: string[] = [];
  const [first, second] = await Promise.all([1, 2].map(() => preparePages(() => void built.push("again"))));
  expect(built).toEqual([]);
  expect(first?.shell).toBe(second?.shell);
});
