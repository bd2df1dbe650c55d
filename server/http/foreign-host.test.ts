import { describe, expect, it } from "vitest";
import { start } from "../../tests/harness.ts";
import { sendBytes, sendRaw } from "../../tests/surface/security/raw-request.ts";

const LOCAL = "http://127.0.0.1:3000";
const local = await start();
const host = (app: typeof local, name: string, method = "GET", path = "/healthz") =>
  sendBytes(app, `${method} ${path} HTTP/1.1\r\nHost: ${name}\r\nConnection: close\r\n\r\n`);
const statusOf = (answer: string) => Number(answer.split(" ", 2)[1]);

describe("a local instance", () => {
  it.each([
    "127.0.0.1",
    "127.0.0.1:3000",
    "127.9.9.9:1",
    "localhost",
    "LocalHost:8080",
    "[::1]",
    "[::1]:3000",
    "a.localhost:1",
  ])("answers who calls it %s", async (name) => {
    expect(statusOf(await host(local, name))).toBe(200);
  });

  it.each([
    "evil.example",
    "evil.example:3000",
    "127.0.0.1.evil.example",
    "localhost.evil.example",
    "evil.example:127.0.0.1",
    "127.evil.example",
    "evillocalhost",
    "192.168.0.2:3000",
    "0.0.0.0:3000",
    "[::2]",
    "localhost@evil.example",
    "",
  ])("refuses who calls it %j, in the envelope: the name may be one that was bent to this machine", async (name) => {
    const answer = await host(local, name);
    const [head = "", body = ""] = answer.split("\r\n\r\n");
    expect(head).toMatch(/^HTTP\/1\.1 400 /);
    expect(head.toLowerCase()).toContain("x-content-type-options: nosniff");
    expect(JSON.parse(body)).toEqual({
      success: false,
      message: "bad_request",
      details: { reason: "host_not_local" },
      requestId: expect.any(String),
    });
  });

  it("does nothing for such a caller, and says nothing of what there is", async () => {
    const rebound = [["host", "evil.example"]] as const;
    for (const [method, path] of [
      ["POST", "/api/auth/register"],
      ["GET", "/docs"],
      ["GET", "/api/openapi.json"],
      ["GET", "/nowhere"],
    ] as const) {
      const body = method === "POST" ? JSON.stringify({ email: "a@example.com", password: "correct horse" }) : "";
      const type = [["content-type", "application/json"]] as const;
      const answer = await sendBytes(
        local,
        [
          `${method} ${path} HTTP/1.1`,
          ...[...rebound, ...type, ["content-length", String(body.length)], ["connection", "close"]].map((line) =>
            line.join(": "),
          ),
          "",
          body,
        ].join("\r\n"),
      );
      expect(statusOf(answer), path).toBe(400);
    }
    expect((await local.pool.query("select 1 from users")).rowCount).toBe(0);
  });
});

describe("an instance that others reach", () => {
  it.each([
    ["with a public address", { baseUrl: "https://estimates.example.org" }],
    ["with a public web application", { webUrl: "https://app.example.org" }],
    ["behind a proxy", { trustProxy: ["127.0.0.1/32"] }],
    ["with a mail server", { smtpUrl: "smtp://mail.example.org" }],
  ])("%s leaves the name to whoever forwards requests to it", async (_, config) => {
    const app = await start({ config: { baseUrl: LOCAL, webUrl: LOCAL, ...config } });
    expect(statusOf(await host(app, "whatever.example"))).toBe(200);
    expect((await sendRaw(app, "GET", "/healthz")).status).toBe(200);
    await app.stop();
  });
});
