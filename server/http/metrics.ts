import { hash, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { FastifyInstance } from "fastify";
import type { RateLimit } from "./callers/rate-limit.ts";
import { fail } from "./failure.ts";

/** What is served to Prometheus. */
interface Page {
  readonly contentType: string;
  read(): Promise<string>;
}

const PATH = "/metrics";
/** Connections to the port of the metrics at the same time. */
const CONNECTIONS_MAX = 32;

/** Returns whether a header has this bearer token, in a time that does not tell how much of it is right. */
function hasToken(header: string | undefined, token: string): boolean {
  const digest = (text: string) => hash("sha256", text, "buffer");
  return timingSafeEqual(digest(header ?? ""), digest(`Bearer ${token}`));
}

/** Serves the metrics on the service's own port, to whoever has the token. Who guesses is counted like any caller. */
export function mountMetrics(
  app: FastifyInstance,
  page: Page,
  { token, rateLimit }: { readonly token: string; readonly rateLimit: RateLimit },
): void {
  app.get(PATH, async (request, reply) => {
    await rateLimit.count(request, reply, null);
    const { authorization } = request.headers;
    if (authorization === undefined) fail("authorization_missing");
    if (!hasToken(authorization, token)) fail("token_invalid");
    return reply
      .header("cache-control", "no-store")
      .type(page.contentType)
      .send(await page.read());
  });
}

/** Serves the metrics, and nothing else, on a port of their own; resolves with what stops that. With a token, only to whoever has it. */
export async function serveMetrics(
  page: Page,
  { host, port, token }: { readonly host: string; readonly port: number; readonly token: string | null },
): Promise<() => Promise<void>> {
  const server = createServer((request, response) => {
    const respond = (status: number, text: string, headers: Record<string, string> = {}) =>
      void response
        .writeHead(status, { "content-type": "text/plain; charset=utf-8", ...headers })
        .end(request.method === "HEAD" ? undefined : text);
    if (request.url?.split("?", 1)[0] !== PATH) return respond(404, "not found\n");
    if (request.method !== "GET" && request.method !== "HEAD") {
      return respond(405, "method not allowed\n", { allow: "GET, HEAD" });
    }
    if (token !== null && !hasToken(request.headers.authorization, token)) {
      return respond(401, "unauthorized\n", { "www-authenticate": "Bearer" });
    }
    page.read().then(
      (text) => respond(200, text, { "content-type": page.contentType }),
      () => respond(500, "internal error\n"),
    );
  });
  server.maxConnections = CONNECTIONS_MAX;
  server.listen({ host, port });
  await once(server, "listening").catch(({ message }: Error) => {
    throw new Error(`METRICS_PORT cannot be used: ${message}`);
  });
  return async () => {
    server.close();
    server.closeAllConnections();
    await once(server, "close");
  };
}
