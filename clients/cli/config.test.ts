import { chmodSync, existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { accessOf, configFolder, isUnprotected, readStored, removeAccess, storeAccess, urlOf } from "./config.ts";

const access = { url: "https://estimates.example.com", key: "svc_live_x" };

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "estimate-config-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, "estimate");
}

const modeOf = (path: string) => statSync(path).mode & 0o777;

describe("what is stored", () => {
  test("is for its owner only, also where a folder and a file of before were not", () => {
    const folder = emptyFolder();
    const file = storeAccess(access, folder);
    expect([modeOf(folder), modeOf(file), readStored(folder)]).toEqual([0o700, 0o600, access]);
    chmodSync(folder, 0o755);
    chmodSync(file, 0o644);
    storeAccess({ ...access, key: "other" }, folder);
    expect([modeOf(folder), modeOf(file), readStored(folder)?.key]).toEqual([0o700, 0o600, "other"]);
  });

  test("is not used if others can read it, and the message does not contain it", () => {
    const folder = emptyFolder();
    chmodSync(storeAccess(access, folder), 0o640);
    expect(() => readStored(folder)).toThrow(/^(?!.*svc_live_x).*can be read by others/);
  });

  test("is nothing without a file, and gone once it is removed", () => {
    const folder = emptyFolder();
    expect([readStored(folder), removeAccess(folder)]).toEqual([null, false]);
    const file = storeAccess(access, folder);
    expect([removeAccess(folder), existsSync(file)]).toEqual([true, false]);
  });

  test.each(["", "{", "null", '"text"', '{"url":"https://a"}'])("is refused if the file has %j", (text) => {
    const folder = emptyFolder();
    const file = storeAccess(access, folder);
    writeFileSync(file, text);
    expect(() => readStored(folder)).toThrow(/neither address nor key/);
  });
});

test.each([
  ["linux", { HOME: "/home/ada" }, "/home/ada/.config/estimate"],
  ["linux", { HOME: "/home/ada", XDG_CONFIG_HOME: "/etc/ada" }, "/etc/ada/estimate"],
  ["darwin", { HOME: "/Users/ada" }, "/Users/ada/Library/Application Support/estimate"],
  ["win32", { APPDATA: "/AppData" }, "/AppData/estimate"],
] as const)("on %s with %j it is in %s", (platform, env, folder) => {
  expect(configFolder(env, platform)).toBe(folder);
});

describe("the environment", () => {
  const stored = () => access;
  test.each([
    [{}, access],
    [{ ESTIMATE_TOKEN: "t" }, { ...access, key: "t" }],
    [
      { ESTIMATE_TOKEN: "t", ESTIMATE_URL: "https://b.example/api/" },
      { url: "https://b.example", key: "t" },
    ],
    [{ ESTIMATE_URL: `${access.url}/` }, access],
  ])("%j comes before what is stored", (env, expected) => {
    expect(accessOf(env, stored)).toEqual(expected);
  });

  test("never sends a stored key to another address", () => {
    expect(() => accessOf({ ESTIMATE_URL: "https://b.example" }, stored)).toThrow(/stored key is for/);
  });

  test("needs a key from somewhere", () => {
    expect(() => accessOf({}, () => null)).toThrow(/estimate login/);
    expect(accessOf({ ESTIMATE_TOKEN: "t" }, () => null).url).toBe("http://127.0.0.1:3000");
  });
});

test.each([
  ["estimates.example.com", "https://estimates.example.com"],
  ["https://a.example/estimates/", "https://a.example/estimates"],
  ["https://a.example/api", "https://a.example"],
  ["localhost:3000", "http://localhost:3000"],
  ["localhost/estimates", "http://localhost/estimates"],
  ["[::1]:3000", "http://[::1]:3000"],
  ["localhost.example.com", "https://localhost.example.com"],
  ["127.example.com", "https://127.example.com"],
  ["127.0.0.1:3000/api/", "http://127.0.0.1:3000"],
])("%s is the address %s", (given, url) => {
  expect(urlOf(given)).toBe(url);
});

test.each(["", "ftp://a.example", "https://ada:secret@a.example", "https://a.example?x=1", "a b"])(
  "%j is no address",
  (given) => {
    expect(() => urlOf(given)).toThrow(/no address/);
  },
);

test("only plain HTTP to another machine is unprotected", () => {
  const urls = [
    "http://a.example",
    "http://127.example.com",
    "http://localhost:3000",
    "http://127.0.0.1",
    "http://[::1]:3000",
    "https://a.example",
  ];
  expect(urls.filter(isUnprotected)).toEqual(["http://a.example", "http://127.example.com"]);
});
