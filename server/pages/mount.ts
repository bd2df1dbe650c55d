import { randomBytes } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { FACTS_MARK, type InstanceFacts, NONCE_MARK, type PagePath } from "../../contract/pages.ts";
import { isLocal } from "../config.ts";
import type { RateLimit } from "../http/callers/rate-limit.ts";
import { fail } from "../http/failure.ts";
import { PAGE_HINT } from "../http/validation/hints.ts";
import type { Services } from "../services/index.ts";
import type { Asset, Pages } from "./load.ts";

/**
 * Only what the application needs: scripts and styles with the nonce of this response, fonts of this service, and requests
 * to it. A script with the nonce may load its imports.
 */
const policy = (nonce: string) =>
  [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");

/** Its address is a secret, which search engines must not list. */
const PROPOSAL: PagePath = "/p/:token";

const NONCE_BYTES = 18;
const FOREVER = "public, max-age=31536000, immutable";
const AN_HOUR = "public, max-age=3600";

/** Replaces characters that end an attribute's value. */
const inAttribute = (text: string) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;");

/**
 * Serves the web application: the page for every path of it, and its files. Returns a function that responds to a browser
 * that opens an unknown path with the application, which shows an error page; it returns false for any other request.
 */
export function mountPages(
  app: FastifyInstance,
  { shell, shells, icon, assets }: Pages,
  { config, rateLimit }: Pick<Services, "config"> & { readonly rateLimit: RateLimit },
): (request: FastifyRequest, reply: FastifyReply) => boolean {
  const counted = {
    onRequest: (request: FastifyRequest, reply: FastifyReply) => rateLimit.count(request, reply, null),
  };
  const facts: InstanceFacts = {
    google: config.google !== null,
    registration: config.registration === "open",
    provesAddresses: !isLocal(config),
    mails: config.smtpUrl !== null,
    trashDays: config.deletedEstimationRetentionDays,
  };
  const written = inAttribute(JSON.stringify(facts));
  const senderOf = (page: string) => {
    const parts = page.replaceAll(FACTS_MARK, written).split(NONCE_MARK);
    return (reply: FastifyReply) => {
      const nonce = randomBytes(NONCE_BYTES).toString("base64");
      return reply
        .header("content-security-policy", policy(nonce))
        .header("cache-control", "no-store")
        .type("text/html; charset=utf-8")
        .send(parts.join(nonce));
    };
  };
  for (const [path, page] of shells) {
    const send = senderOf(page);
    app.get(path, counted, ({ headers: { accept } }, reply) => {
      // A program that asks the API and has left out `/api`.
      if (accept?.includes("application/json") && !accept.includes("text/html")) {
        fail("not_found", { details: { reason: "unknown_path" }, hint: PAGE_HINT });
      }
      if (path === PROPOSAL) reply.header("x-robots-tag", "noindex, nofollow");
      return send(reply);
    });
  }
  const sendUnknown = senderOf(shell);
  app.get<{ Params: { name: string } }>("/assets/:name", counted, ({ params, headers }, reply) => {
    const asset = assets.get(params.name) ?? fail("not_found");
    return sendAsset(reply, asset, headers["accept-encoding"]);
  });
  app.get("/icon.svg", counted, (_, reply) => reply.header("cache-control", AN_HOUR).type("image/svg+xml").send(icon));
  return (request, reply) => {
    if (!isOpenedInBrowser(request)) return false;
    sendUnknown(reply.code(404));
    return true;
  };
}

function sendAsset(reply: FastifyReply, asset: Asset, accepted: string | string[] | undefined): FastifyReply {
  reply.header("cache-control", FOREVER).header("vary", "Accept-Encoding").type(asset.type);
  if (/\bbr\b/.test(String(accepted))) return reply.header("content-encoding", "br").send(asset.br);
  if (/\bgzip\b/.test(String(accepted))) return reply.header("content-encoding", "gzip").send(asset.gzip);
  return reply.send(asset.plain);
}

/** Paths of the API and of files are never those of pages. */
const isOpenedInBrowser = ({ method, url, headers }: FastifyRequest) =>
  method === "GET" && !/^\/(api|assets)(\/|\?|$)/.test(url) && String(headers.accept).includes("text/html");
