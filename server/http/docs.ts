import { createHash } from "node:crypto";
import type { FastifyInstance } from "fastify";
import type { Endpoint } from "../../contract/endpoint.ts";
import { docsPage } from "./docs-page.ts";
import { docsStyle } from "./docs-style.ts";
import { openApi } from "./openapi.ts";

const styleHash = createHash("sha256").update(docsStyle).digest("base64");
const POLICY = `default-src 'none'; style-src 'sha256-${styleHash}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`;

/** `GET /api/openapi.json` for machines and `GET /docs` for people, both made from the rows. */
export function mountDocs(app: FastifyInstance, rows: readonly (readonly [string, Endpoint])[], baseUrl: string): void {
  const description = JSON.stringify(openApi(rows, baseUrl));
  const page = docsPage(rows, baseUrl);
  app.get("/api/openapi.json", (_, reply) => reply.type("application/json; charset=utf-8").send(description));
  app.get("/docs", (_, reply) =>
    reply
      .header("content-security-policy", POLICY)
      .header("cache-control", "no-cache")
      .type("text/html; charset=utf-8")
      .send(page),
  );
  app.get("/", (_, reply) => reply.redirect("/docs"));
}
