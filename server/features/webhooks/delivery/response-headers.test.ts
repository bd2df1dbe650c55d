import { expect, test } from "vitest";
import { limits } from "../../../../contract/limits.ts";
import { loggedHeaders } from "./attempt.ts";

const LIMIT = limits.webhookResponseKeptBytes;

test.each([
  "set-cookie",
  "cookie",
  "authorization",
  "proxy-authorization",
  "www-authenticate",
  "authentication-info",
  "x-auth",
  "x-api-key",
  "apikey",
  "x-amz-security-token",
  "x-csrf-token",
  "x-session-id",
  "x-client-secret",
  "x-password",
  "x-hub-signature-256",
  "dpop-nonce",
])("a header that may carry a credential is not logged: %s", (name) => {
  expect(loggedHeaders({ [name]: "value", date: "today" })).toEqual({ date: "today" });
});

test("ordinary headers are logged unchanged", () => {
  const headers = {
    date: "Sat, 21 Nov 2026 03:00:00 GMT",
    "content-type": "application/json",
    "retry-after": "120",
    location: "https://example.com/a?b=c",
    "x-request-id": "0d7c2b6e",
    etag: '"abc"',
    server: "nginx",
  };
  expect(loggedHeaders(headers)).toEqual(headers);
});

test("a credential in the value of another header is removed", () => {
  const token = `eyJ${"a".repeat(20)}.${"b".repeat(20)}.${"c".repeat(20)}`;
  expect(loggedHeaders({ location: `https://example.com/?access_token=abcdef&page=2`, "x-echo": token })).toEqual({
    location: "https://example.com/?access_token=[redacted]&page=2",
    "x-echo": "[redacted]",
  });
});

test("headers are logged up to a total number of bytes; one that is too large is left out, and those after it are logged", () => {
  const fitting = "x".repeat(LIMIT - "x-large".length);
  expect(loggedHeaders({ "x-large": fitting })).toEqual({ "x-large": fitting });
  expect(loggedHeaders({ "x-large": `${fitting}x`, date: "today" })).toEqual({ date: "today" });
  // Bytes, not characters.
  expect(loggedHeaders({ "x-large": "é".repeat(LIMIT / 2) })).toEqual({});
  const many = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`x-${at}`, "y".repeat(100)]));
  const bytes = Object.entries(loggedHeaders(many)).reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  expect(bytes).toBeGreaterThan(LIMIT - 110);
  expect(bytes).toBeLessThanOrEqual(LIMIT);
});
