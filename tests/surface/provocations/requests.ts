import { connect } from "node:net";
import { expect } from "vitest";
import { limits } from "../../../contract/limits.ts";
import { loadConfig } from "../../../server/config.ts";
import { createServer } from "../../../server/http/server.ts";
import { systemClock } from "../../../server/platform/clock.ts";
import { createMetrics } from "../../../server/platform/metrics/metrics.ts";
import { request, start } from "../../harness.ts";
import { outsideEndpoints, outsideHandlers } from "../../support/outside-endpoints.ts";
import { serveEndpoints } from "../../support/planted-endpoints.ts";
import type { Provocation, Provoking, Refusal } from "./provoking.ts";

export const requestErrors = ({ app, path, asOwner }: Provoking) => {
  /** Sends bytes to a server and reads its whole response. */
  function raw(url: string, bytes: string): Promise<Refusal> {
    const { port, hostname } = new URL(url);
    return new Promise((resolve, reject) => {
      let text = "";
      const socket = connect(Number(port), hostname, () => socket.write(bytes));
      socket.on("data", (chunk) => {
        text += chunk;
      });
      socket.on("close", () => resolve({ status: Number(text.split(" ")[1]), text: text.slice(text.indexOf("{")) }));
      socket.on("error", reject);
    });
  }

  /** Runs a statement that breaks an app of its own; returns its response. */
  async function broken(statement: string): Promise<Refusal> {
    const other = await start();
    const user = await other.signUp();
    await other.pool.query(statement);
    return other.request("GET", "/api/estimations", { token: user.token });
  }

  /** Repeats a request that failed while it waited for a network, `seconds` after it. */
  async function repeatedOutside(seconds: number): Promise<Refusal> {
    const other = await start();
    const { token } = await other.signUp();
    // Nothing listens there.
    const { url } = await serveEndpoints(other.services, outsideEndpoints, outsideHandlers("http://127.0.0.1:1"));
    const options = { token, body: { note: "x" }, headers: { "idempotency-key": "k" } };
    expect((await request(url, "POST", "/api/notes", options)).status).toBe(500);
    await other.clock.advance(seconds * 1_000);
    return request(url, "POST", "/api/notes", options);
  }

  return {
    validation_failed: () => asOwner("PUT", path, { body: { title: "" } }),
    invalid_json: () => asOwner("PUT", path, { body: "{" }),
    bad_request: () => app.request("GET", "/api/%zz"),
    not_found: () => asOwner("GET", `/api/estimations/est_${"0".repeat(26)}`),
    method_not_allowed: () => asOwner("POST", path),
    request_timeout: async () => {
      const { app: server } = createServer(
        { ...app.services, config: loadConfig({}), clock: systemClock, metrics: createMetrics() },
        { requestMs: 200 },
      );
      await server.listen({ host: "127.0.0.1", port: 0 });
      const response = await raw(
        server.listeningOrigin,
        "POST /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n",
      );
      await server.close();
      return response;
    },
    idempotency_key_reused: async () => {
      const post = (title: string) =>
        asOwner("POST", "/api/estimations", { body: { title }, headers: { "idempotency-key": "again" } });
      await post("one");
      return post("two");
    },
    revision_mismatch: () => asOwner("PUT", path, { body: { title: "y" }, headers: { "if-match": '"0"' } }),
    payload_too_large: () => asOwner("PUT", path, { body: " ".repeat(limits.bodyBytes + 1) }),
    unsupported_media_type: () => asOwner("PUT", path, { body: "x", headers: { "content-type": "text/plain" } }),
    rate_limited: async () => {
      const slow = await start({ config: { rateLimitPerMinute: 1 } });
      await slow.request("GET", "/api/auth/me");
      return slow.request("GET", "/api/auth/me");
    },
    header_fields_too_large: () =>
      raw(app.url, `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${"y".repeat(limits.headerBytes)}\r\n\r\n`),
    transfer_coding_unknown: () =>
      raw(
        app.url,
        "POST /api/auth/login HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
      ),
    response_not_stored: async () => {
      const create = () =>
        asOwner("POST", "/api/estimations", { body: { title: "Kept" }, headers: { "idempotency-key": "not-kept" } });
      await create();
      await app.pool.query("update idempotency_keys set data = '{}' where key = 'not-kept'");
      return create();
    },
    request_under_way: () => repeatedOutside(app.services.config.requestTimeoutSeconds - 1),
    outcome_unknown: () => repeatedOutside(app.services.config.requestTimeoutSeconds),
    internal_error: () => broken("alter table estimations rename to gone"),
    service_unavailable: () =>
      broken(`do $$ begin execute format('alter database %I with connection limit 0', current_database());
      perform pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid(); end $$`),
  } satisfies Record<string, Provocation>;
};
