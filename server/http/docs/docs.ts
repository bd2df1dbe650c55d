import { createHash } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { EndpointGroup } from "../../../contract/groups.ts";
import type { RateLimit } from "../callers/rate-limit.ts";
import { openApi } from "../openapi/document.ts";
import { docsPage } from "./docs-page.ts";
import { docsStyle } from "./docs-style.ts";

const styleHash = createHash("sha256").update(docsStyle).digest("base64");
const POLICY = `default-src 'none'; style-src 'sha256-${styleHash}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`;

/** Makes a text at the first call, so as not to delay the start. Its bytes are cached: encoding it each time costs more. */
function once(make: () => string): () => Buffer {
  let made: Buffer | undefined;
  return () => (made ??= Buffer.from(make()));
}

interface DocsOptions {
  readonly baseUrl: string;
  readonly rateLimit: RateLimit;
  /** Whether `/` leads to the page, because there is no web application. */
  readonly atRoot: boolean;
}

/**
 * `GET /api/openapi.json` for machines and `GET /docs/plain` for people, both made from the contract. Without the web
 * application, which has its own page at `/docs`, this page is at `/docs` as well.
 */
export function mountDocs(
  app: FastifyInstance,
  groups: readonly EndpointGroup[],
  { baseUrl, rateLimit, atRoot }: DocsOptions,
): void {
  const counted = {
    onRequest: (request: FastifyRequest, reply: FastifyReply) => rateLimit.count(request, reply, null),
  };
  const description = once(() => JSON.stringify(openApi(groups, baseUrl)));
  const page = once(() => docsPage(groups, baseUrl));
  app.get("/api/openapi.json", counted, (_, reply) =>
    reply.type("application/json; charset=utf-8").send(description()),
  );
  const sendPage = (_: FastifyRequest, reply: FastifyReply) =>
    reply
      .header("content-security-policy", POLICY)
      .header("cache-control", "no-cache")
      .type("text/html; charset=utf-8")
      .send(page());
  app.get("/docs/plain", counted, sendPage);
  if (!atRoot) return;
  app.get("/docs", counted, sendPage);
  app.get("/", counted, (_, reply) => reply.redirect("/docs"));
}
