import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { RateLimit } from "../../http/rate-limit.ts";
import type { Services } from "../../services.ts";
import { refuseMails } from "./store.ts";
import { confirmationPage, donePage, pagePolicy } from "./unsubscribe-page.ts";
import { createUnsubscribeTokens } from "./unsubscribe-tokens.ts";

export const UNSUBSCRIBE_PATH = "/unsubscribe";

/** A mail program sends 26 bytes, a browser some more. */
const BODY_BYTES = 4_096;

/**
 * `GET /unsubscribe?token=…` shows a page that asks, and changes nothing. `POST` turns one kind of mail off for one
 * address, without signing in (RFC 8058): mail programs send it at one click, and so does the page. Both answer the
 * same for every token. They are not part of the API, because mail programs post forms.
 */
export function mountUnsubscribe(app: FastifyInstance, services: Services, rateLimit: RateLimit): void {
  const { pool, clock, linkKeys } = services;
  const tokens = createUnsubscribeTokens(linkKeys.unsubscribe);
  const counted = {
    onRequest: (request: FastifyRequest, reply: FastifyReply) => rateLimit.count(request, reply, null),
  };
  const show = (reply: FastifyReply, page: string) =>
    reply
      .header("content-security-policy", pagePolicy)
      .header("cache-control", "no-store")
      .type("text/html; charset=utf-8")
      .send(page);
  app.register(async (scope) => {
    // The body says only that it was one click. It may have any media type.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer", bodyLimit: BODY_BYTES }, (_, __, done) => done(null));
    scope.get(UNSUBSCRIBE_PATH, counted, (_, reply) => show(reply, confirmationPage));
    scope.post(UNSUBSCRIBE_PATH, counted, async (request, reply) => {
      const { token } = request.query as { readonly token?: unknown };
      const read = typeof token === "string" ? tokens.read(token) : null;
      if (read) await refuseMails(pool, read.addressHash, [read.setting], clock.now());
      return show(reply, donePage);
    });
  });
}
